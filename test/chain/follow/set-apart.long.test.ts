/** An account that takes too much of a block is set apart: nobody waits for it, it misses nothing, and it comes back. */
import pg from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import type { ChainStep } from "../../../server/chain/follow/lane-record.ts";
import { retractionsAbove } from "../../../server/chain/follow/notifications.ts";
import {
  prepareSlice,
  recordStep,
  StepBounds,
  type StoredRecord,
  stepLimits,
  storedRecord,
} from "../../../server/chain/follow/record.ts";
import { type ReadBlock, readBlock } from "../../../server/chain/read/block.ts";
import { replayBlock } from "../../../server/chain/replays/replays.ts";
import type { NewWebhook, WebhookOptions } from "../../../server/matching/new-webhook.ts";
import { participantsByTransaction, participantsOf } from "../../../server/matching/participants.ts";
import type { BlockBundle, Hex } from "../../../server/matching/wire.ts";
import { noKeys } from "../../../server/settings/keyring.ts";
import { beginAt, ensureChain, plainLane, readCursor } from "../../../server/store/chains/cursor.ts";
import { type Lane, readLanes, setApart, tendLane } from "../../../server/store/chains/lanes.ts";
import { nextReplayStep } from "../../../server/store/chains/replay-work.ts";
import { createReplay } from "../../../server/store/chains/replays.ts";
import { accountsWithMany } from "../../../server/store/outbox/block-history.ts";
import { createPool, inTransaction, type Pool } from "../../../server/store/pool.ts";
import { createWebhook } from "../../../server/store/webhooks/creation.ts";
import { createWatchFilter, noFilter } from "../../../server/store/webhooks/watch-filter.ts";
import { findWatchers } from "../../../server/store/webhooks/watchers.ts";
import { getWebhook } from "../../../server/store/webhooks/webhooks.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { notifiedOf, standing } from "../notified.ts";

const chainId = "1";
const busy = recordedBundle("mainnet/15537394");
const number = Number(busy.block.number);
const before = { number: number - 1, hash: busy.block.parentHash };
const activities = participantsByTransaction(busy);
const transactionsOf = (address: string) => activities.filter(({ addresses }) => addresses.has(address)).length;
/** It takes part in 34 transactions. */
const busiest = participantsOf(busy).reduce((most, one) => (transactionsOf(one) > transactionsOf(most) ? one : most));
const each = transactionsOf(busiest);
const theBlock = readBlock(busy, chainId);
const step: ChainStep = { cursor: before, blocks: [theBlock], finalNumber: 0 };

let database: TestDatabase;
let pool: Pool;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url);
  await ensureChain(pool, chainId);
  await beginAt(pool, plainLane(chainId), before);
  await pool.query("INSERT INTO accounts (name) VALUES ('costly'), ('other')");
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

async function watch(accountId: number, count: number, options?: object): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO webhooks (id, account_id, shard, chain_id, url, status, status_reason, status_since, created_at, name, description,
       event_type, event_signatures, include_internal_txs, include_logs, effective_from_block, address_count, options)
     SELECT gen_random_uuid(), $3, i % 32, $2, 'https://example.com', 'active', 'created', now(), now(), '', '',
       'address_activity', '{}', false, false, 0, 1, $4 FROM generate_series(1, $1::int) i RETURNING id`,
    [count, chainId, accountId, options ? JSON.stringify(options) : null],
  );
  const ids = rows.map(({ id }) => id);
  await pool.query("INSERT INTO webhook_sequences SELECT unnest($1::uuid[])", [ids]);
  await pool.query(
    "INSERT INTO webhook_addresses SELECT $1, decode(substr($3, 3), 'hex'), w, 0 FROM unnest($2::uuid[]) w",
    [chainId, ids, busiest],
  );
  return ids;
}

const lanes = async (behind: boolean) => readLanes(pool, chainId, { traces: false, behind });

async function firstLane(behind: boolean): Promise<Lane> {
  const [lane] = await lanes(behind);
  if (!lane) throw new Error("there is no such lane");
  return lane;
}

const stored = async (lane: Lane, bounds?: StepBounds) => {
  const { signal } = new AbortController();
  const log = pino({ level: "silent" });
  const filter = lane.behind ? noFilter(lane) : createWatchFilter({ pool, lane, log, signal });
  return storedRecord(pool, lane, filter, bounds ? { bounds } : {});
};

const count = async () => (await pool.query("SELECT FROM notifications")).rowCount;

/** Takes the step of the lane that is set apart, in as many turns as it needs. @returns how many turns */
async function catchUp(bounds: StepBounds): Promise<number> {
  await (await stored(await firstLane(true), bounds)).record(step);
  let turns = 1;
  for (let lane = await firstLane(true); lane.isOwing; lane = await firstLane(true), turns += 1)
    await (await stored(lane, bounds)).settle?.(theBlock);
  return turns;
}

const parent = { number: number - 1, hash: busy.block.parentHash };

/** Takes the block off the record of the lane that is set apart, in as many turns as it needs. */
async function leaveWhole(begins = true): Promise<void> {
  if (begins) await (await stored(await firstLane(true))).leave?.(parent);
  for (let lane = await firstLane(true); lane.isLeaving; lane = await firstLane(true))
    await (await stored(lane)).leave?.();
}

/** The block that replaces it, with nothing in it. */
async function recordOther(fill: string): Promise<void> {
  const block = emptyBlock(number, `0x${fill.repeat(32)}`, busy.block.parentHash);
  const [cursor, blocks] = [parent, [readBlock(block, chainId)]];
  await (await stored(await firstLane(true))).record({ cursor, blocks, finalNumber: 0 });
}

/** What each webhook was notified of, such as `+1 +5 -1 -5`: the places of the transactions in the block. */
async function orders(ids: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const id of ids) {
    const notified = await notifiedOf(pool, id);
    expect(() => standing(notified)).not.toThrow();
    const places = notified.map(({ event, removed }) => `${removed ? "-" : "+"}${event.transaction.transactionIndex}`);
    found.add(places.join(" "));
  }
  return [...found];
}

const counts = async () =>
  (
    await pool.query<{ removed: boolean; count: number }>(
      "SELECT removed, count(*)::int AS count FROM notifications n JOIN events e ON e.id = n.event_id GROUP BY 1 ORDER BY 1",
    )
  ).rows;

/** As far as it comes. */
async function recordWhole(record: StoredRecord): Promise<never> {
  await record.record(step);
  for (;;) await record.settle?.(theBlock);
}

async function assertExact(ids: readonly string[]): Promise<void> {
  const places = new Set<string>();
  for (const id of ids) {
    const notified = await notifiedOf(pool, id);
    expect(notified).toHaveLength(each);
    places.add(JSON.stringify(notified.map(({ event }) => event.transaction.txHash)));
  }
  // All in the order of the chain.
  expect([...places]).toHaveLength(1);
  const { rows } = await pool.query(
    `SELECT bool_and(last_sequence = count) AS gapless FROM webhook_sequences JOIN (
       SELECT webhook_id, count(DISTINCT sequence) AS count FROM notifications GROUP BY 1) n USING (webhook_id)`,
  );
  expect(rows).toEqual([{ gapless: true }]);
}

test("others are notified of a block in its step; the costly account afterwards, of everything and once", async () => {
  const costly = await watch(1, 200);
  const [other = ""] = await watch(2, 1);
  expect(await (await stored(await firstLane(false))).record(step)).toBe(each);
  await assertExact([other]);
  expect(await count()).toBe(each);
  const [first = "", last = ""] = [costly[0], costly.at(-1)];
  expect((await getWebhook(pool, 1, first)).catchUp).toEqual({ reason: "costly", nextBlock: String(number) });
  expect((await getWebhook(pool, 2, other)).catchUp).toBeUndefined();
  await catchUp(new StepBounds());
  expect(await count()).toBe(each * 201);
  await assertExact([first, last, other]);
  expect((await getWebhook(pool, 1, last)).catchUp?.nextBlock).toBe(String(number + 1));
});

test("a process that dies between two slices leaves the rest to the next one", async () => {
  const costly = await watch(1, 200);
  await (await stored(await firstLane(false))).record(step);
  const lane = await firstLane(true);
  const dying = await stored(lane);
  await pool.query(`CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM notifications) > 300 THEN RAISE EXCEPTION 'killed'; END IF; RETURN NULL; END $$`);
  await pool.query("CREATE TRIGGER die AFTER UPDATE OF owed_after ON chain_lanes EXECUTE FUNCTION die()");
  await expect(recordWhole(dying)).rejects.toThrow("killed");
  await pool.query("DROP TRIGGER die ON chain_lanes");
  expect((await firstLane(true)).isOwing).toBe(true);
  const recorded = (await count()) ?? 0;
  expect(recorded).toBeGreaterThan(0);
  expect(recorded).toBeLessThan(each * 200);
  // The same step again comes too late: its cursor has moved.
  await expect((await stored(lane)).record(step)).rejects.toMatchObject({ code: "cursor_moved" });
  for (let next = await firstLane(true); next.isOwing; next = await firstLane(true))
    await (await stored(next)).settle?.(theBlock);
  expect(await count()).toBe(each * 200);
  await assertExact(costly);
});

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

/** An account with so many webhooks has caught up, in a lane of its own. */
async function caughtUp(webhooks: number, options?: object): Promise<string[]> {
  const ids = await watch(1, webhooks, options);
  await (await stored(await firstLane(false))).record(step);
  await catchUp(new StepBounds());
  return ids;
}

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

test("what one account was notified of while it was apart is read for no other lane", async () => {
  await caughtUp(100);
  const lane = await firstLane(false);
  const read = await inTransaction(pool, async (db) => {
    await accountsWithMany(db, lane, { above: number - 1, most: { notifications: 5_000, bytes: 1_000_000 } });
    await retractionsAbove(db, lane, number - 1);
    const { rows } = await db.query<{ read: number }>(
      `SELECT sum(COALESCE(seq_tup_read, 0) + COALESCE(idx_tup_fetch, 0)) AS read FROM pg_stat_xact_user_tables
       WHERE relname LIKE 'events%' OR relname LIKE 'notifications%'`,
    );
    return Number(rows[0]?.read);
  });
  expect(read).toBeLessThan(100);
});

test("factories that name very many contracts hold up nobody: they are matched without the lock, and added a little at a time", async () => {
  const named = new Map<string, Set<string>>();
  for (const { address, topics } of busy.receipts.flatMap(({ logs }) => logs)) {
    if (!topics[1]?.startsWith(`0x${"0".repeat(24)}`)) continue;
    const key = `${address} ${topics[0]}`;
    named.set(key, (named.get(key) ?? new Set()).add(topics[1]));
  }
  const [[key = "", contracts] = []] = [...named].sort(([, a], [, b]) => b.size - a.size);
  const [address, eventSignature] = key.split(" ");
  const createdBy = { address, eventSignature, argument: "topic1" };
  const webhooks = Math.ceil(5_000 / (contracts?.size ?? 1));
  const ids = await watch(1, webhooks, { createdBy });
  const [other = ""] = await watch(2, 1);
  const wantsNothingElse = "DELETE FROM webhook_addresses WHERE webhook_id = ANY($1::uuid[])";
  await pool.query(wantsNothingElse, [ids]);
  await pool.query("UPDATE webhooks SET address_count = 0 WHERE id = ANY($1::uuid[])", [ids]);
  expect(await (await stored(await firstLane(false))).record(step)).toBe(each);
  await assertExact([other]);
  expect((await pool.query("SELECT FROM webhook_addresses WHERE created_in IS NOT NULL")).rowCount).toBe(0);
  const { created } = await prepareSlice(pool, await firstLane(true), theBlock, { owed: undefined, size: webhooks });
  expect(created.flatMap(({ webhookIds }) => webhookIds).sort()).toEqual([...ids].sort());
  await catchUp(new StepBounds());
  const { rows } = await pool.query(
    `SELECT sum(count)::int AS all, max(count) <= 2000 AS "isLittle" FROM (
       SELECT count(*) FROM webhook_addresses WHERE created_in = $1 GROUP BY xmin::text) added`,
    [number],
  );
  expect(rows).toEqual([{ all: webhooks * (contracts?.size ?? 0), isLittle: true }]);
  // With their block they leave, a little at a time, too.
  await leaveWhole();
  expect((await pool.query("SELECT FROM webhook_addresses WHERE created_in IS NOT NULL")).rowCount).toBe(0);
  const { rows: counts } = await pool.query("SELECT DISTINCT address_count FROM webhooks WHERE account_id = 1");
  expect(counts).toEqual([{ address_count: 0 }]);
});

test("an account comes back after blocks that cost little", async () => {
  await watch(1, 200);
  await (await stored(await firstLane(false))).record(step);
  await catchUp(new StepBounds());
  await pool.query("UPDATE chain_lanes SET apart_until = $1 WHERE apart_account IS NOT NULL", [number + 1]);
  const block = emptyBlock(number + 1, `0x${"0b".repeat(32)}`, busy.block.hash);
  const next = { cursor: { number, hash: busy.block.hash }, blocks: [readBlock(block, chainId)], finalNumber: 0 };
  for (const behind of [false, true]) await (await stored(await firstLane(behind))).record(next);
  for (const lane of await lanes(false)) await tendLane(pool, lane);
  expect(await lanes(true)).toEqual([]);
  const { rows } = await pool.query("SELECT DISTINCT lane FROM webhooks");
  expect(rows).toEqual([{ lane: 0 }]);
});

test("conditions that cost too much count as well, and the account's other webhooks go with them", async () => {
  const field = { field: "transfer.value", op: "gt", value: "0" };
  const conditions = { any: Array.from({ length: 50 }, () => ({ not: field })) };
  const ids = await watch(1, 120, { conditions });
  await pool.query("UPDATE webhooks SET comparisons = 50");
  const [other = ""] = await watch(2, 1);
  const bounds = new StepBounds();
  bounds.failed(Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" }), before);
  expect(bounds.limit).toEqual(stepLimits.shared);
  for (let round = 0; round < 3; round += 1)
    bounds.failed(Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" }), before);
  expect(bounds.limit.units).toBe(stepLimits.shared.units / 4 ** 3);
  expect(await (await stored(await firstLane(false), bounds)).record(step)).toBe(each);
  await assertExact([other]);
  const { rows } = await pool.query(
    "SELECT DISTINCT l.apart_account FROM webhooks w JOIN chain_lanes l USING (chain_id, lane) WHERE w.id = ANY($1)",
    [ids],
  );
  expect(rows).toEqual([{ apart_account: 1 }]);
});

test("pairs of an address and a webhook count before they are read, and those of an account set apart are passed over", async () => {
  const pairs = { ofAccount: 1_000, inAll: 3_000 };
  const few = () => new StepBounds({ ...stepLimits, shared: { ...stepLimits.shared, pairs } });
  const addresses = theBlock.participants;
  const ids: string[] = [];
  for (let pair = 0; pair <= pairs.inAll; pair += addresses.length) {
    // Nothing in the block has its signature.
    const webhook = await inTransaction(pool, (db) => createWebhook(db, 1, watching(addresses), noKeys));
    ids.push(webhook.id);
  }
  await pool.query("UPDATE webhooks SET effective_from_block = 0");
  await pool.query("UPDATE address_additions SET effective_from_block = 0");
  const [other = ""] = await watch(2, 1);
  expect(await (await stored(await firstLane(false), few())).record(step)).toBe(each);
  await assertExact([other]);
  const { rows } = await pool.query<{ apart: number }>(
    "SELECT count(*) AS apart FROM webhooks JOIN chain_lanes USING (chain_id, lane) WHERE apart_account = 1",
  );
  expect(rows).toEqual([{ apart: ids.length }]);
  // Of what its own lane must not look through there is nothing left but the other's address.
  const options = { anywhere: false, factories: false, apart: true };
  expect((await findWatchers(pool, plainLane(chainId), addresses, options)).addressCount).toBe(1);
  // The lookup itself is cut.
  const cut = await findWatchers(pool, await firstLane(true), addresses, { ...options, apart: false, limit: pairs });
  expect(cut.crowd).toBeDefined();
  await catchUp(few());
  expect(await count()).toBe(each);

  // A webhook of the account that is elsewhere is found all the same.
  await pool.query("UPDATE webhooks SET lane = 0 WHERE id = $1", [ids[0]]);
  expect((await findWatchers(pool, plainLane(chainId), addresses, options)).addressCount).toBe(addresses.length);
});

test("accounts that together watch an address more often than is read at first are all notified", async () => {
  const few = { ...stepLimits, shared: { ...stepLimits.shared, pairs: { ofAccount: 10, inAll: 50 } } };
  await pool.query("INSERT INTO accounts (name) SELECT 'one of many ' || n FROM generate_series(3, 13) n");
  for (let account = 3; account < 14; account += 1) await watch(account, 5);
  const [other = ""] = await watch(2, 1);
  expect(await (await stored(await firstLane(false), new StepBounds(few))).record(step)).toBe(56 * each);
  await assertExact([other]);
  expect(await lanes(true)).toEqual([]);
});

test("an account with too many pairs in another lane only, or in none, stops nobody", async () => {
  const few = { ...stepLimits, shared: { ...stepLimits.shared, pairs: { ofAccount: 10, inAll: 50 } } };
  await watch(1, 60);
  const { rows } = await pool.query<{ lane: number }>(
    `INSERT INTO chain_lanes (chain_id, traces, behind, cursor_number, cursor_hash)
     SELECT chain_id, true, false, cursor_number, cursor_hash FROM chain_lanes RETURNING lane`,
  );
  await pool.query("UPDATE webhooks SET lane = $1, include_internal_txs = true", [rows[0]?.lane]);
  const [other = ""] = await watch(2, 1);
  expect(await (await stored(await firstLane(false), new StepBounds(few))).record(step)).toBe(each);
  await assertExact([other]);
  expect(await lanes(true)).toEqual([]);
});

test("an account with too many pairs in another lane only is passed over, and the lookup keeps its limit", async () => {
  const pairs = { ofAccount: 1_000, inAll: 3_000 };
  const bounds = new StepBounds({ ...stepLimits, shared: { ...stepLimits.shared, pairs } });
  for (let count = 0; count <= pairs.inAll; count += theBlock.participants.length)
    await inTransaction(pool, (db) => createWebhook(db, 1, watching(theBlock.participants), noKeys));
  await pool.query("UPDATE webhooks SET effective_from_block = 0");
  await pool.query("UPDATE address_additions SET effective_from_block = 0");
  const { rows } = await pool.query<{ lane: number }>(
    `INSERT INTO chain_lanes (chain_id, traces, behind, cursor_number, cursor_hash)
     SELECT chain_id, true, false, cursor_number, cursor_hash FROM chain_lanes RETURNING lane`,
  );
  await pool.query("UPDATE webhooks SET lane = $1, include_internal_txs = true", [rows[0]?.lane]);
  const [other = ""] = await watch(2, 1);
  const query = vi.spyOn(pg.Client.prototype, "query");
  expect(await (await stored(await firstLane(false), bounds)).record(step)).toBe(each);
  const looked = query.mock.calls.flatMap(([config]: unknown[]) =>
    typeof config === "object" && config !== null && "name" in config && String(config.name).startsWith("find-watchers")
      ? [(config as { values?: unknown[] }).values?.[3]]
      : [],
  );
  query.mockRestore();
  expect(looked.length).toBeGreaterThan(1);
  for (const limit of looked) expect(limit).toBe(pairs.inAll + 1);
  await assertExact([other]);
  expect(await lanes(true)).toEqual([]);
});

test("of several blocks in a step an account may take as much as of one; it is set apart at the first that has too much", async () => {
  const few = { ...stepLimits, shared: { ...stepLimits.shared, matches: each * 10 } };
  await watch(1, 8);
  const [other = ""] = await watch(2, 1);
  const empty = (at: number) => readBlock(emptyBlock(at, `0x${String(at).padStart(64, "0")}`, hashBefore(at)), chainId);
  const hashBefore = (at: number): Hex =>
    at === number + 1 ? (theBlock.hash as Hex) : `0x${String(at - 1).padStart(64, "0")}`;
  const blocks = [theBlock, empty(number + 1), empty(number + 2)];
  const lane = await firstLane(false);
  // A third of 10 for each block is too little for 8, but one block after the other is not.
  expect(await (await stored(lane, new StepBounds(few))).record({ ...step, blocks, finalNumber: number + 2 })).toBe(
    9 * each,
  );
  await assertExact([other]);
  expect(await lanes(true)).toEqual([]);
  expect((await firstLane(false)).cursor?.number).toBe(number + 2);
});

test("an account with more webhooks than change lanes at once is set apart as a whole, in one lane", async () => {
  await watch(1, 2_500);
  await watch(2, 1);
  await (await stored(await firstLane(false))).record(step);
  const { rows } = await pool.query<{ webhooks: number }>(
    "SELECT count(*) AS webhooks FROM webhooks JOIN chain_lanes USING (chain_id, lane) WHERE apart_account = 1 GROUP BY lane",
  );
  expect(rows).toEqual([{ webhooks: 2_500 }]);
});

test("a webhook with more notifications than are recorded at once has them in several parts, of which none is lost or repeated", async () => {
  const [one = ""] = await watch(1, 1);
  const lane = await firstLane(false);
  await setApart(pool, { ...lane }, { accountIds: [1], cursor: before });
  for (let upTo = 1; upTo < theBlock.transactions; upTo += 50) {
    const apart = await firstLane(true);
    const { owedAfter: after, owedFrom: from } = await readCursor(pool, apart);
    const owed = after === undefined ? undefined : { after, ...(from !== undefined && { from }) };
    const rest = owed ? { ...step, cursor: { number, hash: theBlock.hash } } : step;
    const slice = { owed, size: 1, upTo };
    const prepared = await prepareSlice(pool, apart, theBlock, slice);
    await recordStep(pool, apart, rest, noFilter(apart), { slice: { ...slice, prepared } });
    expect((await firstLane(true)).isOwing).toBe(true);
  }
  await (await stored(await firstLane(true))).settle?.(theBlock);
  expect((await firstLane(true)).isOwing).toBe(false);
  expect(await count()).toBe(each);
  await assertExact([one]);
});

test.each(["deleted", "no longer the first"])(
  "a webhook that is %s when a part of it is recorded takes nothing from the others",
  async (what) => {
    const ids = (await watch(1, 3)).sort();
    const [first = ""] = ids;
    await setApart(pool, await firstLane(false), { accountIds: [1], cursor: before });
    const apart = await firstLane(true);
    await recordStep(pool, apart, step, noFilter(apart), {
      slice: { owed: undefined, size: 1, upTo: theBlock.transactions - 1 },
    });
    const recorded = (await count()) ?? 0;
    expect(recorded).toBeGreaterThan(0);
    if (what === "deleted") await pool.query("DELETE FROM webhooks WHERE id = $1", [first]);
    else
      await pool.query(
        `INSERT INTO webhooks SELECT (jsonb_populate_record(w, jsonb_build_object('id', '00000000-0000-4000-8000-000000000001',
         'effective_from_block', $2::bigint))).* FROM webhooks w WHERE id = $1`,
        [first, number + 1],
      );
    await (await stored(await firstLane(true))).settle?.(theBlock);
    expect((await firstLane(true)).isOwing).toBe(false);
    expect(await count()).toBe(what === "deleted" ? recorded + 2 * each : 3 * each);
    await assertExact(what === "deleted" ? ids.slice(1) : ids);
  },
);

test("a step reads the events of a webhook only if conditions compare their arguments", async () => {
  const abi = [{ type: "event" as const, name: "E", inputs: [{ name: "a", type: "uint256" }] }];
  const conditions = { field: "args.a", op: "eq" as const, value: "1" };
  const read = async (options: WebhookOptions) => {
    const wanted = { ...watching([busiest]), options };
    const { id } = await inTransaction(pool, (db) => createWebhook(db, 1, wanted, noKeys));
    await pool.query("UPDATE webhooks SET effective_from_block = 0 WHERE id = $1", [id]);
    const found = (await findWatchers(pool, plainLane(chainId), [busiest])).at(number + 1).get(busiest);
    return found?.find((watcher) => watcher.id === id)?.options;
  };
  expect(await read({ abi, includeTransfers: true })).toEqual({ includeTransfers: true });
  expect(await read({ abi, conditions })).toEqual({ abi, conditions });
  expect(await read({ abi, conditions: { not: { any: [conditions] } } })).toHaveProperty("abi");
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
  await inTransaction(pool, (db) => createReplay(db, 1, id, { from: BigInt(number), to: BigInt(number) }));
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
  expect(await replay()).toEqual({ resent: recorded, added: each - recorded });
  expect(await replay()).toBeUndefined();
  await assertExact([id]);
  const { rows } = await pool.query<{ most: number }>(
    "SELECT max(count)::int AS most FROM (SELECT count(*) FROM notifications GROUP BY xmin::text) recorded",
  );
  expect(rows[0]?.most).toBeLessThanOrEqual(7);
});

const watching = (addresses: readonly string[]): NewWebhook => ({
  ...{ chainId, url: "https://example.com", name: "", description: "", eventType: "address_activity", addresses },
  ...{ eventSignatures: [`0x${"ab".repeat(32)}`], includeInternalTxs: false, includeLogs: false },
});

function emptyBlock(at: number, hash: Hex, parentHash: Hex): BlockBundle {
  const block = { ...busy.block, number: `0x${at.toString(16)}` as Hex, hash, parentHash, transactions: [] };
  return { block, receipts: [] };
}
