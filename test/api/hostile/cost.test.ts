/**
 * What the most expensive requests cost that change nothing: within the documented bounds they are searched for, by shape and seed. The
 * worst is compared with parsing a plain body of the largest size, from its bytes. `COST_SEED=N` makes others, `COST_CASES=N` as many of each
 * shape; `npm run bench:api -- --only bodies` tells the figures.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { chains } from "../../support/api.ts";
import { beyondChecksums, checksummed, costlyRequests } from "../../support/costly-requests.ts";
import { type CostlyServer, mostMemoryMb, rankByCost, startCostlyServer } from "../../support/request-cost.ts";
import { seeded } from "../../support/seeded.ts";
import { openScene, type Scene } from "./scene.ts";

const seed = Number(process.env.COST_SEED ?? 1);
const seeds = Array.from({ length: Number(process.env.COST_CASES ?? 1) }, (_, n) => seed + n);

let scene: Scene;
/** Serves the same database. */
let server: CostlyServer;
beforeAll(async () => {
  scene = await openScene();
  server = await startCostlyServer(scene.api.pool.options.connectionString ?? "", chains);
}, 60_000);
afterAll(async () => {
  await server.close();
  await scene.api.close();
});

test.each(seeds)(
  "the worst request that changes nothing costs at most three times what parsing a plain mebibyte does (COST_SEED=%d)",
  // Other processes share the processor's caches.
  { timeout: 120_000, retry: 3 },
  async (from) => {
    const target = { key: scene.api.keys.both, id: scene.id };
    const dice = seeded(from);
    const requests = [...costlyRequests(target, dice), checksummed(target, dice), beyondChecksums(target, dice)];
    const { parseMs, costs } = await rankByCost(server, requests, { all: 5, worst: 15 });
    expect(costs.length).toBeGreaterThan(20);
    const tooMuch = costs
      .filter(({ times }) => times > 3)
      .map(({ name, cpuMs }) => `${name}: ${cpuMs} of ${parseMs} ms`);
    expect(tooMuch).toEqual([]);
    expect((await mostMemoryMb(server, requests)) ?? 0).toBeLessThan(64);
    // They are what they should be: refused for what they are, or served, and never a failure.
    expect(costs.filter(({ status }) => !/^(2|4)/.test(status))).toEqual([]);
    await scene.assertUnhurt();
  },
);
