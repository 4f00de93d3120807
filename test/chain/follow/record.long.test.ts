/** A step is recorded as a whole and only on top of what is recorded, however large its blocks are. */

import pg from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { releaseHeld } from "../../../server/chain/follow/finality.ts";
import type { ChainStep } from "../../../server/chain/follow/lane-record.ts";
import { recordStep, storedRecord } from "../../../server/chain/follow/record.ts";
import { readBlock } from "../../../server/chain/read/block.ts";
import { participantsByTransaction, participantsOf } from "../../../server/matching/participants.ts";
import type { BlockBundle, Hex } from "../../../server/matching/wire.ts";
import { readChainStates } from "../../../server/store/chains/chains.ts";
import { beginAt, ensureChain, noteFinalBlock, plainLane, readCursor } from "../../../server/store/chains/cursor.ts";
import { type Lane, readLanes, tendLane } from "../../../server/store/chains/lanes.ts";
import { createPool, type Pool } from "../../../server/store/pool.ts";
import { createWatchFilter, noFilter, type WatchFilter } from "../../../server/store/webhooks/watch-filter.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { runs } from "../../support/runs.ts";
import { notifiedOf } from "../notified.ts";

const chainId = "1";
/** 80 transactions with 10,041 logs, in which 10,105 addresses take part. */
const busy = recordedBundle("mainnet/15537394");
const before = { number: Number(busy.block.number) - 1, hash: busy.block.parentHash };
const activities = participantsByTransaction(busy);
const participants = participantsOf(busy);
const transactionsOf = (address: string) => activities.filter(({ addresses }) => addresses.has(address)).length;
/** An address that takes part in 34 of the transactions. */
const busiest = participants.reduce((most, one) => (transactionsOf(one) > transactionsOf(most) ? one : most));

let database: TestDatabase;
let pool: Pool;
let filter: WatchFilter;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url);
  await ensureChain(pool, chainId);
  await beginAt(pool, plainLane(chainId), before);
  filter = createWatchFilter({
    pool,
    lane: plainLane(chainId),
    log: pino({ level: "silent" }),
    signal: new AbortController().signal,
  });
  await pool.query("INSERT INTO accounts (name) VALUES ('test')");
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

/** Makes as many webhooks, each of which watches the next of the addresses. @returns their identifiers */
async function watchEach(count: number, addresses: readonly string[], includeInternalTxs = false): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO webhooks SELECT gen_random_uuid(), 1, i % 32, $2, 'https://example.com', 'active', 'created', now(), now(), '', '',
       'address_activity', '{}', $3, i % 2 = 0, 0, 1 FROM generate_series(1, $1::int) i RETURNING id`,
    [count, chainId, includeInternalTxs],
  );
  const ids = rows.map(({ id }) => id);
  await pool.query("INSERT INTO webhook_sequences SELECT unnest($1::uuid[])", [ids]);
  await pool.query(
    `INSERT INTO webhook_addresses SELECT $1, decode(substr(a, 3), 'hex'), w, 0 FROM unnest($2::uuid[], $3::text[]) AS t(w, a)`,
    [chainId, ids, ids.map((_, index) => addresses[index % addresses.length])],
  );
  await pool.query("ANALYZE");
  return ids;
}

const read = (bundle: BlockBundle) => readBlock(bundle, chainId);
const record = async (step: Partial<ChainStep>) => {
  const { notifications } = await recordStep(
    pool,
    { ...plainLane(chainId), traces: false, catchesUp: false },
    { cursor: before, blocks: [read(busy)], finalNumber: 0, ...step },
    filter,
  );
  return notifications;
};

async function rowCounts(): Promise<{ events: number; notifications: number; cursor: unknown }> {
  const { rows } = await pool.query<{ events: number; notifications: number }>(
    "SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM notifications) AS notifications",
  );
  return { events: 0, notifications: 0, ...rows[0], cursor: (await readCursor(pool, plainLane(chainId))).cursor };
}

/** An empty block. */
function emptyBlock(number: number, hash: Hex, parentHash: Hex): BlockBundle {
  const block = { ...busy.block, number: `0x${number.toString(16)}` as Hex, hash, parentHash, transactions: [] };
  return { block, receipts: [] };
}
const hashOf = (digits: string): Hex => `0x${digits.repeat(32)}`;

test("of a lane that catches up, only what moves it below the chain's newest block may be lost when PostgreSQL crashes", async () => {
  await pool.query(`
    CREATE TABLE commits (waits text);
    CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN INSERT INTO commits VALUES (current_setting('synchronous_commit')); RETURN NULL; END$$;
    CREATE CONSTRAINT TRIGGER note_commit AFTER UPDATE OF cursor_number ON chain_lanes
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_commit();
    DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END$$`);
  const { rows } = await pool.query<{ lane: number }>(
    `INSERT INTO chain_lanes (chain_id, catches_up, cursor_number, cursor_hash)
     SELECT chain_id, true, cursor_number, cursor_hash FROM chain_lanes RETURNING lane`,
  );
  const behind = { chainId, lane: rows[0]?.lane ?? 0, traces: false, catchesUp: true };
  await watchEach(1, [busiest]);
  await pool.query("UPDATE webhooks SET lane = $1", [behind.lane]);
  const setNewest = (number: number, hash: string) =>
    pool.query("UPDATE chain_lanes SET cursor_number = $1, cursor_hash = decode(substr($2, 3), 'hex') WHERE lane = 0", [
      ...[number, hash],
    ]);
  await setNewest(before.number + 3, hashOf("ff"));
  await pool.end();
  pool = createPool(database.url);

  let cursor = before;
  const waits = async (bundle: BlockBundle) => {
    await pool.query("TRUNCATE commits");
    await recordStep(pool, behind, { cursor, blocks: [read(bundle)], finalNumber: 0 }, noFilter(behind));
    cursor = { number: Number(bundle.block.number), hash: bundle.block.hash };
    return (await pool.query<{ waits: string }>("SELECT waits FROM commits")).rows.map((row) => row.waits);
  };
  const next = (digits: string) => emptyBlock(cursor.number + 1, hashOf(digits), cursor.hash);
  expect(await waits(busy)).toEqual(["on"]);
  expect(await waits(next("a2"))).toEqual(["off"]);
  expect(await waits(next("a3"))).toEqual(["off"]);
  expect(await waits(next("a4"))).toEqual(["on"]);
  // Where it meets another lane it joins that one.
  await setNewest(cursor.number + 1, hashOf("a5"));
  expect(await waits(next("a5"))).toEqual(["on"]);
  expect((await pool.query("SELECT lane FROM webhooks")).rows).toEqual([{ lane: 0 }]);
});

test("thousands of webhooks on a block of 10,041 logs are recorded, retracted and recorded again, a moment each", async () => {
  const ids = await watchEach(runs(1_000, 10_000), participants);
  const took: number[] = [];
  const timed = async (step: Partial<ChainStep>) => {
    const startedAt = performance.now();
    const count = await record(step);
    took.push(performance.now() - startedAt);
    return count;
  };
  const other = emptyBlock(before.number + 1, hashOf("ab"), before.hash as Hex);
  const count = await timed({});
  expect(count).toBeGreaterThan(runs(1_000, 10_000));
  const retractAbove = before.number;
  const cursor = { number: before.number + 1, hash: busy.block.hash };
  expect(await timed({ cursor, retractAbove, blocks: [read(other)] })).toBe(count);
  expect(await timed({ cursor: { ...cursor, hash: other.block.hash }, retractAbove })).toBe(count);
  for (const id of ids.slice(0, 10)) expect((await notifiedOf(pool, id)).map(({ removed }) => removed)).toContain(true);
});

test("an event is stored once for each transaction and variant, however many webhooks it goes to", async () => {
  await watchEach(200, [busiest]);
  expect(await record({})).toBe(200 * transactionsOf(busiest));
  expect((await rowCounts()).events).toBe(2 * transactionsOf(busiest));
});

test("a webhook that wants internal transactions is not notified of blocks without traces, but waits for those with them", async () => {
  await watchEach(10, participants, true);
  expect(await record({})).toBe(0);
  const { rows } = await pool.query(
    `SELECT traces, catches_up AS "catchesUp", cursor_number AS number, '0x' || encode(cursor_hash, 'hex') AS hash, count(*) FROM chain_lanes l
     JOIN webhooks w USING (chain_id, lane) GROUP BY 1, 2, 3, 4`,
  );
  expect(rows).toEqual([{ traces: true, catchesUp: false, ...before, count: 10 }]);
});

test("a webhook that begins to want internal transactions leaves the lane, although the filter knows its addresses", async () => {
  const number = before.number + 1;
  await watchEach(2, [busiest]);
  await record({ blocks: [read(emptyBlock(number, hashOf("ab"), before.hash as Hex))] });
  await eventually(() => expect(filter.state().inUse).toBe(true));
  const replace = (by: string, blocks = [read(emptyBlock(number, hashOf(by), before.hash as Hex))]) =>
    record({ cursor: { number, hash: hashOf("ab") }, retractAbove: before.number, blocks });
  await replace("ab");
  const [wanting] = (await pool.query("UPDATE webhooks SET include_internal_txs = true WHERE shard = 1 RETURNING id"))
    .rows;
  expect(await replace("ab", [read(busy)])).toBe(transactionsOf(busiest));
  const { rows } = await pool.query("SELECT count(*) FROM notifications WHERE webhook_id = $1", [wanting.id]);
  expect(rows).toEqual([{ count: 0 }]);
});

/** Makes another lane of the kind, which has recorded the busy block. */
const addMetLane = () =>
  pool.query(
    `INSERT INTO chain_lanes (chain_id, lane, catches_up, cursor_number, cursor_hash) VALUES ($1, 7, true, $2, decode(substr($3, 3), 'hex'))`,
    [chainId, before.number + 1, busy.block.hash],
  );

test("a step that reaches another lane joins it in its own transaction", async () => {
  await addMetLane();
  const [there] = await watchEach(1, [busiest]);
  await pool.query("UPDATE webhooks SET lane = 7 WHERE id = $1", [there]);
  await watchEach(1, [busiest]);
  expect(await record({})).toBe(transactionsOf(busiest));
  const { rows } = await pool.query(
    "SELECT lane, count(*) FROM chain_lanes JOIN webhooks USING (chain_id, lane) GROUP BY 1",
  );
  expect(rows).toEqual([{ lane: 0, count: 2 }]);
  expect((await pool.query("SELECT lane FROM chain_lanes")).rows).toEqual([{ lane: 0 }]);
});

test("what another lane calls final is not final in a lane that may still be on another branch", async () => {
  const [plain, number] = [plainLane(chainId), before.number + 1];
  await watchEach(2, [busiest], true);
  await record({ cursor: before, blocks: [read(emptyBlock(number, hashOf("ab"), before.hash as Hex))] });
  const [traces] = await readLanes(pool, chainId, { traces: true, catchesUp: false });
  await watchEach(1, [busiest]);
  await pool.query(`UPDATE webhooks SET options = '{"finality": "finalized"}' WHERE lane = 0`);
  const cursor = { number, hash: hashOf("ab") };
  expect(await record({ cursor, retractAbove: before.number })).toBe(0);
  const isDue = async () => (await readLanes(pool, chainId, { traces: false, catchesUp: false }))[0]?.held?.isDue;
  await noteFinalBlock(pool, { chainId, lane: traces?.lane ?? 0 }, number + 100);
  expect([await isDue(), await releaseHeld(pool, plain)]).toEqual([false, 0]);
  await noteFinalBlock(pool, plain, number);
  expect([await isDue(), await releaseHeld(pool, plain)]).toEqual([true, transactionsOf(busiest)]);
});

test("whoever delivers is woken once notifications are committed, those of a block and those that become final, and for nothing else", async () => {
  const [, later] = await watchEach(2, [busiest]);
  await pool.query(`UPDATE webhooks SET options = '{"finality": "finalized"}' WHERE id = $1`, [later]);
  const woken: Promise<unknown>[] = [];
  const onRecorded = () => void woken.push(rowCounts().then(({ notifications }) => notifications));
  const [lane] = await readLanes(pool, chainId, { traces: false, catchesUp: false });
  const stored = storedRecord(pool, lane as Lane, filter, { onRecorded });
  const empty = emptyBlock(before.number + 2, hashOf("ab"), busy.block.hash);
  await stored.record({ cursor: before, blocks: [read(busy)], finalNumber: 0 });
  expect(woken).toHaveLength(1);
  const cursor = { number: before.number + 1, hash: busy.block.hash };
  await stored.record({ cursor, blocks: [read(empty)], finalNumber: 0 });
  await stored.release?.(before.number);
  expect(woken).toHaveLength(1);
  expect(await stored.release?.(before.number + 1)).toBe(transactionsOf(busiest));
  expect(await Promise.all(woken)).toEqual([transactionsOf(busiest), 2 * transactionsOf(busiest)]);
});

describe.each([
  { what: "a lane that joins another one", traces: false },
  { what: "a webhook that changes lanes", traces: true },
])("$what brings what was final:", ({ traces }) => {
  test.each([
    ["no block was", undefined],
    ["only a lower one was", before.number],
  ])("it is notified of it, and no branch may leave below, where %s", async (_, finalThere) => {
    const plain = plainLane(chainId);
    const number = before.number + 1;
    const [webhook = ""] = await watchEach(1, [busiest]);
    await pool.query(`UPDATE webhooks SET options = '{"finality": "finalized"}'`);
    expect(await record({})).toBe(0);
    if (finalThere !== undefined) await noteFinalBlock(pool, plain, finalThere);
    const catchesUp = !traces;
    const { rows } = await pool.query<{ lane: number }>(
      `INSERT INTO chain_lanes (chain_id, traces, catches_up, cursor_number, cursor_hash)
       SELECT chain_id, $1, $2, cursor_number, cursor_hash FROM chain_lanes RETURNING lane`,
      [traces, catchesUp],
    );
    const other = { chainId, lane: rows[0]?.lane ?? 0, traces, catchesUp };
    await pool.query("UPDATE webhooks SET lane = $1", [other.lane]);
    await noteFinalBlock(pool, other, number);
    await tendLane(pool, other);
    expect(await readLanes(pool, chainId, other)).toEqual([]);
    expect((await readChainStates(pool)).get(chainId)?.final).toBe(number);
    expect(await releaseHeld(pool, plain)).toBe(transactionsOf(busiest));
    expect((await notifiedOf(pool, webhook)).every(({ event }) => event.finalized)).toBe(true);
    const sibling = read(emptyBlock(number, hashOf("ab"), before.hash as Hex));
    const branch = { cursor: { number, hash: busy.block.hash }, retractAbove: before.number, blocks: [sibling] };
    await expect(record(branch)).rejects.toThrow("does not follow on what is recorded");
  });
});

test("what only lies very deep is not notified as final, until a node calls it so", async () => {
  const number = before.number + 1;
  const [webhook = ""] = await watchEach(1, [busiest]);
  await pool.query(`UPDATE webhooks SET options = '{"finality": "finalized"}'`);
  expect(await record({ finalNumber: number })).toBe(0);
  const [one, two] = [hashOf("0a"), hashOf("0b")];
  const next = { blocks: [read(emptyBlock(number + 1, one, busy.block.hash))], finalNumber: number };
  expect(await record({ cursor: { number, hash: busy.block.hash }, ...next })).toBe(0);
  const last = { blocks: [read(emptyBlock(number + 2, two, one))], finalNumber: number, isFinal: true };
  expect(await record({ cursor: { number: number + 1, hash: one }, ...last })).toBe(transactionsOf(busiest));
  expect((await notifiedOf(pool, webhook)).every(({ event }) => event.finalized)).toBe(true);
});

test("more notifications than fit in one statement are numbered without a gap", async () => {
  const [first = "", ...others] = await watchEach(1_000, [busiest]);
  expect(await record({})).toBe(34_000);
  for (const id of [first, others.at(-1) ?? ""]) expect(await notifiedOf(pool, id)).toHaveLength(34);
  const { rows } = await pool.query(
    "SELECT max(position) = count(*) AND max(position) = (SELECT last_position FROM chains WHERE chain_id = $1) AS dense FROM notifications",
    [chainId],
  );
  expect(rows).toEqual([{ dense: true }]);
});

test("of several followers that record the same block concurrently, one succeeds and the others get an error", async () => {
  await watchEach(100, [participants.find((address) => transactionsOf(address) === 1) ?? ""]);
  const outcomes = await Promise.allSettled([record({}), record({}), record({})]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "cursor_moved" });
  expect((await rowCounts()).notifications).toBe(100);
});

describe("nothing is recorded", () => {
  afterEach(async () => {
    expect(await rowCounts()).toEqual({ events: 0, notifications: 0, cursor: before });
  });

  test("by a follower with an outdated cursor", async () => {
    await watchEach(10, participants);
    await expect(record({ cursor: { ...before, hash: hashOf("cd") } })).rejects.toMatchObject({ code: "cursor_moved" });
  });

  test.each<[string, BlockBundle[]]>([
    ["that is no child of the cursor", [emptyBlock(before.number + 1, hashOf("01"), hashOf("02"))]],
    ["of another height", [emptyBlock(before.number + 2, hashOf("01"), before.hash as Hex)]],
    ["behind a gap", [busy, emptyBlock(before.number + 2, hashOf("01"), hashOf("02"))]],
  ])("of a block %s", async (_, bundles) => {
    await watchEach(10, participants);
    await expect(record({ blocks: bundles.map(read) })).rejects.toThrow("does not follow on what is recorded");
  });

  test("when the database fails half way", async () => {
    await watchEach(10, participants);
    await pool.query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no space left'; END $$;
       CREATE TRIGGER fail BEFORE UPDATE OF cursor_hash ON chain_lanes FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
    await expect(record({})).rejects.toThrow("no space left");
  });

  test.each(["advance-cursor", "append-notifications"])("when %s fails before it is sent", async (name) => {
    await watchEach(10, participants);
    const bind = pg.Connection.prototype.bind;
    const failing = vi.spyOn(pg.Connection.prototype, "bind").mockImplementation(function (
      this: pg.Connection,
      ...with_
    ) {
      if ((with_[0] as { statement?: string } | null)?.statement === name) throw new RangeError("no memory");
      return bind.apply(this, with_);
    });
    await expect(record({})).rejects.toThrow("no memory");
    failing.mockRestore();
  });

  test("when lanes that have met cannot be joined", async () => {
    await addMetLane();
    await watchEach(10, participants);
    await pool.query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no space left'; END $$;
       CREATE TRIGGER fail BEFORE DELETE ON chain_lanes FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
    await expect(record({})).rejects.toThrow("no space left");
  });

  test("when a retraction would leave nothing to build on", async () => {
    await expect(record({ retractAbove: before.number - 5 })).rejects.toThrow("does not follow on what is recorded");
  });
});
