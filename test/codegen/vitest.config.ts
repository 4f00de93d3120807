/** The client generators: run by themselves (`npm run test:codegen`), since they need Go, Java, Python and Rust as well. */
import { defineConfig } from "vitest/config";
import base from "../../vitest.config.ts";

// The projects of the base config have tests of their own to include.
const { projects: _, ...test } = base.test ?? {};

export default defineConfig({
  test: {
    ...test,
    globalSetup: ["test/support/global-setup.ts"],
    include: ["test/codegen/**/*.codegen.ts"],
    // Two cores: two compilers at once are as fast as it gets. Every step has a limit of its own.
    maxConcurrency: 2,
    testTimeout: 30 * 60_000,
  },
});
