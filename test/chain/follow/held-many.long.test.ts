/** Many held notifications: they cost a chain without any nothing, and are released in bounded parts, in order. */
import { createHash } from "node:crypto";
import pg from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { releaseHeld } from "../../../server/chain/follow/finality.ts";
import { recordStep } from "../../../server/chain/follow/record.ts";
import { readBlock } from "../../../server/chain/read/block.ts";
import { beginAt, ensureChain, plainLane } from "../../../server/store/chains/cursor.ts";
import { dropHeldAbove, takeDue } from "../../../server/store/outbox/held.ts";
import { maintain } from "../../../server/store/outbox/retention.ts";
import { createPool, inTransaction, type Pool } from "../../../server/store/pool.ts";
import { createWatchFilter, type WatchFilter } from "../../../server/store/webhooks/watch-filter.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { MadeChain } from "../made-chain.ts";
import { notifiedOf } from "../notified.ts";
import { type Block, bundleOf, watched } from "../one-transaction.ts";

const lane = { ...plainLane("7"), traces: false, catchesUp: false };
let database: TestDatabase;
let pool: Pool;
let filter: WatchFilter;
let chain: MadeChain;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url);
  await ensureChain(pool, lane.chainId);
  await pool.query("INSERT INTO accounts (name) VALUES ('test')");
  chain = new MadeChain(lane.chainId);
  chain.mine(30);
  await beginAt(pool, lane, at(1));
  filter = createWatchFilter({ pool, lane, log: pino({ level: "silent" }), signal: new AbortController().signal });
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const at = (number: number): Block => chain.blocks[number] as Block;

/** Records the next block. */
const record = async (number: number, finalNumber = 0) => {
  const { notifications } = await recordStep(
    pool,
    lane,
    { cursor: at(number - 1), blocks: [readBlock(bundleOf(at(number), false), "7")], finalNumber, isFinal: true },
    filter,
  );
  return notifications;
};

async function watchBy(count: number, finality?: string, account = 1): Promise<string[]> {
  const options = finality === undefined ? null : JSON.stringify({ finality: JSON.parse(finality) });
  const { rows } = await pool.query<{ id: string }>(
    `WITH made AS (
       INSERT INTO webhooks (id, account_id, shard, chain_id, url, status, status_reason, status_since, created_at, name, description,
         event_type, event_signatures, include_internal_txs, include_logs, effective_from_block, address_count, options)
       SELECT gen_random_uuid(), $4, i % 32, '7', 'https://example.com', 'active', 'created', now(), now(), '', '', 'address_activity',
         '{}', false, false, 0, 1, $3 FROM generate_series(1, $1::int) i RETURNING id),
     sequences AS (INSERT INTO webhook_sequences SELECT id FROM made),
     addresses AS (INSERT INTO webhook_addresses SELECT '7', decode(substr($2, 3), 'hex'), id, 0 FROM made)
     SELECT id FROM made`,
    [count, watched, options, account],
  );
  return rows.map(({ id }) => id);
}

/** The statements of the pool's clients. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  await work();
  const texts = query.mock.calls.map(([config]: unknown[]) =>
    typeof config === "object" && config !== null && "text" in config ? String(config.text) : String(config),
  );
  query.mockRestore();
  return texts;
}

test("a block of a chain without held notifications takes no statement more for them", async () => {
  await watchBy(3);
  await record(2);
  const plain = await statementsOf(() => record(3));
  // What reads the cursor says whether there are any.
  expect(plain.filter((text) => text.includes("held_"))).toEqual([expect.stringContaining("l.cursor_number")]);
  await watchBy(1, '"finalized"');
  const holding = await statementsOf(() => record(4));
  expect(holding.length - plain.length).toBeLessThanOrEqual(3);
});

test("100,000 that become final at once are released in parts, each webhook's in the order of the chain", async () => {
  const [first = "", ...others] = await watchBy(10_000, '"finalized"');
  for (let number = 2; number <= 11; number += 1) expect(await record(number)).toBe(0);
  const countHeld = async () => (await pool.query("SELECT FROM held_notifications")).rowCount;
  expect(await countHeld()).toBe(100_000);
  const took: number[] = [];
  const counts: number[] = [];
  const timed = async (work: () => Promise<number>) => {
    const startedAt = performance.now();
    counts.push(await work());
    took.push(performance.now() - startedAt);
  };
  await timed(() => record(12, 12));
  while (counts.at(-1) !== 0) await timed(() => releaseHeld(pool, lane, 12));
  // Other work may take most of the processor.
  expect(Math.max(...took)).toBeLessThan(10_000);
  expect(Math.max(...counts)).toBe(200);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(110_000);
  for (const id of [first, others.at(-1) ?? ""])
    expect((await notifiedOf(pool, id)).map(({ blockNumber }) => blockNumber)).toEqual(
      Array.from({ length: 11 }, (_, index) => index + 2),
    );
  expect((await pool.query("SELECT FROM held_events")).rowCount).toBe(0);
});

test("accounts take turns at what is due: one with very many leaves the others theirs, in the step itself", async () => {
  await pool.query("INSERT INTO accounts (name) SELECT 'other ' || n FROM generate_series(2, 9) n");
  const many = await watchBy(3_000, '"finalized"');
  const few: string[] = [];
  for (let account = 2; account <= 9; account += 1)
    few.push(...(await watchBy(1, account % 2 === 0 ? '"finalized"' : '{"confirmations":1}', account)));
  for (let number = 2; number <= 4; number += 1) await record(number);
  expect(await record(5, 4)).toBeLessThan(300);
  const numbersOf = async (id: string) => (await notifiedOf(pool, id)).map(({ blockNumber }) => blockNumber);
  for (const id of few) expect(await numbersOf(id)).toEqual([2, 3, 4]);
  // They go on to be notified in the steps that follow, while the other's wait.
  await record(6, 5);
  for (const id of few) expect(await numbersOf(id)).toEqual([2, 3, 4, 5]);
  while ((await releaseHeld(pool, lane, 5)) > 0);
  for (const id of [many[0] ?? "", many.at(-1) ?? "", ...few]) expect(await numbersOf(id)).toEqual([2, 3, 4, 5]);
});

test("what an account has waiting for webhooks in another lane is neither released nor in the way, for others or for itself", async () => {
  await pool.query("INSERT INTO accounts (name) VALUES ('other')");
  // More than are looked at first.
  const elsewhere = await watchBy(1_500, '"finalized"');
  for (let number = 2; number <= 3; number += 1) await record(number);
  const { rows } = await pool.query<{ lane: number }>(
    `INSERT INTO chain_lanes (chain_id, traces, catches_up, cursor_number, cursor_hash)
     SELECT chain_id, true, false, cursor_number, cursor_hash FROM chain_lanes RETURNING lane`,
  );
  await pool.query("UPDATE webhooks SET lane = $1, include_internal_txs = true", [rows[0]?.lane]);
  const own = await watchBy(1, '"finalized"');
  const other = await watchBy(1, '"finalized"', 2);
  await record(4);
  // Of both, something is due in the block itself, behind what waits.
  await record(5, 5);
  while ((await releaseHeld(pool, lane, 5)) > 0);
  for (const id of [...own, ...other])
    expect((await notifiedOf(pool, id)).map(({ blockNumber }) => blockNumber)).toEqual([4, 5]);
  expect((await pool.query("SELECT FROM held_notifications")).rowCount).toBe(2 * elsewhere.length);
  const counts = await pool.query("SELECT account_id, final_at FROM held_accounts");
  expect(counts.rows).toEqual([{ account_id: 1, final_at: 2 }]);
  // A reorganisation drops what waits of its blocks in its own lane only.
  await inTransaction(pool, (db) => dropHeldAbove(db, lane, 1));
  expect((await pool.query("SELECT FROM held_notifications")).rowCount).toBe(2 * elsewhere.length);
});

test("behind what an account's other lanes wait for, its webhooks are looked up a few at a time, and each is notified", async () => {
  // More than are looked at first.
  await watchBy(1_500, '"finalized"');
  for (let number = 2; number <= 3; number += 1) await record(number);
  const { rows } = await pool.query<{ lane: number }>(
    `INSERT INTO chain_lanes (chain_id, traces, catches_up, cursor_number, cursor_hash)
     SELECT chain_id, true, false, cursor_number, cursor_hash FROM chain_lanes RETURNING lane`,
  );
  await pool.query("UPDATE webhooks SET lane = $1, include_internal_txs = true", [rows[0]?.lane]);
  const webhooks = 4_000;
  await watchBy(webhooks, '"finalized"');
  await record(4, 3);
  await pool.query("ANALYZE");
  for (let turn = 0; turn < 5; turn += 1) {
    const read = await inTransaction(pool, async (db) => {
      // It counts what the connection did before, too, until that is reported.
      const counted = async () => {
        const { rows } = await db.query<{ read: number }>(
          `SELECT sum(COALESCE(seq_tup_read, 0) + COALESCE(idx_tup_fetch, 0)) AS read FROM pg_stat_xact_user_tables
           WHERE relname = 'held_notifications'`,
        );
        return Number(rows[0]?.read);
      };
      const before = await counted();
      expect(await takeDue(db, lane, { cursor: 4, final: 3 })).toEqual({ due: [], more: true });
      return (await counted()) - before;
    });
    expect(read).toBeLessThan(2_000);
  }
  const notified = async () => (await pool.query("SELECT DISTINCT webhook_id FROM notifications")).rowCount;
  for (let turn = 0; turn < 100 && (await notified()) !== webhooks; turn += 1) await releaseHeld(pool, lane, 4);
  expect(await notified()).toBe(webhooks);
  expect((await pool.query("SELECT FROM notifications")).rowCount).toBe(webhooks);
  expect((await pool.query("SELECT FROM held_notifications")).rowCount).toBe(3_000);
});

test("behind more accounts than are looked through in a step, what is due of newer blocks waits for what is due of older ones", async () => {
  await pool.query("INSERT INTO accounts (name) SELECT 'other ' || n FROM generate_series(2, 22) n");
  const last = 22;
  // More than are looked at first, in another lane.
  await watchBy(600, '"finalized"', last);
  await record(2);
  const { rows } = await pool.query<{ lane: number }>(
    `INSERT INTO chain_lanes (chain_id, traces, catches_up, cursor_number, cursor_hash)
     SELECT chain_id, true, false, cursor_number, cursor_hash FROM chain_lanes RETURNING lane`,
  );
  await pool.query("UPDATE webhooks SET lane = $1, include_internal_txs = true", [rows[0]?.lane]);
  // Of twenty, what was held left with a branch.
  for (let account = 2; account < last; account += 1) await watchBy(1, '"finalized"', account);
  await pool.query("DELETE FROM webhook_addresses USING webhooks WHERE id = webhook_id AND account_id < $1", [last]);
  await pool.query(
    "INSERT INTO held_accounts (chain_id, account_id, final_at) SELECT '7', n, 1 FROM generate_series(2, $1::int - 1) n",
    [last],
  );
  const [own = ""] = await watchBy(1, '"finalized"', last);
  await record(3);
  await record(4, 4);
  while ((await releaseHeld(pool, lane, 4)) > 0);
  expect((await notifiedOf(pool, own)).map(({ blockNumber }) => blockNumber)).toEqual([3, 4]);
});

test("what is held outlives the days of the outbox, and what is held for deleted webhooks does not", async () => {
  const [kept = "", gone = ""] = await watchBy(2, '"both"');
  await record(2);
  await maintain(pool, 1);
  await pool.query("DELETE FROM webhooks WHERE id = $1", [gone]);
  await pool.query("DELETE FROM held_notifications WHERE webhook_id = $1", [gone]);
  await pool.query(
    "INSERT INTO held_events (chain_id, block_number, block_hash, transaction_hash, transaction_index, body) VALUES ('7', 1, '', '', 0, '')",
  );
  // Every day of what was recorded is dropped.
  await pool.query("TRUNCATE events, notifications");
  await maintain(pool, 1);
  expect((await pool.query("SELECT FROM held_events")).rowCount).toBe(1);
  await record(3, 2);
  const { rows } = await pool.query(
    "SELECT sequence, occurrence FROM notifications WHERE webhook_id = $1 ORDER BY sequence",
    [kept],
  );
  expect(rows).toEqual([
    { sequence: 2, occurrence: 0 },
    { sequence: 3, occurrence: 1 },
  ]);
});

// One of which more would fit into the transaction, but not into the account's share, and one that fits into neither.
test.each([1_500_000, 20_000_000])("a text of %i bytes is released alone, and the others after it", async (size) => {
  const [id = ""] = await watchBy(1, '"finalized"');
  for (let number = 2; number <= 5; number += 1) await record(number);
  const filler = createHash("sha256").update("long").digest("hex").repeat(400_000);
  await pool.query("UPDATE held_events SET body = replace(body, '}}', '\"x\":\"' || $1 || '\"}}')", [
    filler.slice(0, size),
  ]);
  await record(6, 5);
  const released = async () => (await pool.query("SELECT FROM notifications WHERE webhook_id = $1", [id])).rowCount;
  expect(await released()).toBe(1);
  while ((await releaseHeld(pool, lane, 5)) > 0);
  expect(await released()).toBe(4);
});
