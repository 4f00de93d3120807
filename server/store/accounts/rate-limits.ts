/**
 * Buckets of requests that all processes take from, in PostgreSQL. A bucket holds so many requests and is filled up so many seconds
 * after the first was taken from it. What is taken is written at once, and by one statement, so that processes together never take more.
 */
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { type Pool, within } from "../pool.ts";

/** What a limit allows: `requests` in `seconds`. */
export type RateLimit = { requests: number; seconds: number };

/** What came of taking from a bucket. */
export type Taken = {
  /** How many requests were taken: fewer than wanted where there were no more. */
  taken: number;
  /** How many are left for whoever comes next. */
  left: number;
  /** In how many ms the bucket is full again. */
  fullInMs: number;
};

/** Takes up to so many requests from a bucket. */
export type TakeFromBucket = (bucket: string, wanted: number) => Promise<Taken>;

const patienceMs = 3_000;

/**
 * Makes what takes from the buckets of one limit. While the database does not answer within 3 seconds, buckets of this process's own
 * stand in for them, so that what needs no database is answered all the same.
 *
 * @param name of the limit
 */
export function rateLimitBuckets(pool: Pool, name: string, { requests, seconds }: RateLimit): TakeFromBucket {
  const options = { keyPrefix: name, points: requests, duration: seconds };
  const limiter = new RateLimiterPostgres({
    ...options,
    storeClient: impatient(pool),
    storeType: "client",
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: false,
    insuranceLimiter: new RateLimiterMemory(options),
  });
  return async (bucket, wanted) => {
    const found = await limiter.consume(bucket, wanted).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    // A bucket counts on when it is empty, which tells how much of the wanted was still in it.
    const beyond = Math.max(0, found.consumedPoints - requests);
    return {
      taken: Math.max(0, wanted - beyond),
      left: found.remainingPoints,
      // A process whose clock is ahead may have said that it is later.
      fullInMs: Math.min(Math.max(found.msBeforeNext, 1), seconds * 1_000),
    };
  };
}

/** Forgets the buckets that have been full for five minutes, by which the processes' clocks may differ. */
export async function dropFullBuckets(pool: Pool): Promise<void> {
  await pool.query("DELETE FROM rate_limits WHERE expire < extract(epoch FROM now() - interval '5 minutes') * 1000");
}

/** Gives a query 3 seconds, and after one that failed fails for 3 seconds at once, so that nobody waits in line for a database that is away. */
function impatient(pool: Pool) {
  let awayUntil = -Infinity;
  return {
    async query(query: { text: string; values: unknown[]; name?: string }) {
      if (performance.now() < awayUntil) throw new Error("The database did not answer a moment ago.");
      let timer: NodeJS.Timeout | undefined;
      const tooLong = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error("The database did not answer in time.")), patienceMs);
      });
      const answer = pool.query(within(patienceMs, query));
      try {
        return await Promise.race([answer, tooLong]);
      } catch (error) {
        answer.catch(() => undefined);
        awayUntil = performance.now() + patienceMs;
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
