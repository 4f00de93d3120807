/**
 * Which of a block's addresses may be watched on a chain, in whatever lane, known in memory, so that the tables are asked only about those: for
 * ten million addresses 25 MB. It must never deny one that is watched, whoever added it. Three things see to that.
 *
 * - All that is watched is read beside the steps, in the state that the tables had while one step held the chain's lock. Until
 *   that is done the tables are asked about every address.
 * - What is added behind that step is effective from a block on that no lane has recorded yet, so that it is the next block's
 *   number or above it (address-additions.ts): this much is read with each further step, under the lock.
 * - Both hold as long as each step goes on where this process's own step before it ended, which the cursor's mark tells. Where
 *   somebody else has moved the cursor, or the database is an older one, everything is read again.
 *
 * What is removed stays in the filter until it is worn: the tables decide.
 */
import type { Logger } from "pino";
import type { LaneId, Recorded } from "../chains/cursor.ts";
import { inTransaction, type Pool, type Queryable } from "../pool.ts";
import { type AddressFilter, createAddressFilter } from "./address-filter.ts";
import { addedSince, readAddresses, watchedAtMost } from "./watched-addresses.ts";
import { findWatchers, type Watched } from "./watchers.ts";

export type WatchFilter = {
  /** As `findWatchers`, for whoever records blocks. @param recorded how far the chain is, read under its lock */
  findWatchers(db: Queryable, recorded: Recorded, addresses: readonly string[]): Promise<Watched>;
  /** To be told in the transaction that moves the cursor, of its new mark. */
  moved(mark: string): void;
  /** Whether it is in use, and how much memory it takes. */
  state(): { inUse: boolean; bytes: number };
};

/** One that was begun, and is kept until it cannot be continued. */
type Begun = {
  bits: AddressFilter;
  /** Of the move of the cursor up to which it is to know everything; undefined in the step that begins it. */
  mark: string | undefined;
  reading: "under way" | "done" | "failed";
  /** How many addresses it was asked for, and let through though nobody watches them. */
  asked: number;
  inVain: number;
};

// Ten changes of the largest size that one request can make, and 2 MB.
const mostAdded = 100_000;
/** So many addresses are asked for in a hundred large blocks. */
const enoughToJudge = 100_000;

/** For a lane that others will be one with soon: it asks the tables about every address. */
export function noFilter(lane: LaneId): WatchFilter {
  return {
    findWatchers: (db, _recorded, addresses) => findWatchers(db, lane, addresses),
    moved() {},
    state: () => ({ inUse: false, bytes: 0 }),
  };
}

/** @param options.signal ends what it does beside the steps */
export function createWatchFilter(options: {
  pool: Pool;
  lane: LaneId;
  log: Logger;
  signal: AbortSignal;
}): WatchFilter {
  const { pool, lane, log, signal } = options;
  const { chainId } = lane;
  let current: Begun | undefined;

  async function upToDate(db: Queryable, { cursor, mark }: Recorded): Promise<Begun | undefined> {
    if (cursor && current?.mark === mark && current.reading !== "failed" && !isWorn(current)) {
      const added = await addedSince(db, chainId, cursor.number + 1, mostAdded);
      if (added) {
        current.bits.add(added);
        return current;
      }
    }
    current = hasRoom(pool) ? await begin() : undefined;
    return current;
  }

  /** @returns as soon as it is settled in which state the tables are read */
  function begin(): Promise<Begun | undefined> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      let begun: Begun | undefined;
      const reading = inTransaction(pool, async (db) => {
        await db.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
        const bits = createAddressFilter(Math.ceil(1.25 * (await watchedAtMost(db, chainId))) + mostAdded);
        begun = { bits, mark: undefined, reading: "under way", asked: 0, inVain: 0 };
        resolve(begun);
        for await (const addresses of readAddresses(db, chainId)) {
          if (signal.aborted || current !== begun) return;
          bits.add(addresses);
        }
        begun.reading = "done";
        log.info({ bytes: bits.bytes, ms: Math.round(performance.now() - startedAt) }, "watched addresses are read");
      });
      reading.catch((err: unknown) => {
        if (begun) begun.reading = "failed";
        resolve(undefined);
        if (!signal.aborted) log.warn({ err }, "watched addresses could not be read; the next block tries again");
      });
    });
  }

  return {
    async findWatchers(db, recorded, addresses) {
      const begun = await upToDate(db, recorded);
      if (begun?.reading !== "done") return findWatchers(db, lane, addresses);
      const possible = addresses.filter(begun.bits.mayHave);
      const watched = await findWatchers(db, lane, possible);
      begun.asked += addresses.length;
      begun.inVain += possible.length - watched.addressCount;
      return watched;
    },
    moved(mark) {
      if (current) current.mark = mark;
    },
    state: () => ({ inUse: current?.reading === "done", bytes: current?.bits.bytes ?? 0 }),
  };
}

/** Others may wait for the lock with every connection of the pool; a step that waited for one of them would wait for itself. */
function hasRoom(pool: Pool): boolean {
  return pool.waitingCount === 0 && (pool.idleCount > 0 || pool.totalCount < pool.options.max);
}

/** Too full, or too much of it is not watched any more. Reading it all again takes the tables less than asking in vain. */
function isWorn(begun: Begun): boolean {
  if (begun.asked < enoughToJudge) return false;
  const worn = begun.inVain * 20 > begun.asked;
  begun.asked = 0;
  begun.inVain = 0;
  return worn;
}
