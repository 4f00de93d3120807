/** What takes minutes of delivery: a snapshot held open, and the larger models. `npm run test:more delivery`. */
import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.config.ts";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    ...shared,
    maxWorkers: 2,
    globalSetup: ["test/support/global-setup.ts"],
    include: ["test/delivery/**/*.long.ts"],
    testTimeout: 300_000,
  },
});
