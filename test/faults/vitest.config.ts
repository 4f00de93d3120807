/** The long run among faulty nodes, which takes minutes: `npm run test:more faults`. */
import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.config.ts";

export default defineConfig({
  test: {
    runner: shared.runner,
    include: ["test/faults/*.long.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    // They wait most of the time.
    maxWorkers: 3,
    testTimeout: 1_200_000,
    hookTimeout: 60_000,
  },
});
