/**
 * How fast an endpoint may be called: how many exchanges are concurrent, and how long it rests after failures. The limit starts low and grows
 * with each success, so an endpoint that hangs holds only a few exchanges. Only endpoint.ts uses this.
 */

export type Pace = {
  /** At most this many concurrent exchanges. */
  limit: number;
  /** Failures since the last success. */
  failures: number;
  /** It has answered quickly at least once. */
  proven: boolean;
  /** The last exchange failed or took long. */
  slow: boolean;
  /** No exchange begins before then, by `performance.now()`. */
  restUntil: number;
};

/** Endpoints that are new or slow may use only a part of their account's exchanges. */
export type Speed = "quick" | "new" | "slow";

const firstLimit = 2;
const highestLimit = 10;
/** A longer exchange makes the endpoint slow. */
const slowMs = 1_000;
/** From one failure in a row more than this, the endpoint rests after each. The rest doubles each time. */
const failuresBeforeRest = 5;
const shortestRestMs = 100;
const longestRestMs = 5_000;

/** @param failing whether it failed the last time, as far as is known */
export function openPace(failing: boolean): Pace {
  return { limit: failing ? 1 : firstLimit, failures: failing ? 1 : 0, proven: false, slow: failing, restUntil: 0 };
}

/** Adjusts the pace to the outcome of an exchange. */
export function adjustPace(pace: Pace, succeeded: boolean, durationMs: number, nowMs: number): void {
  if (succeeded) {
    pace.limit = Math.min(highestLimit, pace.limit + 1);
    pace.failures = 0;
    pace.slow = durationMs > slowMs;
    pace.proven ||= !pace.slow;
    pace.restUntil = 0;
    return;
  }
  pace.limit = Math.max(1, Math.floor(pace.limit / 2));
  pace.failures += 1;
  pace.slow = true;
  const rests = pace.failures - failuresBeforeRest;
  if (rests > 0) pace.restUntil = nowMs + Math.min(longestRestMs, shortestRestMs * 2 ** Math.min(rests - 1, 10));
}

export function isResting({ restUntil }: Pace): boolean {
  return restUntil > 0 && restUntil > performance.now();
}

/** How many notifications to keep in memory, so that the endpoint is never idle. */
export function queueLimit({ limit }: Pace): number {
  return limit === 1 ? 2 : limit * 10;
}

export function speedOf({ slow, proven }: Pace): Speed {
  return slow ? "slow" : proven ? "quick" : "new";
}
