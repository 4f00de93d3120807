/** Receivers in other languages: run by themselves (`npm run test:more receivers`), since they take toolchains that npm lacks. */
import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.config.ts";

export default defineConfig({
  test: {
    ...shared,
    maxWorkers: 2,
    globalSetup: ["test/support/global-setup.ts"],
    include: ["test/receivers/**/*.receivers.ts"],
    maxConcurrency: 2,
    // Compilers and downloads on two cores. Every step has a limit of its own.
    testTimeout: 15 * 60_000,
  },
});
