/** What a lane that is set apart records, retracts and drops is a little in each transaction, whatever changes or dies in between. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { prepareSlice, recordStep, StepBounds } from "../../../server/chain/follow/record.ts";
import { type ReadBlock, readBlock } from "../../../server/chain/read/block.ts";
import { replayBlock } from "../../../server/chain/replays/replay-block.ts";
import { messageIdOf } from "../../../server/matching/message-id.ts";
import { setApart } from "../../../server/store/chains/lanes.ts";
import { beginLeaving } from "../../../server/store/chains/leaving.ts";
import { nextReplayStep, noteQuietBlocks, reopenReplays } from "../../../server/store/chains/replay-work.ts";
import { cancelReplay, createReplay } from "../../../server/store/chains/replays.ts";
import { appendNotifications } from "../../../server/store/outbox/append.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import { noFilter } from "../../../server/store/webhooks/watch-filter.ts";
import type { Watcher } from "../../../server/store/webhooks/watchers.ts";
import {
  assertExact,
  before,
  busiest,
  busy,
  catchUp,
  caughtUp,
  chainId,
  count,
  counts,
  each,
  emptyBlock,
  firstLane,
  lanes,
  leaveWhole,
  number,
  openForEachTest,
  orders,
  parent,
  pool,
  recordOther,
  recordWhole,
  step,
  stored,
  theBlock,
  watch,
} from "../apart-world.ts";

openForEachTest();

const plainWatcher: Watcher = {
  ...{ id: "", accountId: 1, shard: 0, eventSignatures: new Set<string>() },
  ...{ includeInternalTxs: false, includeLogs: false },
};

import { notifiedOf } from "../notified.ts";

test("a branch replaces a block of which a part is owed: what was sent is retracted, and nothing else", async () => {
  await watch(1, 200);
  await (await stored(await firstLane(false))).record(step);
  const bounds = new StepBounds();
  bounds.sliceTooLarge();
  bounds.sliceTooLarge();
  await pool.query(
    "CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'killed'; END $$",
  );
  await pool.query(
    "CREATE TRIGGER die AFTER UPDATE OF owed_after ON chain_lanes FOR EACH ROW WHEN (OLD.owed_after IS NOT NULL) EXECUTE FUNCTION die()",
  );
  await expect(recordWhole(await stored(await firstLane(true), bounds))).rejects.toThrow("killed");
  await pool.query("DROP TRIGGER die ON chain_lanes");
  const sent = (await count()) ?? 0;
  expect(sent).toBeGreaterThan(0);
  await leaveWhole();
  await recordOther("0a");
  expect((await firstLane(true)).isOwing).toBe(false);
  expect(await counts()).toEqual([
    { removed: false, count: sent },
    { removed: true, count: sent },
  ]);
});

test("a branch that retracts very many notifications of one account retracts those of the others first", async () => {
  await watch(1, 200);
  const [other = ""] = await watch(2, 1);
  const lane = await firstLane(false);
  // As where the account was apart, and came back before the branch.
  await recordStep(pool, lane, step, noFilter(lane));
  const block = emptyBlock(number, `0x${"0c".repeat(32)}`, busy.block.parentHash);
  const cursor = { number, hash: busy.block.hash };
  const branch = { cursor, retractAbove: number - 1, blocks: [readBlock(block, chainId)], finalNumber: 0 };
  expect(await (await stored(await firstLane(false))).record(branch)).toBe(each);
  expect((await notifiedOf(pool, other)).filter(({ event }) => event.removed)).toHaveLength(each);
  await leaveWhole();
  await recordOther("0c");
  expect(await counts()).toEqual([false, true].map((removed) => ({ removed, count: each * 201 })));
});

test("a branch drops very much that is held of one account a little at a time, and what others hold in its step", async () => {
  const held = async () =>
    (
      await pool.query<{ id: number; count: number }>(
        "SELECT account_id AS id, count(*)::int AS count FROM held_notifications GROUP BY 1 ORDER BY 1",
      )
    ).rows;
  await watch(1, 50, { finality: { confirmations: 3 } });
  await watch(1, 50, { finality: "finalized" });
  await watch(2, 1, { finality: "finalized" });
  const lane = await firstLane(false);
  await recordStep(pool, lane, step, noFilter(lane));
  expect(await held()).toEqual([
    { id: 1, count: 100 * each },
    { id: 2, count: each },
  ]);
  const block = emptyBlock(number, `0x${"0c".repeat(32)}`, busy.block.parentHash);
  const cursor = { number, hash: busy.block.hash };
  const branch = { cursor, retractAbove: number - 1, blocks: [readBlock(block, chainId)], finalNumber: 0 };
  await (await stored(await firstLane(false))).record(branch);
  expect(await held()).toEqual([{ id: 1, count: 100 * each }]);
  await leaveWhole();
  expect(await held()).toEqual([]);
  expect((await pool.query("SELECT FROM held_events")).rowCount).toBe(0);
  await recordOther("0c");
  expect(await count()).toBe(0);
});

test("a branch forgets very many contracts of one account's factories a little at a time", async () => {
  const createdBy = { address: busiest, eventSignature: `0x${"ab".repeat(32)}`, argument: "topic1" };
  const [factory = ""] = await watch(1, 1, { createdBy });
  const few = await watch(2, 1, { createdBy });
  const lane = await firstLane(false);
  await recordStep(pool, lane, step, noFilter(lane));
  const create = (id: string, contracts: number) =>
    pool.query(
      `INSERT INTO webhook_addresses (chain_id, address, webhook_id, addition, created_in)
       SELECT $1, decode(lpad(to_hex(n), 40, '0'), 'hex'), $2, 0, $4 FROM generate_series(1, $3::int) n`,
      [chainId, id, contracts, number],
    );
  await create(factory, 2_001);
  for (const id of few) await create(id, 10);
  await pool.query("UPDATE webhooks SET address_count = address_count + 2001");
  const watching = async () =>
    (await pool.query("SELECT webhook_id AS id FROM webhook_addresses WHERE created_in IS NOT NULL")).rows.map(
      ({ id }) => id,
    );
  const block = emptyBlock(number, `0x${"0c".repeat(32)}`, busy.block.parentHash);
  const cursor = { number, hash: busy.block.hash };
  const branch = { cursor, retractAbove: number - 1, blocks: [readBlock(block, chainId)], finalNumber: 0 };
  await (await stored(await firstLane(false))).record(branch);
  const left = await watching();
  expect([left.length, ...new Set(left)]).toEqual([2_001, factory]);
  await leaveWhole();
  expect(await watching()).toEqual([]);
});

test("a branch that retracts very long events of one account retracts those of the others first", async () => {
  await watch(1, 1);
  const lane = await firstLane(false);
  await recordStep(pool, lane, step, noFilter(lane));
  await pool.query("UPDATE events SET body = body || repeat(' ', 1000000)");
  const [other = ""] = await watch(2, 1);
  const block = emptyBlock(number, `0x${"0c".repeat(32)}`, busy.block.parentHash);
  const cursor = { number, hash: busy.block.hash };
  const branch = { cursor, retractAbove: number - 1, blocks: [readBlock(block, chainId)], finalNumber: 0 };
  expect(await (await stored(await firstLane(false))).record(branch)).toBe(0);
  expect(await notifiedOf(pool, other)).toEqual([]);
  await leaveWhole();
  expect(await counts()).toEqual([false, true].map((removed) => ({ removed, count: each })));
});

test("what one account must have retracted is recorded a little at a time, in the order of the notifications", async () => {
  const ids = await caughtUp(100);
  await leaveWhole();
  expect(await counts()).toEqual([false, true].map((removed) => ({ removed, count: each * 100 })));
  const { rows } = await pool.query<{ most: number }>(
    "SELECT max(count)::int AS most FROM (SELECT count(*) FROM notifications GROUP BY xmin::text) recorded",
  );
  expect(rows[0]?.most).toBeLessThanOrEqual(200);
  const [order = "", ...others] = await orders(ids);
  expect(others).toEqual([]);
  const [added, removed] = [order.match(/\+\d+/g) ?? [], order.match(/-\d+/g) ?? []];
  expect(order).toBe([...added, ...removed].join(" "));
  expect(removed.map((place) => place.slice(1))).toEqual(added.map((place) => place.slice(1)));
  await recordOther("0a");
  expect((await firstLane(true)).cursor?.hash).toBe(`0x${"0a".repeat(32)}`);
});

test("a process that dies between two parts of a retraction leaves the rest to the next one, which repeats nothing", async () => {
  const [gone = "", ...ids] = await caughtUp(100);
  await pool.query(`CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM events WHERE removed) > 500 THEN RAISE EXCEPTION 'killed'; END IF; RETURN NULL; END $$`);
  await pool.query("CREATE TRIGGER die AFTER UPDATE OF leaving_event ON chain_lanes EXECUTE FUNCTION die()");
  const lane = await firstLane(true);
  // On a busy machine a turn may end before.
  await expect(leaveWhole()).rejects.toThrow("killed");
  await pool.query("DROP TRIGGER die ON chain_lanes");
  expect((await firstLane(true)).isLeaving).toBe(true);
  // It is decided which blocks leave: neither another branch nor the same one can be recorded before they have.
  const other = { cursor: { number, hash: busy.block.hash }, blocks: [], finalNumber: 0 };
  await expect((await stored(lane)).record(other)).rejects.toMatchObject({ code: "cursor_moved" });
  await expect((await stored(lane)).leave?.(parent)).rejects.toMatchObject({ code: "cursor_moved" });
  await (await stored(lane)).release?.(number);
  // Where to go on is only where to look first.
  await pool.query("UPDATE chain_lanes SET leaving_event = 0 WHERE leaving_event IS NOT NULL");
  await pool.query("DELETE FROM webhooks WHERE id = $1", [gone]);
  await leaveWhole(false);
  const [order, ...others] = await orders(ids);
  expect(others).toEqual([]);
  // The branch has left again: the block is back.
  await (await stored(await firstLane(true))).record({ ...step, cursor: parent });
  for (let next = await firstLane(true); next.isOwing; next = await firstLane(true))
    await (await stored(next)).settle?.(theBlock);
  const added = order?.match(/\+\d+/g) ?? [];
  expect(await orders(ids)).toEqual([[order, ...added].join(" ")]);
});

test("a block leaves with what is held of it, and a new reorganisation finds the lane where the last one ended", async () => {
  await caughtUp(100, { finality: "finalized" });
  expect((await pool.query("SELECT FROM held_notifications")).rowCount).toBe(100 * each);
  await leaveWhole();
  expect((await pool.query("SELECT FROM held_notifications")).rowCount).toBe(0);
  expect((await pool.query("SELECT FROM held_events")).rowCount).toBe(0);
  await recordOther("0a");
  await (await stored(await firstLane(true))).leave?.(parent);
  // Of the block before the first any hash may be followed, one after the other.
  for (const fill of ["0d", "0e"]) {
    const above = { number: number - 2, hash: `0x${fill.repeat(32)}` };
    await (await stored(await firstLane(true))).leave?.(above);
    expect((await firstLane(true)).cursor).toEqual(above);
  }
  expect(await lanes(true)).toMatchObject([{ isLeaving: false, isOwing: false }]);
});

test("a webhook that is paused or deleted between the match and the record is notified of nothing, and the others once", async () => {
  const costly = await watch(1, 200);
  await (await stored(await firstLane(false))).record(step);
  const lane = await firstLane(true);
  const slice = { owed: undefined, size: 100 };
  const prepared = await prepareSlice(pool, lane, theBlock, slice);
  const [paused, deleted, ...others] = [...costly].sort();
  await pool.query("UPDATE webhooks SET status = 'inactive' WHERE id = $1", [paused]);
  await pool.query("DELETE FROM webhooks WHERE id = $1", [deleted]);
  const recordSlice = (mayMatch: boolean) =>
    recordStep(pool, lane, step, noFilter(lane), { slice: { ...slice, prepared, mayMatch } });
  await expect(recordSlice(false)).rejects.toThrow("changed");
  expect(await count()).toBe(0);
  await recordSlice(true);
  expect(await count()).toBe(each * 99);
  const bounds = new StepBounds();
  for (let next = await firstLane(true); next.isOwing; next = await firstLane(true))
    await (await stored(next, bounds)).settle?.(theBlock);
  expect(await count()).toBe(each * 198);
  await assertExact(others);
});

test("webhooks that change again and again are matched without the lock, and in the end one at a time under it", async () => {
  const ids = await watch(1, 3);
  await setApart(pool, await firstLane(false), { accountIds: [1], cursor: before });
  const matched: { locked: boolean; webhooks: number }[] = [];
  const changing: ReadBlock = {
    ...theBlock,
    async match(watchers, ...rest) {
      const locked = await pool.query(
        `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database AND d.datname = current_database()
         WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'`,
      );
      matched.push({ locked: locked.rowCount !== 0, webhooks: watchers.get(busiest)?.length ?? 0 });
      await pool.query("UPDATE webhooks SET name = name || '.' WHERE account_id = 1");
      return theBlock.match(watchers, ...rest);
    },
  };
  const bounds = new StepBounds();
  await (await stored(await firstLane(true), bounds)).record({ ...step, blocks: [changing] });
  for (let lane = await firstLane(true); lane.isOwing; lane = await firstLane(true))
    await (await stored(lane, bounds)).settle?.(changing);
  const underLock = matched.filter(({ locked }) => locked);
  expect(underLock).toEqual(ids.map(() => ({ locked: true, webhooks: 1 })));
  expect(matched.length - underLock.length).toBeGreaterThan(3 * underLock.length);
  await assertExact(ids);
});

test("a part of a webhook's matches makes its own notifications under the lock, and no others", async () => {
  await watch(1, 1);
  await setApart(pool, await firstLane(false), { accountIds: [1], cursor: before });
  const lane = await firstLane(true);
  const slice = { owed: undefined, size: 1 };
  const prepared = await prepareSlice(pool, lane, theBlock, slice);
  const read = new Set<number>();
  const events = prepared.events.map(({ transactionHash, ...event }) => ({
    ...event,
    get transactionHash() {
      read.add(event.transactionIndex);
      return transactionHash;
    },
  }));
  const upTo = prepared.events[3]?.transactionIndex;
  await recordStep(pool, lane, step, noFilter(lane), { slice: { ...slice, upTo, prepared: { ...prepared, events } } });
  expect(await count()).toBe(3);
  expect(read.size).toBe(3);
});

test("what a part of a lane that is set apart holds, it holds in one statement", async () => {
  await watch(1, 2, { finality: "both" });
  await setApart(pool, await firstLane(false), { accountIds: [1], cursor: before });
  const query = vi.spyOn(pg.Client.prototype, "query");
  await catchUp(new StepBounds());
  const texts = query.mock.calls.map(([config]: unknown[]) =>
    typeof config === "object" && config !== null && "text" in config ? String(config.text) : "",
  );
  query.mockRestore();
  expect(texts.filter((text) => text.includes("held_events'"))).toHaveLength(1);
  expect(texts.filter((text) => /INTO held_(events|notifications)/.test(text))).toHaveLength(1);
  expect((await pool.query("SELECT FROM held_notifications")).rowCount).toBe(2 * each);
  expect(await count()).toBe(2 * each);
});

test("a replay matches without the lock and adds a little at a time; one that dies between two parts loses and repeats none", async () => {
  const lane = await firstLane(false);
  await recordStep(pool, lane, step, noFilter(lane));
  const [id = ""] = await watch(1, 1);
  await inTransaction(pool, (db) =>
    createReplay(db, 1, id, { from: BigInt(number), to: BigInt(number), includeEarlier: true }),
  );
  let matches = 0;
  const block: ReadBlock = {
    ...theBlock,
    async match(...asked) {
      matches += 1;
      const locked = await pool.query(
        `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database AND d.datname = current_database()
         WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'`,
      );
      expect(locked.rowCount).toBe(0);
      const { events, ...matched } = await theBlock.match(...asked);
      if (matches === 1) await pool.query("UPDATE webhooks SET name = 'changed'");
      // As many as fit into five parts or more.
      return { ...matched, events: events.map((event) => ({ ...event, body: event.body.padEnd(80_000) })) };
    },
  };
  const replay = async () => {
    const next = await nextReplayStep(pool, chainId, { after: 0, busy: [] });
    return next && replayBlock(pool, chainId, next, { block });
  };
  await pool.query(`CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM notifications) > 14 THEN RAISE EXCEPTION 'killed'; END IF; RETURN NULL; END $$`);
  await pool.query("CREATE TRIGGER die AFTER UPDATE ON webhook_sequences EXECUTE FUNCTION die()");
  await expect(replay()).rejects.toThrow("killed");
  await pool.query("DROP TRIGGER die ON webhook_sequences");
  expect(matches).toBe(2);
  const recorded = (await count()) ?? 0;
  expect(recorded).toBeGreaterThan(0);
  expect(recorded).toBeLessThan(each);
  // What it says that it has added is what it has, also in the middle of a block.
  expect((await pool.query("SELECT status, added FROM replays")).rows).toEqual([
    { status: "running", added: recorded },
  ]);
  expect(await replay()).toEqual({ resent: recorded, added: each - recorded });
  expect(await replay()).toBeUndefined();
  await assertExact([id]);
  const { rows } = await pool.query<{ most: number }>(
    "SELECT max(count)::int AS most FROM (SELECT count(*) FROM notifications GROUP BY xmin::text) recorded",
  );
  expect(rows[0]?.most).toBeLessThanOrEqual(7);
});

/** Replays the block for a webhook that was not notified of it. */
async function replayMissed(id: string, block: ReadBlock) {
  await inTransaction(pool, (db) =>
    createReplay(db, 1, id, { from: BigInt(number), to: BigInt(number), includeEarlier: true }),
  );
  const next = await nextReplayStep(pool, chainId, { after: 0, busy: [] });
  return next && replayBlock(pool, chainId, next, { block });
}

test("a replay that is cancelled while its block is matched records nothing of it", async () => {
  const lane = await firstLane(false);
  await recordStep(pool, lane, step, noFilter(lane));
  const [id = ""] = await watch(1, 1);
  const block: ReadBlock = {
    ...theBlock,
    async match(...asked) {
      const { rows } = await pool.query<{ id: string }>("SELECT id FROM replays");
      for (const replay of rows) await inTransaction(pool, (db) => cancelReplay(db, 1, id, replay.id));
      return theBlock.match(...asked);
    },
  };
  expect(await replayMissed(id, block)).toBeUndefined();
  expect(await count()).toBe(0);
  expect((await pool.query("SELECT status, added FROM replays")).rows).toEqual([{ status: "cancelled", added: 0 }]);
});

test("a replay ends although its webhook is notified of other blocks all the time", async () => {
  const lane = await firstLane(false);
  await recordStep(pool, lane, step, noFilter(lane));
  const [id = ""] = await watch(1, 1);
  let others = 0;
  const block: ReadBlock = {
    ...theBlock,
    async match(...asked) {
      others += 1;
      const other = { blockNumber: number + others, blockHash: `0x${String(others).padStart(64, "0")}` };
      const event = { ...other, transactionHash: busy.block.hash, transactionIndex: 0, removed: false, body: "{}" };
      const notification = { webhookId: id, shard: 0, messageId: randomUUID(), occurrence: 0, event };
      await inTransaction(pool, (db) => appendNotifications(db, chainId, [notification]));
      return theBlock.match(...asked);
    },
  };
  expect(await replayMissed(id, block)).toEqual({ resent: 0, added: each });
  expect(others).toBe(1);
  // It is notified of the block itself between the match and the record.
  await pool.query("DELETE FROM notifications");
  await pool.query("DELETE FROM replays");
  const { events } = await theBlock.match(new Map([[busiest, [{ ...plainWatcher, id }]]]), undefined, {
    ...{ anywhere: [], factories: [] },
  });
  const [event] = events;
  if (!event) throw new Error("nothing matches");
  let matches = 0;
  const meanwhile: ReadBlock = {
    ...theBlock,
    async match(...asked) {
      matches += 1;
      const { transactionHash, blockHash } = event;
      const messageId = messageIdOf({ webhookId: id, blockHash, transactionHash, occurrence: 0 });
      const notification = { webhookId: id, shard: 0, messageId, occurrence: 0, event };
      if (matches === 1) await inTransaction(pool, (db) => appendNotifications(db, chainId, [notification]));
      return theBlock.match(...asked);
    },
  };
  expect(await replayMissed(id, meanwhile)).toEqual({ resent: 1, added: each - 1 });
  expect(matches).toBe(2);
  expect((await pool.query("SELECT DISTINCT message_id FROM notifications")).rowCount).toBe(each);
  expect(await count()).toBe(each);
});

test("a replay keeps what it has recorded when its webhook changes between all of its parts", async () => {
  const lane = await firstLane(false);
  await recordStep(pool, lane, step, noFilter(lane));
  const [id = ""] = await watch(1, 1);
  const block: ReadBlock = {
    ...theBlock,
    async match(...asked) {
      const { events, ...matched } = await theBlock.match(...asked);
      return { ...matched, events: events.map((event) => ({ ...event, body: event.body.padEnd(80_000) })) };
    },
  };
  await pool.query(`CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE webhooks SET name = name || '.' WHERE id = NEW.webhook_id; RETURN NULL; END $$`);
  await pool.query("CREATE TRIGGER change AFTER UPDATE ON webhook_sequences FOR EACH ROW EXECUTE FUNCTION change()");
  expect(await replayMissed(id, block)).toEqual({ resent: 0, added: each });
  const { rows } = await pool.query<{ name: string }>("SELECT name FROM webhooks WHERE id = $1", [id]);
  expect(rows[0]?.name.length).toBeGreaterThan(5);
  await assertExact([id]);
  // None of it was sent by an earlier try.
  expect((await pool.query("SELECT FROM retries")).rowCount).toBe(0);
});

test("a replay sends nothing of a block that has begun to leave", async () => {
  const [id = ""] = await caughtUp(100);
  const empty = emptyBlock(number + 1, `0x${"0b".repeat(32)}`, busy.block.hash);
  const next = { cursor: { number, hash: busy.block.hash }, blocks: [readBlock(empty, chainId)], finalNumber: 0 };
  await (await stored(await firstLane(true))).record(next);
  await inTransaction(pool, (db) =>
    createReplay(db, 1, id, { from: BigInt(number), to: BigInt(number), includeEarlier: true }),
  );
  const due = await nextReplayStep(pool, chainId, { after: 0, busy: [] });
  expect(due?.followed).toBe(true);
  const apart = await firstLane(true);
  if (!due || !apart.cursor) throw new Error("there is nothing to replay");
  await beginLeaving(pool, apart, { cursor: apart.cursor, above: parent });
  const replayed = replayBlock(pool, chainId, due, { block: theBlock });
  await expect(replayed).rejects.toMatchObject({ code: "other_branch", message: expect.stringContaining("leaves") });
  expect((await pool.query("SELECT FROM retries")).rowCount).toBe(0);
  expect((await nextReplayStep(pool, chainId, { after: 0, busy: [] }))?.followed).toBe(false);
});

test("a replay that is done goes back for a block that is still leaving", async () => {
  const [id = ""] = await caughtUp(100);
  const range = { from: BigInt(number), to: BigInt(number), includeEarlier: true };
  const { id: replay } = await inTransaction(pool, (db) => createReplay(db, 1, id, range));
  await noteQuietBlocks(pool, [{ id: replay, noted: number, block: number + 1, hash: busy.block.hash }]);
  const apart = await firstLane(true);
  if (!apart.cursor) throw new Error("the lane has no cursor");
  await beginLeaving(pool, apart, { cursor: apart.cursor, above: parent });
  await reopenReplays(pool, chainId);
  await leaveWhole(false);
  await recordOther("0a");
  const { rows } = await pool.query("SELECT status, next_block AS next FROM replays");
  expect(rows).toEqual([{ status: "running", next: number }]);
});

test("what a replay adds for an account that is set apart is read for no other lane", async () => {
  const [id = ""] = await caughtUp(100);
  await pool.query("DELETE FROM notifications WHERE webhook_id = $1", [id]);
  await pool.query("DELETE FROM events");
  await inTransaction(pool, (db) =>
    createReplay(db, 1, id, { from: BigInt(number), to: BigInt(number), includeEarlier: true }),
  );
  const next = await nextReplayStep(pool, chainId, { after: 0, busy: [] });
  expect(next && (await replayBlock(pool, chainId, next, { block: theBlock }))).toEqual({ resent: 0, added: each });
  const { rows } = await pool.query("SELECT DISTINCT apart_account FROM events");
  expect(rows).toEqual([{ apart_account: 1 }]);
});
