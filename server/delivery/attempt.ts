/** From the outcome of an exchange to the attempt that is recorded. */
import { parseRetryAfter } from "../retry-after.ts";
import type { NewAttempt } from "../store/delivery/results.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Outcome } from "./exchange.ts";
import type { QueuedNotification } from "./queued-notification.ts";
import { pauseAfter } from "./schedule.ts";

/** An exchange that has an outcome, on its way to the tables: an attempt of each of its notifications. */
export type FinishedAttempts = {
  readonly endpoint: Endpoint;
  readonly notifications: readonly QueuedNotification[];
  /** One for each notification, in their order. */
  readonly rows: readonly NewAttempt[];
  /** The endpoint's url, if it answered that it is gone. */
  goneUrl: string | undefined;
  /** Whether they are on record, or never can be. */
  isRecorded: boolean;
};

/** @param sent.at by `performance.now()` @param context.now the database's time, in ms since the epoch @param context.pausesMs between attempts */
export function finishedAttempts(
  { endpoint, notifications, at }: { endpoint: Endpoint; notifications: readonly QueuedNotification[]; at: number },
  outcome: Outcome,
  { now, pausesMs }: { now: () => number; pausesMs: readonly number[] },
): FinishedAttempts {
  const { errorClass, status, body, retryAfter, durationMs } = outcome;
  const mayAsk = status === 429 || status === 503;
  const retryAfterMs = mayAsk ? parseRetryAfter(retryAfter, now()) : undefined;
  // The same for all, so that what failed in one POST is due in one.
  const random = Math.random();
  const rows = notifications.map(({ recordedOn, webhookId, sequence, trigger, attemptsMade, step: stepsMade }) => {
    const isScheduled = trigger === "schedule";
    const step = isScheduled ? stepsMade + 1 : stepsMade;
    const pauseMs = isScheduled && errorClass ? pauseAfter(step, { pausesMs, retryAfterMs, random }) : undefined;
    return {
      recordedOn,
      shard: endpoint.shard.id,
      webhookId,
      sequence,
      number: attemptsMade + 1,
      sentAt: at,
      trigger,
      step,
      durationMs,
      responseStatus: status ?? null,
      responseBody: body ?? null,
      errorClass: errorClass ?? null,
      retryInMs: pauseMs ?? null,
      isOrdered: endpoint.isOrdered,
    };
  });
  return { endpoint, notifications, rows, goneUrl: undefined, isRecorded: false };
}
