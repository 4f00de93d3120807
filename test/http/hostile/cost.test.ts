/**
 * What the most expensive requests cost that the documented bounds let through: they are searched for, by shape and seed, and the worst
 * is held against parsing a plain body of the largest size. `COST_SEEDS=N` looks through more; `npm run bench:api -- --only bodies`
 * tells the figures.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { checksummed, costlyRequests } from "../../support/costly-requests.ts";
import { mostMemoryMb, rankByCost } from "../../support/request-cost.ts";
import { seeded } from "../../support/seeded.ts";
import { openScene, type Scene } from "./scene.ts";

const seeds = Array.from({ length: Number(process.env.COST_SEEDS ?? 1) }, (_, n) => n + 1);

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.api.close());

test.each(seeds)(
  "the worst request costs at most three times what parsing a plain mebibyte does (seed %d)",
  {
    timeout: 120_000,
    // What else runs on the machine costs processor time too.
    retry: 2,
  },
  async (seed) => {
    const requests = costlyRequests({ key: scene.api.keys.both, id: scene.id }, seeded(seed));
    const { parseMs, costs } = await rankByCost(scene.api.url, requests, { all: 3, worst: 9 });
    expect(costs.length).toBeGreaterThan(20);
    const tooMuch = costs
      .filter(({ times }) => times > 3)
      .map(({ name, cpuMs }) => `${name}: ${cpuMs} of ${parseMs} ms`);
    expect(tooMuch).toEqual([]);
    expect((await mostMemoryMb(scene.api.url, requests)) ?? 0).toBeLessThan(64);
    // They are what they should be: refused for what they are, or served, and never a failure.
    expect(costs.filter(({ status }) => !/^(2|4)/.test(status))).toEqual([]);
    await scene.assertUnhurt();
  },
);

test("as many checksums as a request may have cost a tenth of what they did in JavaScript", { retry: 2 }, async () => {
  const request = checksummed({ key: scene.api.keys.both, id: scene.id }, seeded(1));
  const { costs } = await rankByCost(scene.api.url, [request], { all: 3, worst: 5 });
  expect(costs[0]).toMatchObject({ status: "400", times: expect.toSatisfy((times: number) => times < 20) });
});
