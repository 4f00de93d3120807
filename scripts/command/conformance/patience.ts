/**
 * How long to wait. Deadlines grow with what the server has needed so far, so that a server is never failed for being slow, and one that
 * is fast is not waited for in vain.
 */
import { defaultPeriods } from "../../../server/settings/periods.ts";

/** What was measured, and the deadlines that follow from it. */
export type Patience = {
  /** Takes note of an answer that took this long. */
  took(ms: number): void;
  /** Takes note of a notification for which one waited this long. */
  notified(ms: number): void;
  /** A deadline, in whole ms. @param ms the one for a server that answers within half a second */
  scaled(ms: number): number;
  /** How long a notification may take, in whole ms. */
  forNotification(): number;
  /** Whether even the fastest answer took that long, so that requests are better made side by side. */
  isSlow(): boolean;
};

const usualMs = 500;
// Somebody waits for the report.
const mostTimes = 40;
/** Slow answers alone do not make a server slow to deliver: what was measured of notifications counts besides. */
const mostTimesForDelivery = 6;
const mostForNotificationMs = 10 * 60_000;

/** Starts without a measurement. @param deliveryTimeoutMs how long the server waits for an endpoint's whole answer */
export function createPatience(deliveryTimeoutMs: number = defaultPeriods.timeoutMs): Patience {
  let slowestMs = 0;
  let fastestMs = Number.POSITIVE_INFINITY;
  let slowestNotificationMs = 0;
  const scaled = (ms: number) => Math.ceil(ms * Math.min(mostTimes, Math.max(1, slowestMs / usualMs)));
  return {
    took(ms) {
      slowestMs = Math.max(slowestMs, ms);
      fastestMs = Math.min(fastestMs, ms);
    },
    notified(ms) {
      slowestNotificationMs = Math.max(slowestNotificationMs, Math.ceil(ms));
    },
    scaled,
    forNotification: () =>
      Math.min(
        mostForNotificationMs,
        Math.max(
          Math.min(scaled(1.2 * deliveryTimeoutMs), mostTimesForDelivery * deliveryTimeoutMs),
          3 * slowestNotificationMs,
        ),
      ),
    isSlow: () => Number.isFinite(fastestMs) && fastestMs > usualMs,
  };
}
