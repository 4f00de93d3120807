/** An account with webhooks on two chains, each of which has come as far as it has: it moves as a whole, and each chain goes on by itself. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCells } from "./cells.ts";
import { Killed } from "./mortal.ts";
import { MoveWorld, type Side } from "./move-world.ts";

let cells: Awaited<ReturnType<typeof openCells>>;
beforeAll(async () => {
  cells = await openCells();
});
afterAll(() => cells.close());

/** One account's webhooks on two chains, with and without traces. */
async function startTwo(name: string): Promise<[MoveWorld, MoveWorld]> {
  const one = await MoveWorld.start(cells.pools, `${name} one`);
  const two = await MoveWorld.start(cells.pools, `${name} two`, one.account);
  for (const world of [one, two]) await world.create({ includeInternalTxs: true });
  return [one, two];
}

/** Follows a chain to its end in one cell. */
async function follow(world: MoveWorld, side: Side): Promise<void> {
  for (const kind of ["plain", "traces", "plain-catch-up", "traces-catch-up"] as const)
    while (await world.step(side, kind));
}

async function assertBoth(worlds: readonly MoveWorld[], side: Side): Promise<void> {
  expect((await worlds[0]?.home())?.side).toBe(side);
  for (const world of worlds) await world.finish();
  for (const world of worlds) await world.assertExact();
}

test("the new cell is ahead on one chain and behind on the other, and both are reorganised while the account moves", async () => {
  const [one, two] = await startTwo("ahead and behind");
  for (const world of [one, two]) world.chain.mine(4);
  await follow(one, 0);
  await follow(two, 1);
  let happened = 0;
  const meanwhile = async () => {
    happened += 1;
    const [world, side] = happened % 2 === 0 ? ([one, 0] as const) : ([two, 1] as const);
    world.reorganise(2);
    await world.step(side, "plain");
    await world.step(side, "traces");
  };
  expect(await one.move({ to: 1, meanwhile })).toBe("done");
  expect(happened).toBeGreaterThan(10);
  for (const world of [one, two]) world.reorganise(100);
  await assertBoth([one, two], 1);
});

test("it moves there and back, whenever the command is killed", async () => {
  const worlds = await startTwo("killed");
  for (const to of [1, 0] as const) {
    let runs = 0;
    for (let killedAfter = 5; (await worlds[0].move({ to, killedAfter })) !== "done"; killedAfter += 23) {
      const world = worlds[runs % 2 === 0 ? 0 : 1];
      runs += 1;
      world.reorganise(2);
      await world.step(runs % 3 === 0 ? 0 : 1, "plain");
      world.chain.mine(1);
    }
    expect(runs).toBeGreaterThan(2);
    await assertBoth(worlds, to);
  }
});

test("a move that is undone after its release has both chains go on where they were", async () => {
  const worlds = await startTwo("undone");
  const meanwhile = async () => {
    if (await worlds[0].isReleased()) throw new Killed();
  };
  expect(await worlds[0].move({ to: 1, meanwhile })).toBe("killed");
  for (const world of worlds) {
    world.chain.mine(2);
    world.reorganise(1);
  }
  expect(await worlds[0].move({ to: 1, abort: true })).toBe("done");
  await assertBoth(worlds, 0);
});
