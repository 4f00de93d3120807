/** The tests that need PostgreSQL's own programs, proxies and promtool: run by themselves, so that `npm test` needs nothing but Node and npm. */
import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.config.ts";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    ...shared,
    maxWorkers: 2,
    include: ["test/operations/**/*.operations.ts"],
    testTimeout: 300_000,
    globalSetup: ["test/support/global-setup.ts"],
  },
});
