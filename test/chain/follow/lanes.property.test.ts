/**
 * Whatever webhooks want and when, whoever follows and is killed: each is notified of every block once, in order, in the variant that it
 * wanted, and when it is as deep as it wanted. `LANES_SEED` repeats a run, `LANES_RUNS` makes more of them.
 */

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, type Pool } from "../../../server/store/pool.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { runs, searchSeed } from "../../support/runs.ts";
import { anyFinality } from "../finalities.ts";
import { kinds } from "../lane-followers.ts";
import { LanesWorld } from "../lanes-world.ts";

const numRuns = Number(process.env.LANES_RUNS ?? runs(1, 5));
const seed = Number(process.env.LANES_SEED ?? searchSeed());

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url);
  await pool.query("INSERT INTO accounts (name) VALUES ('test')");
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const kind = fc.constantFrom(...kinds);
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ includeInternalTxs: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ status: fc.constantFrom("active" as const, "inactive" as const) }) },
);
const wish = fc.record({ webhook: fc.nat(9), change });
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("mine" as const), count: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("reorganise" as const), depth: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("step" as const),
      kind,
      killed: fc.nat(5),
      meanwhile: fc.option(wish, { freq: 5, nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const), kind }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("create" as const), traces: fc.boolean(), finality: anyFinality }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: fc.constant("create in the past" as const), traces: fc.boolean(), finality: anyFinality },
      ...{
        back: fc.oneof(fc.nat(4), fc.nat(100)),
        mode: fc.constantFrom(undefined, "headers" as const, "logs" as const),
      },
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("change" as const), webhook: fc.nat(9), change }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), webhook: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("set apart" as const), lane: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("calm down" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("finalise" as const), left: fc.nat(8) }) },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

async function happen(world: LanesWorld, what: Event): Promise<void> {
  if (what.do === "mine") world.mine(what.count);
  else if (what.do === "reorganise") world.reorganise(what.depth);
  else if (what.do === "step") {
    const meanwhile = async () => {
      if (what.meanwhile) await world.change(what.meanwhile.webhook, what.meanwhile.change);
    };
    await world.step(what.kind, { killed: what.killed === 0, meanwhile });
  } else if (what.do === "restart") world.restart(what.kind);
  else if (what.do === "create") await world.create({ includeInternalTxs: what.traces, ...what.finality });
  else if (what.do === "create in the past")
    await world.createInThePast(what.back, {
      ...{ includeInternalTxs: what.traces, ...what.finality },
      mode: what.traces ? undefined : what.mode,
    });
  else if (what.do === "delete") await world.delete(what.webhook);
  else if (what.do === "finalise") world.finalise(what.left);
  else if (what.do === "set apart") await world.setApart(what.lane);
  else if (what.do === "calm down") await world.calmDown();
  else await world.change(what.webhook, what.change);
}

test(`webhooks that change lanes at random are notified of each block once, in order and in their variant (seed ${seed})`, {
  timeout: 60_000 + numRuns * 10_000,
}, async () => {
  let chain = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 40, maxLength: 120, size: "max" }), async (events) => {
      chain += 1;
      const world = await LanesWorld.start(pool, String(chain));
      await world.create({ includeInternalTxs: false });
      await world.create({ includeInternalTxs: false, finality: "both" });
      for (const what of events) await happen(world, what);
      await world.finish();
      await world.assertExact();
    }),
    // Ends before the test does, with the smallest failure found so far.
    { numRuns, seed, interruptAfterTimeLimit: 40_000 + numRuns * 10_000, markInterruptAsFailure: true },
  );
});

test("what a history added near the head is retracted, also once it has joined one that began above it", async () => {
  const world = await LanesWorld.start(pool, "young");
  world.mine(20);
  while (await world.step("plain"));
  // Both begin at blocks that can still be replaced. The first one forgets nothing of the second.
  await world.createInThePast(8, { includeInternalTxs: false });
  await world.createInThePast(14, { includeInternalTxs: false });
  for (let step = 0; (await world.histories()) > 1 && step < 10; step += 1) await world.step("plain-history");
  expect(await world.histories()).toBeLessThanOrEqual(1);
  world.reorganise(18);
  world.mine(20);
  await world.finish();
  await world.assertExact();
});

test("a webhook created in a lane that is behind does not become effective earlier by a pause", async () => {
  const world = await LanesWorld.start(pool, "behind");
  await world.create({ includeInternalTxs: true });
  world.mine(1);
  // The first moves it into the lane with traces, the second takes only the other one further.
  for (let step = 0; step < 2; step += 1) await world.step("plain");
  await world.create({ includeInternalTxs: true });
  for (const status of ["inactive", "active"] as const) await world.change(1, { status });
  await world.finish();
  await world.assertExact();
});
