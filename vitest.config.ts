/**
 * Two kinds of tests: of what is in the repository, and of the package made from it, which is built, packed and installed once
 * before them, and only when one of them is run.
 */
import { defineConfig } from "vitest/config";

const postgres = "test/support/global-setup.ts";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "sources",
          include: ["test/**/*.test.ts"],
          exclude: ["test/package/**"],
          globalSetup: [postgres],
        },
      },
      {
        extends: true,
        test: {
          name: "package",
          include: ["test/package/**/*.test.ts"],
          globalSetup: [postgres, "test/support/package-setup.ts"],
        },
      },
    ],
  },
});
