/**
 * A filter in memory of the addresses that may be watched on a chain, in any lane. Only addresses that pass it are looked up in the
 * tables. Ten million addresses take 25 MB. It must never deny a watched address, whichever process added it. Three rules ensure that:
 *
 * - A background transaction reads everything that was watched, from a snapshot taken while a step held the chain's lock. Until it
 *   finishes, every address is looked up.
 * - What is added after that snapshot takes effect from a block on that no lane has recorded, so from the next block or later
 *   (addresses.ts). Each further step reads those additions, under the lock. So it is with what factories create, and with a webhook that
 *   starts in the past: it is dated like what is added, although it is watched before that. Factories are in the filter, too.
 * - Both hold as long as each step continues from this process's own previous step. The cursor's mark shows that. If another process
 *   moved the cursor, or the database was restored, everything is read again.
 *
 * Removed addresses stay in the filter until it is rebuilt: the tables decide.
 */
import type { Logger } from "../../base/log.ts";
import type { LaneId, Recorded } from "../chains/cursor.ts";
import { inTransaction, type Pool, type Queryable } from "../pool.ts";
import { type AddressFilter, createAddressFilter } from "./address-filter.ts";
import { findWatchers, type LookupLimit, type Watched } from "./watchers.ts";

export type WatchFilter = {
  /**
   * Like `findWatchers`, for the recorder of blocks.
   *
   * @param recorded how far the chain is recorded, read under its lock
   * @param options.guess made of the same addresses, with the same limit, under the same lock
   */
  findWatchers(
    db: Queryable,
    recorded: Recorded,
    addresses: readonly string[],
    options?: { guess?: Guess | undefined; limit?: LookupLimit | undefined },
  ): Promise<Watched>;
  /** Finds the watchers before it is known how far the chain is recorded, which saves a round trip if all is as it was before. */
  guess(db: Queryable, addresses: readonly string[], limit?: LookupLimit): Promise<Guess | undefined>;
  /** Call this in the transaction that moves the cursor, with its new mark. */
  moved(mark: string): void;
  /** Whether the filter is in use, and its size in memory. */
  state(): { inUse: boolean; bytes: number };
};

/** Who watches, by a filter that may not be complete. */
type Guess = { begun: object; watched: Watched; needless: number };

/** A filter that was started, kept until it cannot be continued. */
type StartedFilter = {
  bits: AddressFilter;
  /** The mark of the cursor up to which the filter is complete; undefined during its first step. */
  mark: string | undefined;
  reading: "in flight" | "done" | "failed";
  /** Whether nobody watched more than addresses in the last step, and nobody was set apart. */
  isPlain: boolean;
  /** How many addresses it was asked for, and how many it let through that nobody watches. */
  asked: number;
  needless: number;
};

// Ten changes of the largest size that a request can make, and 2 MB.
const mostAdded = 100_000;
/** As many addresses as a hundred large blocks have. */
const enoughToJudge = 100_000;

/** For a lane that will soon join another: looks up every address. */
export function noFilter(lane: LaneId): WatchFilter {
  return {
    findWatchers: (db, recorded, addresses, { limit } = {}) =>
      findWatchers(db, lane, addresses, { ...recorded, limit }),
    guess: async () => undefined,
    moved() {},
    state: () => ({ inUse: false, bytes: 0 }),
  };
}

/** @param options.signal ends its work in the background */
export function createWatchFilter(options: {
  pool: Pool;
  lane: LaneId;
  log: Logger;
  signal: AbortSignal;
}): WatchFilter {
  const { pool, lane, log, signal } = options;
  const { chainId } = lane;
  let current: StartedFilter | undefined;

  async function upToDate(db: Queryable, recorded: Recorded): Promise<StartedFilter | undefined> {
    const { cursor, mark, additions, factories } = recorded;
    if (cursor && current?.mark === mark && current.reading !== "failed" && !isWorn(current)) {
      if (!additions && !factories) return current;
      const added = await addedSince(db, chainId, {
        ...{ block: cursor.number + 1, limit: mostAdded, hasFactories: factories },
      });
      if (added) {
        current.bits.add(added);
        return current;
      }
    }
    current = hasRoom(pool) ? await begin() : undefined;
    return current;
  }

  /** Starts to read the tables. @returns once the snapshot is taken */
  function begin(): Promise<StartedFilter | undefined> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      let begun: StartedFilter | undefined;
      const reading = inTransaction(pool, async (db) => {
        await db.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
        const bits = createAddressFilter(Math.ceil(1.25 * (await watchedAtMost(db, chainId))) + mostAdded);
        begun = { bits, mark: undefined, reading: "in flight", isPlain: false, asked: 0, needless: 0 };
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

  async function look(
    db: Queryable,
    { bits }: StartedFilter,
    addresses: readonly string[],
    options: Pick<Recorded, "anywhere" | "factories" | "apart"> & { limit: LookupLimit | undefined },
  ) {
    const possible = addresses.filter(bits.mayHave);
    const watched = await findWatchers(db, lane, possible, options);
    return { watched, needless: possible.length - watched.addressCount };
  }

  return {
    async findWatchers(db, recorded, addresses, { guess, limit } = {}) {
      const begun = await upToDate(db, recorded);
      if (begun?.reading !== "done") return findWatchers(db, lane, addresses, { ...recorded, limit });
      begun.isPlain = !recorded.anywhere && !recorded.factories && !recorded.apart;
      const isRight = guess?.begun === begun && begun.isPlain && !recorded.additions;
      const { watched, needless } = isRight ? guess : await look(db, begun, addresses, { ...recorded, limit });
      begun.asked += addresses.length;
      begun.needless += needless;
      return watched;
    },
    async guess(db, addresses, limit) {
      const begun = current;
      if (!begun?.isPlain || begun.reading !== "done") return undefined;
      const plain = { anywhere: false, factories: false, apart: false };
      return { begun, ...(await look(db, begun, addresses, { ...plain, limit })) };
    },
    moved(mark) {
      if (current) current.mark = mark;
    },
    state: () => ({ inUse: current?.reading === "done", bytes: current?.bits.bytes ?? 0 }),
  };
}

/** Others may wait for the lock with every connection of the pool. A step that waited for such a connection would deadlock. */
function hasRoom(pool: Pool): boolean {
  return pool.waitingCount === 0 && (pool.idleCount > 0 || pool.totalCount < pool.options.max);
}

/** Too full, or too many addresses are no longer watched. Reading everything again then costs less than the needless lookups. */
function isWorn(begun: StartedFilter): boolean {
  if (begun.asked < enoughToJudge) return false;
  const worn = begun.needless * 20 > begun.asked;
  begun.asked = 0;
  begun.needless = 0;
  return worn;
}

const addressBytes = 20;
const addressesARead = 50_000;

/** @returns an upper bound of their number; an address counts once for each webhook that watches it */
async function watchedAtMost(db: Queryable, chainId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "SELECT COALESCE(sum(address_count), 0)::bigint AS count FROM webhooks WHERE chain_id = $1",
    [chainId],
  );
  return rows[0]?.count ?? 0;
}

/** @returns the addresses that take effect from this block on or later; undefined if there are more than `limit` */
export async function addedSince(
  db: Queryable,
  chainId: string,
  { block, limit, hasFactories }: { block: number; limit: number; hasFactories: boolean },
): Promise<Buffer | undefined> {
  const { rows: additions } = await db.query<{ id: number }>({
    name: "additions-since",
    text: "SELECT id FROM address_additions WHERE chain_id = $1 AND effective_from_block >= $2",
    values: [chainId, block],
  });
  const factories = hasFactories ? await readFactories(db, chainId, block) : Buffer.alloc(0);
  if (additions.length === 0) return factories;
  // Without a name, so that it is planned for these additions. A generic plan would read the whole table.
  const { rows } = await db.query<{ addresses: Buffer | null }>(
    `SELECT string_agg(address, '') AS addresses
     FROM (SELECT address FROM webhook_addresses WHERE addition = ANY($1::bigint[]) LIMIT $2) added`,
    [additions.map(({ id }) => id), limit + 1],
  );
  const addresses = rows[0]?.addresses ?? Buffer.alloc(0);
  return addresses.length > limit * addressBytes ? undefined : Buffer.concat([addresses, factories]);
}

/** @returns the factories of webhooks that take effect from this block on or later */
async function readFactories(db: Queryable, chainId: string, block: number): Promise<Buffer> {
  const { rows } = await db.query<{ addresses: Buffer | null }>({
    name: "factories-since",
    // In the order of their indexes, or PostgreSQL would read all of the chain's webhooks.
    text: `SELECT string_agg(decode(substr(factory, 3), 'hex'), '') AS addresses FROM (
             (SELECT options -> 'createdBy' ->> 'address' AS factory FROM webhooks
              WHERE chain_id = $1 AND options -> 'createdBy' ->> 'address' IS NOT NULL AND effective_from_block >= $2
              ORDER BY chain_id, effective_from_block OFFSET 0)
             UNION ALL
             (SELECT options -> 'createdBy' ->> 'address' FROM webhooks
              WHERE chain_id = $1 AND options -> 'createdBy' ->> 'address' IS NOT NULL AND created_before >= $2
              ORDER BY chain_id, created_before OFFSET 0)) w`,
    values: [chainId, block],
  });
  return rows[0]?.addresses ?? Buffer.alloc(0);
}

/** Reads all addresses, factories included, in several statements, so the caller's transaction must see one snapshot. Ten million take about 20 s. */
async function* readAddresses(db: Queryable, chainId: string): AsyncGenerator<Buffer> {
  yield await readFactories(db, chainId, -1);
  let part = await readPart(db, chainId, Buffer.alloc(0));
  while (part) {
    yield part.addresses;
    part = await readPart(db, chainId, part.last);
  }
}

type Part = { addresses: Buffer; last: Buffer };

/** @param after only those after this one */
async function readPart(db: Queryable, chainId: string, after: Buffer): Promise<Part | undefined> {
  // The last one is selected separately, since an aggregate need not keep the order of its input.
  const { rows } = await db.query<Part>({
    name: "read-addresses",
    text: `WITH part AS MATERIALIZED (
             SELECT address FROM webhook_addresses WHERE chain_id = $1 AND address > $2 ORDER BY address LIMIT $3)
           SELECT string_agg(address, '') AS addresses, (SELECT address FROM part ORDER BY address DESC LIMIT 1) AS last
           FROM part HAVING count(*) > 0`,
    values: [chainId, after, addressesARead],
  });
  return rows[0];
}
