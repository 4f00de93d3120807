/** The broken servers: a whole run of conformance for each group of faults, so they are run apart from the other tests. */
import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.config.ts";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    runner: shared.runner,
    include: ["test/conformance/**/*.servers.ts"],
    pool: "forks",
    globalSetup: ["test/support/global-setup.ts"],
    hookTimeout: 300_000,
    // A run waits for processes and requests most of the time.
    maxWorkers: 2,
    maxConcurrency: 3,
    testTimeout: 600_000,
  },
});
