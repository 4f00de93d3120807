/** The client generators: run by themselves (`npm run test:more codegen`), since they need Go, Java, Python and Rust as well. */
import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.config.ts";

export default defineConfig({
  test: {
    ...shared,
    // One after the other: two Mavens at once can spoil the folder that they share, and each file keeps two processors busy.
    fileParallelism: false,
    globalSetup: ["test/support/global-setup.ts"],
    include: ["test/codegen/**/*.codegen.ts"],
    // Two cores: two compilers at once are as fast as it gets. Every step has a limit of its own.
    maxConcurrency: 2,
    testTimeout: 30 * 60_000,
    // Removing the workshop: tens of thousands of files.
    hookTimeout: 5 * 60_000,
  },
});
