/** The collections in the programs that they are for: run by itself (`npm run test:more collections`), since it installs the programs. */
import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.config.ts";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    runner: shared.runner,
    include: ["test/collections/*.collections.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    testTimeout: 240_000,
    hookTimeout: 300_000,
  },
});
