/**
 * How long to wait. Deadlines grow with what the server has needed so far, so that a server is never failed for being slow, and one that
 * is fast is not waited for in vain.
 */

/** What was measured, and the deadlines that follow from it. */
export type Patience = {
  /** Takes note of an answer that took this long. */
  took(ms: number): void;
  /** A deadline. @param ms the one for a server that answers within half a second */
  scaled(ms: number): number;
  /** Whether even the fastest answer took that long, so that requests are better made side by side. */
  isSlow(): boolean;
};

const usualMs = 500;
// Somebody waits for the report.
const mostTimes = 40;

/** Starts without a measurement. */
export function createPatience(): Patience {
  let slowestMs = 0;
  let fastestMs = Number.POSITIVE_INFINITY;
  return {
    took(ms) {
      slowestMs = Math.max(slowestMs, ms);
      fastestMs = Math.min(fastestMs, ms);
    },
    scaled: (ms) => Math.ceil(ms * Math.min(mostTimes, Math.max(1, slowestMs / usualMs))),
    isSlow: () => Number.isFinite(fastestMs) && fastestMs > usualMs,
  };
}
