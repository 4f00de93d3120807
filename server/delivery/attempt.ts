/** From the outcome of an exchange to the attempt that is recorded. */
import { parseRetryAfter } from "../retry-after.ts";
import type { NewAttempt } from "../store/delivery/results.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Outcome } from "./exchange.ts";
import type { QueuedNotification } from "./queued-notification.ts";
import { pauseAfter } from "./schedule.ts";

/** An attempt that has an outcome, on its way to the tables. */
export type FinishedAttempt = {
  readonly endpoint: Endpoint;
  readonly notification: QueuedNotification;
  readonly row: NewAttempt;
  /** The endpoint's url, if it answered that it is gone. */
  readonly goneUrl: string | undefined;
  /** Whether it is on record, or never can be. */
  isRecorded: boolean;
};

/** @param sent.at by `performance.now()` @param context.now the database's time, in ms since the epoch @param context.pausesMs between attempts */
export function finishedAttempt(
  sent: { endpoint: Endpoint; notification: QueuedNotification; at: number },
  { errorClass, status, body, retryAfter, durationMs }: Outcome,
  { now, pausesMs, goneUrl }: { now: () => number; pausesMs: readonly number[]; goneUrl: string | undefined },
): FinishedAttempt {
  const { endpoint, notification } = sent;
  const { recordedOn, webhookId, sequence, trigger } = notification;
  const isScheduled = trigger === "schedule";
  const step = isScheduled ? notification.step + 1 : notification.step;
  const mayAsk = status === 429 || status === 503;
  const retryAfterMs = mayAsk ? parseRetryAfter(retryAfter, now()) : undefined;
  const pauseMs =
    isScheduled && errorClass ? pauseAfter(step, { pausesMs, retryAfterMs, random: Math.random() }) : undefined;
  return {
    endpoint,
    notification,
    goneUrl,
    isRecorded: false,
    row: {
      recordedOn,
      shard: endpoint.shard.id,
      webhookId,
      sequence,
      number: notification.attemptsMade + 1,
      sentAt: sent.at,
      trigger,
      step,
      durationMs,
      responseStatus: status ?? null,
      responseBody: body ?? null,
      errorClass: errorClass ?? null,
      retryInMs: pauseMs ?? null,
    },
  };
}
