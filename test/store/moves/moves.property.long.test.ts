/**
 * Whatever becomes of the chain, whoever follows and changes what meanwhile, and wherever the command is killed: an account that moves, is
 * kept and moves back is notified of each block once, in order, under gapless sequences. `MOVES_SEED` repeats a run, `MOVES_RUNS` makes more.
 */

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anyFinality } from "../../chain/finalities.ts";
import { kinds } from "../../chain/lane-followers.ts";
import { runs, searchSeed } from "../../support/runs.ts";
import { openCells } from "./cells.ts";
import { MoveWorld, type Side } from "./move-world.ts";

const numRuns = Number(process.env.MOVES_RUNS ?? runs(1, 3));
const seed = Number(process.env.MOVES_SEED ?? searchSeed());

let cells: Awaited<ReturnType<typeof openCells>>;
beforeAll(async () => {
  cells = await openCells();
});
afterAll(() => cells.close());

const side = fc.constantFrom<Side>(0, 1);
const kind = fc.constantFrom(...kinds);
const change = fc.oneof(
  fc.record({ includeInternalTxs: fc.boolean() }),
  fc.record({ status: fc.constantFrom("active" as const, "inactive" as const) }),
  fc.constantFrom("add" as const, "remove" as const, "delete" as const),
);
const chainEvent = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("mine" as const), count: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("reorganise" as const),
      depth: fc.integer({ min: 1, max: 6 }),
      back: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("finalise" as const), left: fc.integer({ min: 3, max: 9 }) }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant("step" as const), side, kind, killed: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const), side, kind }) },
);
const event = fc.oneof(
  { weight: 8, arbitrary: chainEvent },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("create" as const), traces: fc.boolean(), finality: anyFinality }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("change" as const), webhook: fc.nat(9), change }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("move" as const),
      to: side,
      abort: fc.boolean(),
      killedAfter: fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
      meanwhile: fc.array(chainEvent, { maxLength: 25 }),
    }),
  },
);
type ChainEvent = typeof chainEvent extends fc.Arbitrary<infer T> ? T : never;
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

async function happenOnChain(world: MoveWorld, what: ChainEvent): Promise<void> {
  if (what.do === "mine") world.chain.mine(what.count);
  else if (what.do === "reorganise") world.reorganise(what.depth, { back: what.back });
  else if (what.do === "finalise") world.chain.finalise(what.left);
  else if (what.do === "step") await world.step(what.side, what.kind, what.killed);
  else world.restart(what.side, what.kind);
}

async function happen(world: MoveWorld, what: Event): Promise<void> {
  if (what.do === "create") await world.create({ includeInternalTxs: what.traces, ...what.finality });
  else if (what.do === "change") await world.change(what.webhook, what.change);
  else if (what.do === "move") {
    const { meanwhile, ...options } = what;
    const events = meanwhile[Symbol.iterator]();
    const next = async () => {
      const { value } = events.next();
      if (value) await happenOnChain(world, value);
    };
    await world.move({ ...options, meanwhile: next });
  } else await happenOnChain(world, what);
}

test(`an account that moves at random is notified of each block once, in order, by one cell or the other (seed ${seed})`, {
  timeout: 60_000 + numRuns * 20_000,
}, async () => {
  let chain = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 30, maxLength: 80, size: "max" }), async (events) => {
      chain += 1;
      const world = await MoveWorld.start(cells.pools, String(chain));
      for (const finality of ["both", { confirmations: 3 }] as const)
        await world.create({ includeInternalTxs: false, finality });
      for (const what of events) await happen(world, what);
      // Whatever was left in the middle is completed.
      for (const to of [0, 1] as const) if (!(await world.home())) await world.move({ to, abort: true });
      for (const to of [0, 1] as const) if (!(await world.home())) await world.move({ to });
      await world.finish();
      expect(await world.move({ to: 1 })).not.toBe("killed");
      // What the old cell held becomes due in the new one.
      world.chain.mine(4);
      world.chain.finalise(2);
      await world.finish();
      await world.assertExact();
    }),
    { numRuns, seed, interruptAfterTimeLimit: 50_000 + numRuns * 20_000, markInterruptAsFailure: true },
  );
});
