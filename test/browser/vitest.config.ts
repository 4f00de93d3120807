/** The tests that need a browser: run by themselves, so that `npm test` needs nothing but Node and npm. */
import { defineConfig } from "vitest/config";
import { buildSite } from "../../scripts/maintain/docs-site/build.ts";
import { shared } from "../../vitest.config.ts";

// Once, before two files and the packing would each do it.
await buildSite();

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    ...shared,
    maxWorkers: 2,
    include: ["test/browser/**/*.browser.ts"],
    // Chromium takes its time beside other work on two cores.
    testTimeout: 300_000,
    globalSetup: ["test/support/global-setup.ts", "test/support/package-setup.ts"],
  },
});
