/** What an account brings along, so that the new cell goes on exactly as the old one would have. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { retractionsAbove } from "../../../server/chain/follow/notifications.ts";
import { createKey, findCaller } from "../../../server/store/accounts/keys.ts";
import { plainLane } from "../../../server/store/chains/cursor.ts";
import { readBacklogs } from "../../../server/store/delivery/feed.ts";
import { accountsWithMany } from "../../../server/store/outbox/block-history.ts";
import { maintain } from "../../../server/store/outbox/retention.ts";
import { inTransaction, type Pool } from "../../../server/store/pool.ts";
import { removePart } from "../../../server/store/webhooks/removed-webhooks.ts";
import { kinds } from "../../chain/lane-followers.ts";
import { recordedOf } from "../../chain/notified.ts";
import { openCells } from "./cells.ts";
import { Killed } from "./mortal.ts";
import { MoveWorld } from "./move-world.ts";

let cells: Awaited<ReturnType<typeof openCells>>;
beforeAll(async () => {
  cells = await openCells();
});
afterAll(() => cells.close());

/** Follows the chain to its end in one cell. */
async function follow(world: MoveWorld, side: 0 | 1): Promise<void> {
  for (const kind of kinds) while (await world.step(side, kind));
}

test("what was recorded while the account was copied is retracted by the new cell", async () => {
  const world = await MoveWorld.start(cells.pools, "late");
  await follow(world, 0);
  let recorded = 0;
  const meanwhile = async () => {
    // The account's changes are refused, and what stood before is copied.
    if (recorded >= 2 || (await world.home())) return;
    world.chain.mine(1);
    if (await world.step(0, "plain")) recorded += 1;
  };
  expect(await world.move({ to: 1, meanwhile })).toBe("done");
  expect(recorded).toBe(2);
  world.reorganise(100);
  await world.finish();
  await world.assertExact();
});

test("a block that the old cell notified and retracted has new messageIds when it returns in the new cell", async () => {
  const world = await MoveWorld.start(cells.pools, "returning");
  world.chain.mine(6);
  await follow(world, 0);
  world.reorganise(3);
  await follow(world, 0);
  expect(await world.move({ to: 1 })).toBe("done");
  world.reorganise(0, { back: true });
  await world.finish();
  await world.assertExact();
});

/** An account of three webhooks, set apart, with some blocks behind it. */
async function apart(chainId: string): Promise<MoveWorld> {
  const world = await MoveWorld.start(cells.pools, chainId);
  for (let webhooks = 0; webhooks < 2; webhooks += 1) await world.create({ includeInternalTxs: false });
  world.chain.mine(4);
  await follow(world, 0);
  await world.setApart();
  return world;
}

test.each([false, true])(
  "a lane that is set apart moves while it leaves blocks, and what was retracted of them stays so (the old branch comes back: %s)",
  async (back) => {
    const world = await apart(`leaving ${back}`);
    world.reorganise(3);
    // It decides that blocks leave, and retracts the first of them for one webhook.
    for (let steps = 0; steps < 2; steps += 1) expect(await world.step(0, "plain-catch-up")).toBe(true);
    const leaving = await world.apart(0);
    expect(leaving).toMatchObject({ leaving_above: expect.any(Number), owed_after: expect.any(String) });
    expect(await world.move({ to: 1 })).toBe("done");
    expect(await world.apart(1)).toEqual(leaving);
    if (back) world.reorganise(0, { back });
    await world.finish();
    await world.assertExact();
  },
);

test("what an account brings along is read for no other lane, and for its own", async () => {
  const world = await apart("read");
  await follow(world, 1);
  const [, there] = cells.pools;
  const lane = plainLane(world.chain.chainId);
  /** Of notifications, for a reorganisation of everything in the lane that others share. */
  const readForOthers = async () => {
    let read = 0;
    const measured = inTransaction(there, async (db) => {
      const counted = async () => {
        const { rows } = await db.query<{ read: number }>(
          `SELECT sum(COALESCE(seq_tup_read, 0) + COALESCE(idx_tup_fetch, 0)) AS read FROM pg_stat_xact_user_tables
           WHERE relname LIKE 'notifications%'`,
        );
        return Number(rows[0]?.read);
      };
      const before = await counted();
      await accountsWithMany(db, lane, { above: 0, most: { notifications: 5_000, bytes: 1_000_000 } });
      await retractionsAbove(db, lane, 0);
      read = (await counted()) - before;
      throw new Error("measured");
    });
    await expect(measured).rejects.toThrow("measured");
    return read;
  };
  const alone = await readForOthers();
  expect(alone).toBeGreaterThan(0);
  expect(await world.move({ to: 1 })).toBe("done");
  expect(await readForOthers()).toBe(alone);
  world.reorganise(100);
  await world.finish();
  await world.assertExact();
});

test("a lane that is set apart moves with a part of a webhook's block still to be recorded", async () => {
  const world = await apart("owing");
  world.chain.mine(4);
  let owing = await world.apart(0);
  while (typeof owing?.owed_from !== "number") {
    expect(await world.step(0, "plain-catch-up")).toBe(true);
    owing = await world.apart(0);
  }
  expect(await world.move({ to: 1 })).toBe("done");
  expect(await world.apart(1)).toEqual(owing);
  await world.finish();
  await world.assertExact();
});

test.each([
  ["behind", 0],
  ["ahead of", 1],
] as const)("the new cell may be %s the old one", async (where, first) => {
  const world = await MoveWorld.start(cells.pools, `cell ${where}`);
  await world.create({ includeInternalTxs: true });
  world.chain.mine(4);
  await follow(world, first);
  expect(await world.move({ to: 1 })).toBe("done");
  world.chain.mine(3);
  await world.finish();
  await world.assertExact();
});

test("the new cell matches addresses that only the account watches, also once it has joined the others' lane", async () => {
  const world = await MoveWorld.start(cells.pools, "filtered");
  for (let blocks = 0; blocks < 5; blocks += 1) {
    world.chain.mine(1);
    await follow(world, 1);
  }
  await follow(world, 0);
  expect(await world.move({ to: 1 })).toBe("done");
  for (let blocks = 0; blocks < 5; blocks += 1) {
    world.chain.mine(1);
    await follow(world, 1);
  }
  await world.finish();
  await world.assertExact();
});

test("an account moves in the middle of its histories, which go on in the new cell", async () => {
  const world = await MoveWorld.start(cells.pools, "in the past");
  world.chain.mine(60);
  await follow(world, 0);
  await follow(world, 1);
  await world.create({ includeInternalTxs: false, back: 55 });
  await world.create({ includeInternalTxs: true, back: 50 });
  await world.create({ includeInternalTxs: false, back: 1 });
  await world.create({ includeInternalTxs: false, back: 45, mode: "headers" });
  await world.create({ includeInternalTxs: false, back: 40, mode: "logs" });
  for (const kind of ["plain-history", "traces-history", "headers-history", "logs-history"] as const)
    await world.step(0, kind);
  expect(await world.histories(0)).toBe(5);
  expect(await world.move({ to: 1 })).toBe("done");
  expect([await world.histories(0), await world.histories(1)]).toEqual([0, 5]);
  for (const kind of ["headers-history", "logs-history"] as const) expect(await world.step(1, kind)).toBe(true);
  // One of them began at blocks that can still be replaced.
  world.reorganise(4);
  await world.finish();
  expect(await world.histories(1)).toBe(0);
  await world.assertExact();
});

test("addresses that were added a moment ago are watched from the effectiveFromBlock of the answer on", async () => {
  const world = await MoveWorld.start(cells.pools, "added");
  world.chain.mine(3);
  await world.create({ includeInternalTxs: false });
  await world.change(1, "add");
  expect(await world.move({ to: 1 })).toBe("done");
  await world.finish();
  await world.assertExact();
});

test("the old cell forgets the account when its history has ended, and not before", async () => {
  const world = await MoveWorld.start(cells.pools, "forgotten");
  expect(await world.move({ to: 1 })).toBe("done");
  const [here] = cells.pools;
  const left = async (daysAgo: number) => {
    await here.query("UPDATE moves SET finished_at = now() - make_interval(days => $2) WHERE account = $1", [
      world.account,
      daysAgo,
    ]);
    await maintain(here, 30);
    const { rowCount } = await here.query("SELECT FROM accounts WHERE name = $1", [world.account]);
    return rowCount;
  };
  expect(await left(30)).toBe(1);
  expect(await left(32)).toBe(0);
  await world.finish();
  expect((await world.home())?.side).toBe(1);
});

test("what an account has left is not forgotten while the account is on its way back", async () => {
  const world = await MoveWorld.start(cells.pools, "returning late");
  expect(await world.move({ to: 1 })).toBe("done");
  const [here] = cells.pools;
  await here.query("UPDATE moves SET finished_at = now() - interval '32 days' WHERE account = $1", [world.account]);
  let maintained = 0;
  const meanwhile = async () => {
    const { rowCount } = await here.query(
      "SELECT FROM move_webhooks JOIN moves m ON m.id = move_id WHERE account = $1 AND address_changes IS NOT NULL AND finished_at IS NULL",
      [world.account],
    );
    if (!rowCount || maintained > 0) return;
    maintained += 1;
    await maintain(here, 30);
    while (await removePart(here));
  };
  expect(await world.move({ to: 0, meanwhile })).toBe("done");
  expect(maintained).toBe(1);
  world.chain.mine(3);
  await world.finish();
  await world.assertExact();
});

test("an account of the same name that was created meanwhile in the new cell stays, and the other does not move", async () => {
  const world = await MoveWorld.start(cells.pools, "namesake");
  const [, there] = cells.pools;
  let created = "";
  const moveWhen = (isReady: () => Promise<boolean>) =>
    world.move({
      to: 1,
      meanwhile: async () => {
        if (created || !(await isReady())) return;
        ({ key: created } = await createKey(there, { account: world.account, scopes: ["read", "write"] }));
      },
    });
  const begun = async () => (await there.query("SELECT FROM moves WHERE account = $1", [world.account])).rowCount === 1;
  expect(await moveWhen(begun)).toBe("refused");
  // Nothing is refused to the account that stays.
  expect((await world.home())?.side).toBe(0);
  expect(await findCaller(there, created)).toBeDefined();
  expect(await world.move({ to: 1, abort: true })).toBe("done");

  await there.query("DELETE FROM api_keys WHERE account_id = (SELECT id FROM accounts WHERE name = $1)", [
    world.account,
  ]);
  await there.query("DELETE FROM accounts WHERE name = $1", [world.account]);
  created = "";
  // The last moment: the old cell's account is frozen, which the checks before do not see.
  expect(await moveWhen(async () => (await world.home()) === undefined)).toBe("refused");
  expect(await findCaller(there, created)).toBeDefined();
  expect(await world.move({ to: 1, abort: true })).toBe("done");
  expect((await world.home())?.side).toBe(0);
  await world.finish();
  await world.assertExact();
});

test("an account that returns has the failures of the other cell, and what that cell sends is not sent here again", async () => {
  const world = await MoveWorld.start(cells.pools, "there and back");
  await world.create({ includeInternalTxs: false });
  const [here, there] = cells.pools;
  const { rows } = await here.query<{ id: string }>(
    "SELECT w.id FROM webhooks w JOIN accounts a ON a.id = account_id WHERE a.name = $1 ORDER BY w.created_at",
    [world.account],
  );
  const [first, second] = rows.map(({ id }) => id);
  if (!first || !second) throw new Error("two webhooks were expected");
  const fail = (cell: Pool, webhookId: string, day: string) =>
    cell.query(
      `INSERT INTO endpoint_states (shard, webhook_id, backlog_from, failing_since) SELECT shard, id, 1, $2 FROM webhooks WHERE id = $1`,
      [webhookId, day],
    );
  await fail(here, first, "2026-01-01Z");
  expect(await world.move({ to: 1 })).toBe("done");
  await there.query("DELETE FROM endpoint_states WHERE webhook_id = $1", [first]);
  await fail(there, second, "2026-02-01Z");
  world.chain.mine(3);
  await follow(world, 1);
  expect(await world.move({ to: 0 })).toBe("done");

  const states = await here.query(
    "SELECT webhook_id, backlog_from, failing_since FROM endpoint_states WHERE webhook_id = ANY($1::uuid[])",
    [[first, second]],
  );
  expect(states.rows).toHaveLength(2);
  expect(states.rows).toContainEqual({ webhook_id: first, backlog_from: 1, failing_since: null });
  expect(states.rows).toContainEqual({
    ...{ webhook_id: second, backlog_from: null },
    failing_since: new Date("2026-02-01Z"),
  });
  const backlog = (await readBacklogs(here, [{ webhookId: first, from: 1, upTo: 1_000_000, count: 100 }])).get(first);
  const copies = await recordedOf(here, first, { moved: true });
  expect(copies.length).toBeGreaterThanOrEqual(3);
  expect(backlog?.map(({ sequence }) => sequence)).toEqual(
    (await recordedOf(here, first)).map(({ sequence }) => sequence),
  );
  await world.finish();
  await world.assertExact();
});

test("copies of what a third cell recorded do not make the next move search all positions of this one", async () => {
  const world = await MoveWorld.start(cells.pools, "positions");
  const [, there] = cells.pools;
  world.chain.mine(3);
  await follow(world, 0);
  // The new cell has recorded half a billion notifications before: 5,000 parts in which a move looks for the account's.
  await there.query("UPDATE chains SET last_position = 500000000 WHERE chain_id = $1", [world.chain.chainId]);
  expect(await world.move({ to: 1 })).toBe("done");
  world.chain.mine(2);
  await follow(world, 1);
  const { rows } = await there.query<{ lowest: number; highest: number }>(
    `SELECT min(position) AS lowest, max(position) AS highest FROM notifications WHERE chain_id = $1`,
    [world.chain.chainId],
  );
  expect(rows[0]?.lowest).toBeLessThan(0);
  expect(rows[0]?.highest).toBeGreaterThan(500_000_000);
  expect(await world.move({ to: 0, killedAfter: 500 })).toBe("done");
  world.reorganise(100);
  await world.finish();
  await world.assertExact();
});

test("an account whose move is undone has its addresses from the effectiveFromBlock of the answer on", async () => {
  const world = await MoveWorld.start(cells.pools, "stays");
  const [here] = cells.pools;
  world.chain.mine(2);
  await follow(world, 0);
  await world.change(0, "add");
  const additions = async () =>
    (await here.query("SELECT FROM address_additions WHERE chain_id = $1", [world.chain.chainId])).rowCount;
  const added = await additions();
  const untilReleased = async () => {
    if (await world.isReleased()) throw new Killed();
  };
  expect(await world.move({ to: 1, meanwhile: untilReleased })).toBe("killed");
  world.chain.mine(6);
  world.chain.finalise(1);
  await follow(world, 0);
  await maintain(here, 30);
  expect(await additions()).toBe(added);
  expect(await world.move({ to: 1, abort: true })).toBe("done");
  await world.finish();
  await world.assertExact();
});

test("a move of many webhooks can be undone", async () => {
  const world = await MoveWorld.start(cells.pools, "many");
  const [here, there] = cells.pools;
  await here.query(
    `INSERT INTO webhooks SELECT (json_populate_record(w, json_build_object('id', gen_random_uuid()))).*
     FROM webhooks w JOIN accounts a ON a.id = w.account_id, generate_series(1, 1200) WHERE a.name = $1`,
    [world.account],
  );
  const untilReleased = async () => {
    if (await world.isReleased()) throw new Killed();
  };
  expect(await world.move({ to: 1, meanwhile: untilReleased })).toBe("killed");
  expect(await world.move({ to: 1, abort: true, killedAfter: 25 })).toBe("killed");
  expect(await world.move({ to: 1, abort: true })).toBe("done");
  const { rowCount } = await there.query("SELECT FROM accounts WHERE name = $1", [world.account]);
  expect(rowCount).toBe(0);
  expect((await world.home())?.side).toBe(0);
});
