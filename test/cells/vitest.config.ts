/**
 * Tests with several servers: blocks through real NATS servers, and two cells of which everything is killed. `npm run test:more cells`; it needs
 * HAProxy and nginx, and the first run downloads `nats-server`.
 */
import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.config.ts";
import { WaitingFirst } from "../support/waiting-first.ts";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    ...shared,
    include: ["test/cells/**/*.cells.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    maxWorkers: 2,
    sequence: { sequencer: WaitingFirst },
    testTimeout: 300_000,
    hookTimeout: 180_000,
  },
});
