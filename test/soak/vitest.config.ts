/** A day in small: run by itself (`npm run soak`), since it takes minutes to an hour. */
import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.config.ts";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    runner: shared.runner,
    include: ["test/soak/*.soak.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    testTimeout: 3 * 60 * 60_000,
    hookTimeout: 120_000,
  },
});
