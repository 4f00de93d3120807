/**
 * `npm run bench match -- --only worst`: what one account can do to others by its webhooks, within the default quotas, in a block of 60 M gas. For
 * each kind of webhook: how long a transaction holds the chain's lock, and how long others wait for their blocks meanwhile, in comparison with the
 * same blocks before. The account's webhooks catch up in a process of their own, as the lease of their lane allows, for as long as is measured.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { pino } from "pino";
import { startTemporaryPostgres } from "../../scripts/local/postgres.ts";
import { StepBounds, type StoredRecord, storedRecord } from "../../server/chain/follow/record.ts";
import { readBlock } from "../../server/chain/read/block.ts";
import { compileAbi } from "../../server/matching/abi.ts";
import type { BlockBundle, Hex } from "../../server/matching/wire.ts";
import { readLimits } from "../../server/settings/limits.ts";
import { beginAt, ensureChain, plainLane } from "../../server/store/chains/cursor.ts";
import { type Lane, readLanes } from "../../server/store/chains/lanes.ts";
import { migrate } from "../../server/store/migrate.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { createWatchFilter, noFilter, type WatchFilter } from "../../server/store/webhooks/watch-filter.ts";
import { ownId } from "../../server/store/webhooks/watchers.ts";
import { addressOf, hashOf, type MadeTransaction, madeBundle, padded } from "../matching/made-bundle.ts";
import { quantile } from "./figures.ts";

const chainId = "1";
const [token, quiet] = [addressOf(1), addressOf(2)];
const { webhooks: quota = 0, comparisons = 0, abiBytes = 0 } = readLimits({}).quotas;
/** 32 KiB of JSON, as many fragments as that holds; all of one signature. */
const abi = Array.from({ length: 100 }, (_, index) => ({
  ...{ type: "event" as const, name: "Large" },
  inputs: [
    { name: `${"n".repeat(150)}${index}`, type: "uint256[]" },
    { name: "last", type: "bool" },
  ],
}));
/** How many webhooks may have it. */
const decoding = Math.floor(abiBytes / Buffer.byteLength(JSON.stringify(abi)));
const large = compileAbi(abi).signatures[0] as Hex;
const word = (value: number) => value.toString(16).padStart(64, "0");
const largeData = (numbers: number): Hex => `0x${word(64)}${word(2)}${word(numbers)}${word(7).repeat(numbers)}`;

type Case = {
  webhooks: number;
  /** How many addresses each watches; by default the one that the block is about. */
  addresses?: number;
  options?: object;
  signature?: Hex;
  includeLogs?: boolean;
  block: () => MadeTransaction[];
};

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

const watched = 1_000;

const cases: Record<string, Case> = {
  // A tenth of the quota: to write ten million rows takes longer than all the rest.
  "1,000 addresses in each of 1,000 webhooks, all in the block": {
    webhooks: quota / 10,
    addresses: watched,
    // Nothing of the block has it, so that nothing but the lookup costs.
    signature: hashOf(8),
    block: () => Array.from({ length: watched }, (_, index) => ({ to: addressOf(1_000 + index) })),
  },
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
    webhooks: decoding,
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
    webhooks: Math.min(comparisons, decoding),
    options: { abi, conditions: { field: "args.last", op: "eq", value: "true" } },
    block: () => logs(large, largeData(1_000))().map((one) => ({ ...one, logs: one.logs.slice(0, 15) })),
  },
  "batches, finality, transfers, logs and an ABI": {
    webhooks: decoding,
    options: { abi, finality: "both", includeTransfers: true, batch: { maxItems: 100, maxWaitMs: 1_000 } },
    includeLogs: true,
    block: () => logs(large, largeData(10))().map((one) => ({ ...one, logs: one.logs.slice(0, 100) })),
  },
  "any address, as far as an operator allows 100, with conditions": {
    webhooks: 100,
    options: { anyAddress: true, conditions: { field: "transfer.value", op: "gt", value: "1" } },
    block: logs(hashOf(7), "0x"),
  },
  "a factory that names 30,000 contracts": {
    webhooks: quota,
    options: { createdBy: { address: token, eventSignature: hashOf(7), argument: "topic1" } },
    block: () => logs(hashOf(7), "0x")().slice(0, 30),
  },
};

/** Of each transaction that held the lock: how long, in ms, and what it was. */
type Held = { ms: number; what: string };
const held: Held[] = [];
/** How long each waited for the lock, in ms. */
const waits: number[] = [];

/** Notes when connections get the chain's lock, and when their transaction ends. */
function watchLock(): void {
  const since = new WeakMap<pg.Client, { at: number; what: string }>();
  const query = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
  pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]) {
    const [asked] = args as [string | { name?: string; text?: string }];
    const askedAt = performance.now();
    const result = query.apply(this, args);
    const text = typeof asked === "string" ? asked : (asked.name ?? asked.text ?? "");
    const ends = text === "COMMIT" || text === "ROLLBACK";
    const one = since.get(this);
    if (one && text === "ROLLBACK") one.what = "given up";
    if (one && text.startsWith("UPDATE webhooks SET lane")) one.what = "set apart";
    if (one && text === "note-slice") one.what = "a slice";
    if ((text === "lock-chain" || ends) && result instanceof Promise)
      result.then(
        () => {
          if (text === "lock-chain") {
            since.set(this, { at: performance.now(), what: "a step" });
            waits.push(performance.now() - askedAt);
          }
          const from = since.get(this);
          if (ends && from) held.push({ ms: performance.now() - from.at, what: from.what });
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

async function fill(
  url: string,
  { webhooks, addresses, options, signature, includeLogs = false }: Case,
): Promise<void> {
  // Ten million addresses take longer than a service lets a statement take.
  const pool = createPool(url, { patienceMs: 300_000 });
  await migrate(pool);
  await ensureChain(pool, chainId);
  await beginAt(pool, plainLane(chainId), { number: 0, hash: hashOf(0, "e") });
  await pool.query("INSERT INTO accounts (name) VALUES ('worst'), ('other')");
  const watching = Array.from({ length: addresses ?? 1 }, (_, n) => (addresses ? addressOf(1_000 + n) : token));
  const insert = async (account: number, count: number, watched: readonly string[], json: string | null) => {
    await pool.query(
      `WITH made AS (
         INSERT INTO webhooks (id, account_id, shard, chain_id, url, status, status_reason, status_since, created_at, name, description,
           event_type, event_signatures, include_internal_txs, include_logs, effective_from_block, address_count, options, comparisons)
         SELECT ${ownId("tag", "gen_random_uuid()")}, $1, n % 32, '1', 'https://example.com', 'active', 'created', now(), now(), '', '',
           'address_activity', $5::bytea[], false, $4, 0, 1, $3, 1 FROM accounts, generate_series(1, $2::int) n
         WHERE accounts.id = $1 RETURNING id)
       INSERT INTO webhook_sequences (webhook_id) SELECT id FROM made`,
      [account, count, json, includeLogs, account === 1 && signature ? [Buffer.from(signature.slice(2), "hex")] : []],
    );
    const rows = `SELECT '1', decode(substr(a, 3), 'hex'), id, 0 FROM unnest($2::text[]) a, webhooks WHERE account_id = $1 ORDER BY a, id`;
    await pool.query(`INSERT INTO webhook_addresses ${rows}`, [account, watched]);
  };
  await insert(1, webhooks, watching, options ? JSON.stringify(options) : null);
  await insert(2, 10, [quiet], null);
  await pool.query("VACUUM ANALYZE");
  await pool.query("CHECKPOINT");
  await pool.end();
}

const lanesOf = (pool: Pool, catchesUp: boolean) => readLanes(pool, chainId, { traces: false, catchesUp });
const stored = (pool: Pool, lane: Lane, bounds: StepBounds, filter = noFilter(lane)): StoredRecord =>
  storedRecord(pool, lane, filter, { bounds });

/** A block a tenth of a second. @returns what others waited for each, in ms */
async function othersBlocks(pool: Pool, filter: WatchFilter, from: number, count: number): Promise<number[]> {
  const bounds = new StepBounds();
  const waits: number[] = [];
  for (let number = from; number < from + count; number += 1) {
    const [lane] = await lanesOf(pool, false);
    if (!lane) throw new Error("there is no lane");
    const block = readBlock(numbered([{ to: quiet }], number), chainId);
    const startedAt = performance.now();
    const cursor = { number: number - 1, hash: hashOf(number - 1, "e") };
    await stored(pool, lane, bounds, filter).record({ cursor, blocks: [block], finalNumber: 0 });
    waits.push(performance.now() - startedAt);
    await sleep(startedAt + 100 - performance.now());
  }
  return waits;
}

/** Of each sort: the p99 is of the slowest. */
const blocks = 60;
const worstNumber = blocks + 1;
const worstStep = (of: Case) => {
  const block = readBlock(numbered(of.block(), worstNumber), chainId);
  return { cursor: { number: blocks, hash: hashOf(blocks, "e") }, blocks: [block], finalNumber: 0 };
};

const { signal } = new AbortController();

async function measure(url: string, name: string, of: Case): Promise<Record<string, number | string>> {
  await fill(url, of);
  const pool = createPool(url);
  const child = fork(fileURLToPath(import.meta.url), [url, name], { execArgv: ["--import", "tsx"] });
  try {
    await once(child, "message");
    const filter = createWatchFilter({ pool, lane: plainLane(chainId), log: pino({ level: "silent" }), signal });
    const without = await othersBlocks(pool, filter, 1, blocks);
    held.length = 0;
    const [lane] = await lanesOf(pool, false);
    if (!lane) throw new Error("there is no lane");
    const startedAt = performance.now();
    await stored(pool, lane, new StepBounds(), filter).record(worstStep(of));
    const inItsBlock = performance.now() - startedAt;
    child.send("catch up");
    waits.length = 0;
    const beside = await othersBlocks(pool, filter, worstNumber + 1, blocks);
    const waited = quantile(waits, 0.99);
    child.send("end");
    const [heldThere] = (await once(child, "message")) as [Held[]];
    const longest = [...held, ...heldThere].reduce((one, other) => (other.ms > one.ms ? other : one));
    const { rows } = await pool.query<{ count: number; apart: number }>(
      `SELECT (SELECT count(*) FROM notifications) + (SELECT count(*) FROM held_notifications) AS count,
         (SELECT count(*) FROM webhooks WHERE lane <> 0) AS apart`,
    );
    const [before, after] = [quantile(without, 0.99), quantile(beside, 0.99)];
    return {
      "under the lock, longest (ms)": Math.round(longest.ms),
      of: longest.what,
      "others in its block (ms)": Math.round(inItsBlock),
      "apart, p50 (ms)": quantile(
        heldThere.map(({ ms }) => ms),
        0.5,
      ),
      "apart, longest (ms)": Math.round(Math.max(0, ...heldThere.map(({ ms }) => ms))),
      "p50 without": quantile(without, 0.5),
      "p50 beside": quantile(beside, 0.5),
      "p99 without": before,
      "p99 beside": after,
      "of which for the lock": waited,
      ratio: Math.round((after / before) * 100) / 100,
      "webhooks apart": rows[0]?.apart ?? 0,
      notifications: rows[0]?.count ?? 0,
    };
  } finally {
    await ended(child);
    await pool.end();
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** @param only part of the names to measure, by default all */
export async function measureWorst(only?: string): Promise<Record<string, string | number>[]> {
  watchLock();
  const postgres = await startTemporaryPostgres({ durable: true });
  const rows = [];
  const admin = createPool(postgres.url, { max: 1, patienceMs: 60_000 });
  for (const [name, of] of Object.entries(cases)) {
    if (only && !name.includes(only)) continue;
    const startedAt = performance.now();
    await admin.query("DROP DATABASE IF EXISTS worst WITH (FORCE)");
    await admin.query("CREATE DATABASE worst");
    const url = new URL(postgres.url);
    url.pathname = "/worst";
    rows.push({ "one account's webhooks": name, ...(await measure(url.href, name, of)) });
    console.error(`${name}: ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  }
  await admin.end();
  await postgres.stop();
  return rows;
}

/** The process that catches up. */
async function catchUp(url: string, of: Case): Promise<void> {
  watchLock();
  const pool = createPool(url);
  const step = worstStep(of);
  const [block] = step.blocks;
  let isOver = false;
  const told = new Promise<void>((go) =>
    process.on("message", (message) => {
      if (message === "end") isOver = true;
      go();
    }),
  );
  process.send?.("ready");
  await told;
  const bounds = new StepBounds();
  while (!isOver) {
    const [own] = await lanesOf(pool, true);
    if (own?.isOwing && block) await stored(pool, own, bounds).settle?.(block);
    else if (own?.cursor?.number === blocks) await stored(pool, own, bounds).record(step);
    else await sleep(100);
  }
  process.send?.(held);
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , url = "", name = ""] = process.argv;
  const of = cases[name];
  if (of) await catchUp(url, of);
  process.exit(0);
}
