/** AvaCloud's SDK against the service: run by itself (`npm run test:more avacloud`), since it installs the SDK. */
import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.config.ts";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    runner: shared.runner,
    include: ["test/avacloud/*.avacloud.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
