/** The tests that need a browser: run by themselves, so that `npm test` needs nothing but Node and npm. */
import { defineConfig } from "vitest/config";
import base from "../../vitest.config.ts";

const { projects: _, ...test } = base.test ?? {};

export default defineConfig({
  test: {
    ...test,
    include: ["test/browser/**/*.browser.ts"],
    // Chromium takes its time beside other work on two cores.
    testTimeout: 90_000,
    globalSetup: ["test/support/global-setup.ts", "test/support/package-setup.ts"],
  },
});
