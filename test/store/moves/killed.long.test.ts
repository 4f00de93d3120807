/**
 * A move that is killed after each of its statements, while blocks come and leave: run again, or undone. `MOVES_KILL_EVERY=N` kills after
 * every Nth statement only.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCells } from "./cells.ts";
import { Killed } from "./mortal.ts";
import { MoveWorld, type Side } from "./move-world.ts";

let cells: Awaited<ReturnType<typeof openCells>>;
beforeAll(async () => {
  cells = await openCells();
});
afterAll(() => cells.close());

let worlds = 0;
async function startWorld(): Promise<MoveWorld> {
  worlds += 1;
  const world = await MoveWorld.start(cells.pools, String(worlds));
  await world.create({ includeInternalTxs: true });
  world.chain.mine(4);
  await world.step(0, "plain");
  await world.step(0, "traces");
  await world.step(1, "plain");
  return world;
}

/** Replaces two blocks, and has one cell see more of it than the other. */
async function disturb(world: MoveWorld, first: Side): Promise<void> {
  world.reorganise(2);
  await world.step(first, "plain");
  await world.step(first, "plain-catch-up");
  world.chain.mine(1);
}

/** Far more than a move has. The test ends where it is done before it is killed. */
const most = 1_000;
const every = Number(process.env.MOVES_KILL_EVERY ?? 1);

test("a move that is killed after any of its statements is completed by running it again", {
  timeout: 1_200_000,
}, async () => {
  for (let killedAfter = 1; killedAfter < most; killedAfter += every) {
    const world = await startWorld();
    const isDone = (await world.move({ to: 1, killedAfter })) === "done";
    await disturb(world, killedAfter % 2 === 0 ? 0 : 1);
    if (!isDone) expect(await world.move({ to: 1 }), `killed after ${killedAfter}`).toBe("done");
    expect((await world.home())?.side).toBe(1);
    await world.finish();
    await world.assertExact();
    if (isDone) return;
  }
  expect.fail("the move did not end");
});

test("a move that is killed after any of its statements can be undone until the new cell has taken over", {
  timeout: 1_200_000,
}, async () => {
  let undone = 0;
  for (let killedAfter = 1; killedAfter < most; killedAfter += every) {
    const world = await startWorld();
    const isDone = (await world.move({ to: 1, killedAfter })) === "done";
    await disturb(world, killedAfter % 2 === 0 ? 0 : 1);
    // The first statements change nothing, and then there is nothing to undo. What cannot be undone can be completed.
    const isUndone = (await world.move({ to: 1, abort: true })) === "done";
    if (isUndone) undone += 1;
    else if (undone > 0) expect(await world.move({ to: 1 })).toBe("done");
    expect((await world.home())?.side).toBe(isUndone || undone === 0 ? 0 : 1);
    await world.finish();
    await world.assertExact();
    if (isDone) break;
  }
  expect(undone).toBeGreaterThan(50 / every);
});

test("undoing a move can be killed after any of its statements, and undone or completed all the same", {
  timeout: 1_200_000,
}, async () => {
  for (let killedAfter = 1; killedAfter < most; killedAfter += every) {
    const world = await startWorld();
    const untilReleased = async () => {
      if (await world.isReleased()) throw new Killed();
    };
    expect(await world.move({ to: 1, meanwhile: untilReleased })).toBe("killed");
    const isDone = (await world.move({ to: 1, abort: true, killedAfter })) === "done";
    await disturb(world, killedAfter % 2 === 0 ? 0 : 1);
    if (!isDone) await world.move({ to: 1, abort: true });
    expect((await world.home())?.side).toBe(0);
    expect(await world.move({ to: 1 })).toBe("done");
    await world.finish();
    await world.assertExact();
    if (isDone) return;
  }
  expect.fail("undoing did not end");
});
