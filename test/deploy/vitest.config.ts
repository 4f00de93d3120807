/** deploy/ as far as it can be checked without a container engine: by itself, since it needs Go, Python and the network. */
import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.config.ts";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    ...shared,
    maxWorkers: 2,
    include: ["test/deploy/*.deploy.ts"],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    globalSetup: ["test/support/global-setup.ts"],
  },
});
