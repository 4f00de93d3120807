/** When a failed notification is retried. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The pauses before the second attempt and each one after it, in ms. */
const pausesMs: readonly number[] = [
  10 * second,
  minute,
  5 * minute,
  10 * minute,
  30 * minute,
  2 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
];

/** How many attempts a notification gets at most. */
export const attemptLimit = pausesMs.length + 1;

/** How long every attempt must have failed before a webhook becomes inactive, in ms. */
export const failingLimitMs = 5 * 24 * hour;

/**
 * @param number of the attempt that failed, from 1
 * @param retryAfterMs what the endpoint asked for; honoured up to twice this pause
 * @param random in [0, 1). It spreads each pause by ±10 %, so that what failed together is not retried together
 * @returns the pause in ms; undefined after the last attempt
 */
export function pauseAfter(number: number, retryAfterMs: number | undefined, random: number): number | undefined {
  const pause = pausesMs[number - 1];
  if (pause === undefined) return undefined;
  const spread = pause * (0.9 + 0.2 * random);
  return Math.max(spread, Math.min(retryAfterMs ?? 0, 2 * pause));
}
