/** The figures of `npm run bench match`, on tables that are filled. */
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { notificationsOf } from "../../server/chain/follow/notifications.ts";
import { recordStep } from "../../server/chain/follow/record.ts";
import { readBlock } from "../../server/chain/read/block.ts";
import { participantsOf } from "../../server/matching/participants.ts";
import type { BlockBundle } from "../../server/matching/wire.ts";
import { plainLane, readCursor } from "../../server/store/chains/cursor.ts";
import { lockChainExclusively } from "../../server/store/chains/lock.ts";
import { inTransaction, type Pool } from "../../server/store/pool.ts";
import { addAddresses, removeAddresses } from "../../server/store/webhooks/addresses.ts";
import { createWatchFilter, type WatchFilter } from "../../server/store/webhooks/watch-filter.ts";
import { findWatchers } from "../../server/store/webhooks/watchers.ts";
import { quantile } from "./figures.ts";
import { fillRules } from "./fill-rules.ts";
import { watchedAddress } from "./fill-watched.ts";
import { syntheticBlock } from "./synthetic-block.ts";
import { measureWorstConditions } from "./worst-conditions.ts";

export type Figures = Record<string, number>;

/** How many addresses of a block are watched. */
const hitsABlock = 10;
const changed = 10_000;
/** The first blocks bring what PostgreSQL and V8 keep at hand. */
const warmUp = 30;
/** Blocks are made before they are measured, and what that leaves behind is cleared away: it took 4 ms from each otherwise. */
const madeAtOnce = 10;

/** @param of.addresses how many are watched */
export async function measureBlocks(
  pool: Pool,
  { chainId, addresses, blocks }: { chainId: string; addresses: number; blocks: number },
): Promise<Figures> {
  let number = 0;
  const nextBlock = () => {
    const hits = Array.from({ length: hitsABlock }, () => watchedAddress(Math.floor(Math.random() * addresses)));
    return syntheticBlock(++number, hits);
  };
  /** From the block to all that must be recorded, under the chain's lock. */
  const match = (bundle: BlockBundle, filter: WatchFilter) => {
    const block = readBlock(bundle, chainId);
    return inTransaction(pool, async (db) => {
      await lockChainExclusively(db, chainId);
      const recorded = await readCursor(db, plainLane(chainId));
      const watched = await filter.findWatchers(db, recorded, block.participants);
      return notificationsOf(db, plainLane(chainId), [block], { recorded, watched });
    });
  };
  const record = async (bundle: BlockBundle, filter: WatchFilter) => {
    const { cursor } = await readCursor(pool, plainLane(chainId));
    if (!cursor) throw new Error("the chain has no cursor");
    const lane = { ...plainLane(chainId), traces: false, catchesUp: false };
    return recordStep(pool, lane, { cursor, blocks: [readBlock(bundle, chainId)], finalNumber: 0 }, filter);
  };
  const timed = async (count: number, work: (bundle: BlockBundle) => Promise<unknown>) => {
    const samples: number[] = [];
    while (samples.length < warmUp + count) {
      const bundles = Array.from({ length: madeAtOnce }, nextBlock);
      globalThis.gc?.();
      for (const bundle of bundles) {
        const startedAt = performance.now();
        await work(bundle);
        samples.push(performance.now() - startedAt);
      }
    }
    return samples.slice(warmUp);
  };

  const withoutFilter: WatchFilter = {
    findWatchers: (db, _, addresses) => findWatchers(db, plainLane(chainId), addresses),
    guess: async () => undefined,
    moved: () => undefined,
    state: () => ({ inUse: false, bytes: 0 }),
  };
  const log = pino({ level: "silent" });
  const filter = createWatchFilter({ pool, lane: plainLane(chainId), log, signal: new AbortController().signal });
  const startedAt = performance.now();
  while (!filter.state().inUse) {
    await record(nextBlock(), filter);
    await sleep(100);
  }
  const readMs = performance.now() - startedAt;

  let notified = 0;
  const recorded = await timed(blocks, async (bundle) => {
    notified += (await record(bundle, filter)).notifications;
  });
  const matched = await timed(blocks, (bundle) => match(bundle, filter));
  const unfiltered = await timed(blocks, (bundle) => match(bundle, withoutFilter));
  await fillRules(pool, chainId);
  let ruled = 0;
  const withRules = await timed(blocks, async (bundle) => {
    ruled += (await match(bundle, filter)).length;
  });
  return {
    "addresses a block": participantsOf(nextBlock()).length,
    "notifications a block": Math.round(notified / (recorded.length + warmUp)),
    "ms to match a block, median": quantile(matched, 0.5),
    "ms to match a block, p99": quantile(matched, 0.99),
    "ms to match a block before the filter is read, median": quantile(unfiltered, 0.5),
    "notifications a block with rules": Math.round(ruled / (withRules.length + warmUp)),
    "ms to match a block with rules, median": quantile(withRules, 0.5),
    "ms to match a block with rules, p99": quantile(withRules, 0.99),
    "ms for an account's whole quota of comparisons on 10,000 logs, 50 a webhook": measureWorstConditions(50),
    "ms for the same, one a webhook": measureWorstConditions(1),
    "ms to match and record a block, median": quantile(recorded, 0.5),
    "ms to match and record a block, p99": quantile(recorded, 0.99),
    "MB of memory for the filter": Math.round(filter.state().bytes / 1e6),
    "ms to read the filter": Math.round(readMs),
  };
}

/** @returns how long it takes to add and to remove many addresses of one webhook */
export async function measureChanges(pool: Pool): Promise<Figures> {
  const { rows } = await pool.query<{ id: string; account_id: number }>("SELECT id, account_id FROM webhooks LIMIT 1");
  const { id = "", account_id: account = 0 } = rows[0] ?? {};
  const addresses = Array.from({ length: changed }, (_, index) => watchedAddress(-1 - index));
  const timed = async (change: typeof addAddresses) => {
    const startedAt = performance.now();
    await inTransaction(pool, (db) => change(db, account, id, addresses));
    return Math.round(performance.now() - startedAt);
  };
  return {
    [`ms to add ${changed} addresses`]: await timed(addAddresses),
    [`ms to remove ${changed} addresses`]: await timed(removeAddresses),
  };
}
