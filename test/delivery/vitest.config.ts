/** What takes minutes of delivery: a snapshot held open, and the larger models. `npm run test:delivery`. */
import { defineConfig } from "vitest/config";
import base from "../../vitest.config.ts";

// The projects of the base config have tests of their own to include.
const { projects: _, ...test } = base.test ?? {};

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    ...test,
    globalSetup: ["test/support/global-setup.ts"],
    include: ["test/delivery/**/*.long.ts"],
    testTimeout: 240_000,
  },
});
