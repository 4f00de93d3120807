/**
 * Rate limit buckets in PostgreSQL, shared by all processes. A bucket holds `requests`, and refills `seconds` after the first request
 * since it was full. Each withdrawal is one statement, so processes together never exceed the limit.
 */
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { RateLimit } from "../../settings/limits.ts";
import { type Pool, within } from "../pool.ts";

/** The result of a withdrawal. */
export type Taken = {
  /** How many requests the bucket allowed; fewer than wanted if it ran empty. */
  taken: number;
  /** How many requests the bucket still holds. */
  left: number;
  /** When the bucket is full again, in ms from now. */
  fullInMs: number;
};

/** Withdraws up to `wanted` requests from a bucket. */
export type TakeFromBucket = (bucket: string, wanted: number) => Promise<Taken>;

const patienceMs = 3_000;

/**
 * Creates the buckets of one limit. If the database does not answer within 3 seconds, this process counts in memory instead. Answers
 * that need no database then still work.
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
    // An empty bucket goes on counting. The excess is what it did not allow.
    const beyond = Math.max(0, found.consumedPoints - requests);
    return {
      taken: Math.max(0, wanted - beyond),
      left: found.remainingPoints,
      // The first request may come from a process whose clock is ahead.
      fullInMs: Math.min(Math.max(found.msBeforeNext, 1), seconds * 1_000),
    };
  };
}

/** Deletes buckets that have been full for five minutes. The processes' clocks may differ by that much. */
export async function dropFullBuckets(pool: Pool): Promise<void> {
  await pool.query("DELETE FROM rate_limits WHERE expire < extract(epoch FROM now() - interval '5 minutes') * 1000");
}

/** Limits queries to 3 seconds. After a failure, queries fail immediately for 3 seconds, so that requests do not queue for a dead database. */
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
