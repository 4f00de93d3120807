import { pino } from "pino";
import { afterEach, beforeEach, expect } from "vitest";
import { recordedBundle } from "../../scripts/local/recorded.ts";
import type { ChainStep } from "../../server/chain/follow/lane-record.ts";
import { StepBounds, type StoredRecord, storedRecord } from "../../server/chain/follow/record.ts";
import { readBlock } from "../../server/chain/read/block.ts";
import type { NewWebhook } from "../../server/matching/new-webhook.ts";
import { participantsByTransaction, participantsOf } from "../../server/matching/participants.ts";
import type { BlockBundle, Hex } from "../../server/matching/wire.ts";
import { beginAt, ensureChain, plainLane } from "../../server/store/chains/cursor.ts";
import { type Lane, readLanes } from "../../server/store/chains/lanes.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { createWatchFilter, noFilter } from "../../server/store/webhooks/watch-filter.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { notifiedOf, standing } from "./notified.ts";

export const chainId = "1";
export const busy = recordedBundle("mainnet/15537394");
export const number = Number(busy.block.number);
export const before = { number: number - 1, hash: busy.block.parentHash };
export const activities = participantsByTransaction(busy);
export const transactionsOf = (address: string) => activities.filter(({ addresses }) => addresses.has(address)).length;
/** It takes part in 34 transactions. */
export const busiest = participantsOf(busy).reduce((most, one) =>
  transactionsOf(one) > transactionsOf(most) ? one : most,
);
export const each = transactionsOf(busiest);
export const theBlock = readBlock(busy, chainId);
export const step: ChainStep = { cursor: before, blocks: [theBlock], finalNumber: 0 };

let database: TestDatabase;
export let pool: Pool;

/** To be called in each test file: files share this module. */
export function openForEachTest(): void {
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
}

export async function watch(accountId: number, count: number, options?: object): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO webhooks (id, account_id, shard, chain_id, url, status, status_reason, status_since, created_at, name, description,
       event_type, event_signatures, include_internal_txs, include_logs, effective_from_block, address_count, options, matched_bytes)
     SELECT gen_random_uuid(), $3, i % 32, $2, 'https://example.com', 'active', 'created', now(), now(), '', '',
       'address_activity', '{}', false, false, 0, 1, $4::json, COALESCE(octet_length($4::json::text), 0) FROM generate_series(1, $1::int) i RETURNING id`,
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

export const lanes = async (catchesUp: boolean) => readLanes(pool, chainId, { traces: false, catchesUp });

export async function firstLane(catchesUp: boolean): Promise<Lane> {
  const [lane] = await lanes(catchesUp);
  if (!lane) throw new Error("there is no such lane");
  return lane;
}

export const stored = async (lane: Lane, bounds?: StepBounds) => {
  const { signal } = new AbortController();
  const log = pino({ level: "silent" });
  const filter = lane.catchesUp ? noFilter(lane) : createWatchFilter({ pool, lane, log, signal });
  return storedRecord(pool, lane, filter, bounds ? { bounds } : {});
};

export const count = async () => (await pool.query("SELECT FROM notifications")).rowCount;

/** Takes the step of the lane that is set apart, in as many turns as it needs. @returns how many turns */
export async function catchUp(bounds: StepBounds): Promise<number> {
  await (await stored(await firstLane(true), bounds)).record(step);
  let turns = 1;
  for (let lane = await firstLane(true); lane.isOwing; lane = await firstLane(true), turns += 1)
    await (await stored(lane, bounds)).settle?.(theBlock);
  return turns;
}

export const parent = { number: number - 1, hash: busy.block.parentHash };

/** Takes the block off the record of the lane that is set apart, in as many turns as it needs. */
export async function leaveWhole(begins = true): Promise<void> {
  if (begins) await (await stored(await firstLane(true))).leave?.(parent);
  for (let lane = await firstLane(true); lane.isLeaving; lane = await firstLane(true))
    await (await stored(lane)).leave?.();
}

/** The block that replaces it, with nothing in it. */
export async function recordOther(fill: string): Promise<void> {
  const block = emptyBlock(number, `0x${fill.repeat(32)}`, busy.block.parentHash);
  const [cursor, blocks] = [parent, [readBlock(block, chainId)]];
  await (await stored(await firstLane(true))).record({ cursor, blocks, finalNumber: 0 });
}

/** What each webhook was notified of, such as `+1 +5 -1 -5`: the places of the transactions in the block. */
export async function orders(ids: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const id of ids) {
    const notified = await notifiedOf(pool, id);
    expect(() => standing(notified)).not.toThrow();
    const places = notified.map(({ event, removed }) => `${removed ? "-" : "+"}${event.transaction.transactionIndex}`);
    found.add(places.join(" "));
  }
  return [...found];
}

export const counts = async () =>
  (
    await pool.query<{ removed: boolean; count: number }>(
      "SELECT removed, count(*)::int AS count FROM notifications n JOIN events e ON e.id = n.event_id GROUP BY 1 ORDER BY 1",
    )
  ).rows;

/** As far as it comes. */
export async function recordWhole(record: StoredRecord): Promise<never> {
  await record.record(step);
  for (;;) await record.settle?.(theBlock);
}

export async function assertExact(ids: readonly string[]): Promise<void> {
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

/** An account with so many webhooks has caught up, in a lane of its own. */
export async function caughtUp(webhooks: number, options?: object): Promise<string[]> {
  const ids = await watch(1, webhooks, options);
  await (await stored(await firstLane(false))).record(step);
  await catchUp(new StepBounds());
  return ids;
}

export const watching = (addresses: readonly string[]): NewWebhook => ({
  ...{ chainId, url: "https://example.com", name: "", description: "", eventType: "address_activity", addresses },
  ...{ eventSignatures: [`0x${"ab".repeat(32)}`], includeInternalTxs: false, includeLogs: false },
});

export function emptyBlock(at: number, hash: Hex, parentHash: Hex): BlockBundle {
  const block = { ...busy.block, number: `0x${at.toString(16)}` as Hex, hash, parentHash, transactions: [] };
  return { block, receipts: [] };
}
