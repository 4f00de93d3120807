/** The new cell's database is gone in the middle of a move. The account stays where it was, also if that database returns after all. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCells } from "./cells.ts";
import { Killed } from "./mortal.ts";
import { MoveWorld } from "./move-world.ts";

let cells: Awaited<ReturnType<typeof openCells>>;
beforeAll(async () => {
  cells = await openCells();
});
afterAll(() => cells.close());

/** @returns a world in which the new cell is gone, after the old one had come to this state */
async function lostAt(state: "frozen" | "released" | "left", name: string = state): Promise<MoveWorld> {
  const world = await MoveWorld.start(cells.pools, name);
  world.chain.mine(2);
  await world.step(0, "plain");
  const meanwhile = async () => {
    const { rows } = await cells.pools[0].query("SELECT state FROM moves WHERE account = $1", [world.account]);
    if (rows[0]?.state === state && (state !== "frozen" || (await world.hasArrived()))) throw new Killed();
  };
  expect(await world.move({ to: 1, meanwhile })).toBe("killed");
  return world;
}

test.each(["frozen", "released"] as const)("a move that is %s is undone without the new cell", async (state) => {
  const world = await lostAt(state);
  expect(await world.move({ to: 1, abort: true, isAway: true })).toBe("done");
  expect((await world.home())?.side).toBe(0);
  await world.change(0, { status: "inactive" });
  await world.change(0, { status: "active" });
  world.chain.mine(2);
  while (await world.step(0, "plain"));
  world.reorganise(3);
  // It returns, with all that it had.
  await world.finish();
  await world.assertExact();
  const [, there] = cells.pools;
  const { rows } = await there.query(
    "SELECT move_state, (SELECT count(*) FROM webhooks w WHERE w.account_id = a.id AND lane IS NOT NULL) AS followed FROM accounts a WHERE name = $1",
    [world.account],
  );
  expect(rows).toEqual([{ move_state: "arriving", followed: 0 }]);
  // Nothing moves into what is left there, until it is removed.
  expect(await world.move({ to: 1 })).toBe("refused");
  expect(await world.move({ to: 1, abort: true })).toBe("done");
  expect((await there.query("SELECT FROM accounts WHERE name = $1", [world.account])).rowCount).toBe(0);
  expect(await world.move({ to: 1, abort: true })).toBe("refused");
  expect(await world.move({ to: 1 })).toBe("done");
  world.chain.mine(1);
  await world.finish();
  await world.assertExact();
});

test("a move that the old cell has completed for its part cannot be undone, and nobody records until the new cell is back", async () => {
  const world = await lostAt("left");
  expect(await world.move({ to: 1, abort: true, isAway: true })).toBe("refused");
  expect(await world.home()).toBeUndefined();
  world.chain.mine(2);
  while (await world.step(0, "plain"));
  expect(await world.move({ to: 1 })).toBe("done");
  await world.finish();
  await world.assertExact();
});

test("a new cell that was restored to the beginning of the move gets all of it again", async () => {
  const world = await lostAt("left", "restored");
  const [, there] = cells.pools;
  for (const statement of [
    "DELETE FROM api_keys WHERE account_id = (SELECT id FROM accounts WHERE name = $1)",
    "DELETE FROM webhooks WHERE account_id = (SELECT id FROM accounts WHERE name = $1)",
    "DELETE FROM accounts WHERE name = $1",
    "DELETE FROM move_records WHERE move_id IN (SELECT id FROM moves WHERE account = $1)",
    "DELETE FROM move_webhooks WHERE move_id IN (SELECT id FROM moves WHERE account = $1)",
    "UPDATE moves SET state = 'copying' WHERE account = $1",
  ])
    await there.query(statement, [world.account]);
  world.chain.mine(2);
  expect(await world.move({ to: 1 })).toBe("done");
  world.reorganise(100);
  await world.finish();
  await world.assertExact();
});

test("a run of the command that hangs while the move is undone never has the new cell take over", async () => {
  const world = await MoveWorld.start(cells.pools, "hanging");
  let undone = false;
  const meanwhile = async () => {
    if (undone || !(await world.isReleased())) return;
    undone = true;
    expect(await world.move({ to: 1, abort: true, isAway: true })).toBe("done");
  };
  await expect(world.move({ to: 1, meanwhile })).rejects.toMatchObject({ code: "move_overtaken" });
  expect(undone).toBe(true);
  world.chain.mine(2);
  await world.finish();
  await world.assertExact();
});
