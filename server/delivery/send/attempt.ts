/** From the outcome of an exchange to the attempts that are recorded, and when a failed one is retried. */
import { parseRetryAfter } from "../../base/retry-after.ts";
import type { NewAttempt } from "../../store/delivery/results.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { QueuedNotification } from "../queued-notification.ts";
import type { Outcome } from "./exchange.ts";

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
  sent: { endpoint: Endpoint; notifications: readonly QueuedNotification[]; at: number },
  outcome: Outcome,
  { now, pausesMs }: { now: () => number; pausesMs: readonly number[] },
): FinishedAttempts {
  const { endpoint, notifications } = sent;
  const { status, retryAfter } = outcome;
  const mayAsk = status === 429 || status === 503;
  const retryAfterMs = mayAsk ? parseRetryAfter(retryAfter, now()) : undefined;
  // The same for all, so that what failed in one POST is due in one.
  const pauses = { pausesMs, retryAfterMs, random: outcome.errorClass ? Math.random() : 0 };
  // A list that grows would have room for 17, and is kept until it is on record: that made a single delivery 8 % dearer.
  const rows = notifications.map((notification) => rowOf(sent, notification, outcome, pauses));
  return { endpoint, notifications, rows, goneUrl: undefined, isRecorded: false };
}

function rowOf(
  { endpoint, at }: { endpoint: Endpoint; at: number },
  notification: QueuedNotification,
  { errorClass, status, body, durationMs }: Outcome,
  pauses: Parameters<typeof pauseAfter>[1],
): NewAttempt {
  const { recordedOn, webhookId, sequence, trigger } = notification;
  const isScheduled = trigger === "schedule";
  const step = isScheduled ? notification.step + 1 : notification.step;
  return {
    recordedOn,
    shard: endpoint.shard.id,
    webhookId,
    sequence,
    number: notification.attemptsMade + 1,
    sentAt: at,
    trigger,
    step,
    durationMs,
    responseStatus: status ?? null,
    responseBody: body ?? null,
    errorClass: errorClass ?? null,
    retryInMs: (isScheduled && errorClass ? pauseAfter(step, pauses) : undefined) ?? null,
    isOrdered: endpoint.isOrdered,
  };
}

/**
 * How long a failed notification waits for its next attempt.
 *
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
