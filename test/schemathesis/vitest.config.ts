/** Schemathesis against the service: run by itself (`npm run test:more schemathesis`), since it needs Python and minutes. */
import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.config.ts";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    runner: shared.runner,
    include: ["test/schemathesis/*.schemathesis.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    testTimeout: 26 * 60_000,
    hookTimeout: 60_000,
  },
});
