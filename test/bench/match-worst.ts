/**
 * `npm run bench:match -- --only worst`: what one account can do to others by its webhooks, within the default quotas, in a block of 60 M gas. For
 * each kind of webhook: how long a transaction holds the chain's lock, and how long others wait for their blocks meanwhile.
 */
import pg from "pg";
import { startTemporaryPostgres } from "../../scripts/local/postgres.ts";
import { StepBounds, type StoredRecord, storedRecord } from "../../server/chain/follow/record.ts";
import { readBlock } from "../../server/chain/read/block.ts";
import { readLimits } from "../../server/limits.ts";
import { compileAbi } from "../../server/matching/abi.ts";
import type { BlockBundle, Hex } from "../../server/matching/wire.ts";
import { beginAt, ensureChain, plainLane } from "../../server/store/chains/cursor.ts";
import { type Lane, readLanes } from "../../server/store/chains/lanes.ts";
import { migrate } from "../../server/store/migrate.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { noFilter } from "../../server/store/webhooks/watch-filter.ts";
import { addressOf, hashOf, type MadeTransaction, madeBundle, padded } from "../matching/made-bundle.ts";
import { quantile } from "./figures.ts";

const chainId = "1";
const [token, quiet] = [addressOf(1), addressOf(2)];
const { webhooks: quota = 0, comparisons = 0 } = readLimits({}).quotas;
/** 32 KiB of JSON, as many fragments as that holds; all of one signature. */
const abi = Array.from({ length: 100 }, (_, index) => ({
  ...{ type: "event" as const, name: "Large" },
  inputs: [
    { name: `${"n".repeat(150)}${index}`, type: "uint256[]" },
    { name: "last", type: "bool" },
  ],
}));
const large = compileAbi(abi).signatures[0] as Hex;
const word = (value: number) => value.toString(16).padStart(64, "0");
const largeData = (numbers: number): Hex => `0x${word(64)}${word(2)}${word(numbers)}${word(7).repeat(numbers)}`;

type Case = { webhooks: number; options?: object; includeLogs?: boolean; block: () => MadeTransaction[] };

/** 60 M gas of transfers of the coin, each 21,000. */
const coins = () => Array.from({ length: 2_857 }, () => ({ to: token }));
/** 60 M gas of logs, each about 900 with its topics, in transactions of 1,000. */
const logs = (topic: Hex, data: Hex) => () =>
  Array.from({ length: 60 }, (_, index) => ({
    to: token,
    logs: Array.from({ length: 1_000 }, (_, log) => ({
      ...{ address: token, data },
      topics: [topic, padded(addressOf(1_000 + index * 1_000 + log))],
    })),
  }));
const twoLarge = () => [
  { to: token, logs: [1, 2].map(() => ({ address: token, topics: [large], data: largeData(30_000) })) },
];

const cases: Record<string, Case> = {
  "any activity": { webhooks: quota, block: coins },
  "any activity, transfers and logs": {
    webhooks: quota,
    options: { includeTransfers: true },
    includeLogs: true,
    block: coins,
  },
  finality: { webhooks: quota, options: { finality: "both" }, block: coins },
  "batches, ordered": {
    webhooks: quota,
    options: { batch: { maxItems: 100, maxWaitMs: 1_000 }, ordered: true },
    block: coins,
  },
  "ABI of 100 equal signatures, two logs of 960 KB": {
    webhooks: 1_000,
    options: { abi },
    includeLogs: true,
    block: twoLarge,
  },
  "conditions on transfers, 60,000 logs": {
    webhooks: comparisons,
    options: { conditions: { field: "transfer.value", op: "gt", value: "1" } },
    block: logs(hashOf(7), "0x"),
  },
  "conditions on arguments of an ABI, 900 logs of 32 KB": {
    webhooks: comparisons,
    options: { abi, conditions: { field: "args.last", op: "eq", value: "true" } },
    block: () => logs(large, largeData(1_000))().map((one) => ({ ...one, logs: one.logs.slice(0, 15) })),
  },
  "a factory that names 30,000 contracts": {
    webhooks: quota,
    options: { createdBy: { address: token, eventSignature: hashOf(7), argument: "topic1" } },
    block: () => logs(hashOf(7), "0x")().slice(0, 30),
  },
};

/** How long transactions have held the lock, in ms. */
const held: number[] = [];

/** Notes when connections get the chain's lock, and when their transaction ends. */
function watchLock(): void {
  const since = new WeakMap<pg.Client, number>();
  const query = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
  pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]) {
    const [what] = args as [string | { name?: string; text?: string }];
    const result = query.apply(this, args);
    const text = typeof what === "string" ? what : (what.name ?? what.text);
    const ends = text === "COMMIT" || text === "ROLLBACK";
    if ((text === "lock-chain" || ends) && result instanceof Promise)
      result.then(
        () => {
          const from = since.get(this);
          if (text === "lock-chain") since.set(this, performance.now());
          else if (from !== undefined) held.push(performance.now() - from);
          if (ends) since.delete(this);
        },
        () => undefined,
      );
    return result;
  } as typeof pg.Client.prototype.query;
}

const numbered = (made: MadeTransaction[], number: number): BlockBundle => {
  const { block, ...rest } = madeBundle(...made);
  const [hash, parentHash] = [hashOf(number, "e"), hashOf(number - 1, "e")];
  return { ...rest, block: { ...block, number: `0x${number.toString(16)}`, hash, parentHash } };
};

async function fill(pool: Pool, { webhooks, options, includeLogs = false }: Case): Promise<void> {
  await ensureChain(pool, chainId);
  await beginAt(pool, plainLane(chainId), { number: 0, hash: hashOf(0, "e") });
  await pool.query("INSERT INTO accounts (name) VALUES ('worst'), ('other')");
  const insert = (account: number, count: number, address: string, json: string | null) =>
    pool.query(
      `WITH made AS (
         INSERT INTO webhooks (id, account_id, shard, chain_id, url, status, status_reason, status_since, created_at, name, description,
           event_type, event_signatures, include_internal_txs, include_logs, effective_from_block, address_count, options, comparisons)
         SELECT gen_random_uuid(), $1, n % 32, '1', 'https://example.com', 'active', 'created', now(), now(), '', '', 'address_activity', '{}',
           false, $5, 0, 1, $4, 1 FROM generate_series(1, $2::int) n RETURNING id),
       numbered AS (INSERT INTO webhook_sequences (webhook_id) SELECT id FROM made)
       INSERT INTO webhook_addresses SELECT '1', decode(substr($3, 3), 'hex'), id, 0 FROM made`,
      [account, count, address, json, includeLogs],
    );
  await insert(1, webhooks, token, options ? JSON.stringify(options) : null);
  await insert(2, 10, quiet, null);
  await pool.query("ANALYZE");
}

const lanesOf = (pool: Pool, behind: boolean) => readLanes(pool, chainId, { traces: false, behind });

async function stored(pool: Pool, lane: Lane, bounds: StepBounds): Promise<StoredRecord> {
  return storedRecord(pool, lane, noFilter(lane), { bounds });
}

/** @returns what others waited for each of some blocks, in ms */
async function othersBlocks(pool: Pool, from: number, count: number): Promise<number[]> {
  const bounds = new StepBounds();
  const waits: number[] = [];
  for (let number = from; number < from + count; number += 1) {
    const [lane] = await lanesOf(pool, false);
    if (!lane) throw new Error("there is no lane");
    const block = readBlock(numbered([{ to: quiet }], number), chainId);
    const startedAt = performance.now();
    const cursor = { number: number - 1, hash: hashOf(number - 1, "e") };
    await (await stored(pool, lane, bounds)).record({ cursor, blocks: [block], finalNumber: 0 });
    waits.push(performance.now() - startedAt);
  }
  return waits;
}

async function measure(of: Case): Promise<Record<string, number>> {
  const postgres = await startTemporaryPostgres({ durable: true });
  const pool = createPool(postgres.url);
  try {
    await migrate(pool);
    await fill(pool, of);
    const without = await othersBlocks(pool, 1, blocks);
    const worst = readBlock(numbered(of.block(), blocks + 1), chainId);
    held.length = 0;
    const [lane] = await lanesOf(pool, false);
    if (!lane) throw new Error("there is no lane");
    const step = { cursor: { number: blocks, hash: hashOf(blocks, "e") }, blocks: [worst], finalNumber: 0 };
    const startedAt = performance.now();
    await (await stored(pool, lane, new StepBounds())).record(step);
    const inItsBlock = performance.now() - startedAt;
    let isOver = false;
    const bounds = new StepBounds();
    const apart = async () => {
      let [own] = await lanesOf(pool, true);
      if (own) await (await stored(pool, own, bounds)).record(step);
      for ([own] = await lanesOf(pool, true); own?.isOwing && !isOver; [own] = await lanesOf(pool, true))
        await (await stored(pool, own, bounds)).settle?.(worst);
    };
    const catchingUp = apart();
    const beside = await othersBlocks(pool, blocks + 2, blocks);
    isOver = true;
    await catchingUp;
    const { rows } = await pool.query<{ count: number }>("SELECT count(*) AS count FROM notifications");
    return {
      "ms under the lock, longest": Math.round(Math.max(...held)),
      "ms of the others in its block": Math.round(inItsBlock),
      "ms of a block without, p50": quantile(without, 0.5),
      p99: quantile(without, 0.99),
      "ms of a block beside it, p50": quantile(beside, 0.5),
      "p99 beside it": quantile(beside, 0.99),
      notifications: rows[0]?.count ?? 0,
    };
  } finally {
    await pool.end();
    await postgres.stop();
  }
}

const blocks = 100;

/** @param only names to measure, by default all */
export async function measureWorst(only?: string): Promise<Record<string, string | number>[]> {
  watchLock();
  const rows = [];
  for (const [name, of] of Object.entries(cases))
    if (!only || name.includes(only)) rows.push({ "one account's webhooks": name, ...(await measure(of)) });
  return rows;
}
