/**
 * What the most expensive requests cost that the documented bounds let through: they are searched for, by shape and seed, and the worst
 * is held against parsing a plain body of the largest size, from its bytes. `COST_SEED=N` makes others, `COST_CASES=N` as many of each
 * shape; `npm run bench api -- --only bodies` prints the figures.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { chains } from "../../support/api.ts";
import { checksummed, costlyRequests, taken } from "../../support/costly-requests.ts";
import { type CostlyServer, mostMemoryMb, rankByCost, startCostlyServer } from "../../support/request-cost.ts";
import { seeded } from "../../support/seeded.ts";
import { openScene, type Scene } from "./scene.ts";

const seed = Number(process.env.COST_SEED ?? 1);
const seeds = Array.from({ length: Number(process.env.COST_CASES ?? 1) }, (_, n) => seed + n);

/** 10,000 hashes: 5.9 to 7 times refused and 6.9 to 9 stored, on Node 20 beside other processes. Node 24 parses faster, which makes it more. */
const checksumsAtMost = 15;

let scene: Scene;
/** Serves the same database. */
let server: CostlyServer;
beforeAll(async () => {
  scene = await openScene();
  server = await startCostlyServer(scene.api.pool.options.connectionString ?? "", chains);
});
afterAll(async () => {
  await server.close();
  await scene.api.close();
});

test.each(seeds)(
  "a request costs at most three times what parsing a plain mebibyte does, more with 10,000 checksums (COST_SEED=%d)",
  // Other processes share the processor's caches.
  { timeout: 120_000, retry: 3 },
  async (from) => {
    const target = { key: scene.api.keys.both, id: scene.id };
    const requests = [costlyRequests, checksummed, taken].flatMap((make) => make(target, seeded(from)));
    const { parseMs, costs } = await rankByCost(server, requests, { all: 5, worst: 25 });
    expect(costs.length).toBeGreaterThan(20);
    const tooMuch = costs
      .filter(({ name, times }) => times > (name.startsWith("10,000 checksums") ? checksumsAtMost : 3))
      .map(({ name, cpuMs }) => `${name}: ${cpuMs} of ${parseMs} ms`);
    expect(tooMuch).toEqual([]);
    expect((await mostMemoryMb(server, requests)) ?? 0).toBeLessThan(64);
    // They are what they should be: refused for what they are, or served, and never a failure.
    expect(costs.filter(({ status }) => !/^(2|4)/.test(status))).toEqual([]);
    await scene.assertUnhurt();
  },
);
