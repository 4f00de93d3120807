/** When a failed notification is retried. */

/**
 * @param number of the attempt that failed, from 1
 * @param options.pausesMs before the second attempt and each one after it
 * @param options.retryAfterMs what the endpoint asked for; honoured up to twice this pause
 * @param options.random in [0, 1). It spreads each pause by ±10 %, so that what failed together is not retried together
 * @returns the pause in ms; undefined after the last attempt
 */
export function pauseAfter(
  number: number,
  options: { pausesMs: readonly number[]; retryAfterMs?: number | undefined; random: number },
): number | undefined {
  const { pausesMs, retryAfterMs = 0, random } = options;
  const pause = pausesMs[number - 1];
  if (pause === undefined) return undefined;
  const spread = pause * (0.9 + 0.2 * random);
  return Math.max(spread, Math.min(retryAfterMs, 2 * pause));
}
