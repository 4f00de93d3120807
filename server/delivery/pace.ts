/**
 * How much an endpoint is trusted with: how many exchanges at once, and how long it is left alone. It begins low and grows with
 * every success, so that of an endpoint that hangs only a few exchanges do before that is known.
 */

export type Pace = {
  /** At most so many exchanges at once. */
  limit: number;
  /** Failures since the last success. */
  failures: number;
  /** It has answered quickly once. */
  proven: boolean;
  /** It failed, or took long, the last time: such endpoints share a part of the process between them. */
  slow: boolean;
  /** Left alone until then, by `performance.now()`. */
  restUntil: number;
};

const firstLimit = 2;
const highestLimit = 10;
/** An exchange that takes longer, in ms, is a slow one. */
const slowMs = 1_000;
/** So many failures in a row, and it is left alone for a while after each; a while that doubles. */
const failuresBeforeRest = 5;
const shortestRestMs = 100;
const longestRestMs = 5_000;

/** @param failing as far as is known */
export function openPace(failing: boolean): Pace {
  return { limit: failing ? 1 : firstLimit, failures: failing ? 1 : 0, proven: false, slow: failing, restUntil: 0 };
}

/** Takes note of how an exchange ended. */
export function noteEnd(pace: Pace, succeeded: boolean, durationMs: number, nowMs: number): void {
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

/** Whether it is left alone now. */
export function isResting({ restUntil }: Pace): boolean {
  return restUntil > 0 && restUntil > performance.now();
}

/** How many notifications to hold in memory for it, to keep it busy. */
export function roomFor({ limit }: Pace): number {
  return limit === 1 ? 2 : limit * 10;
}
