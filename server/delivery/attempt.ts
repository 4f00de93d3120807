/** An attempt that was made, as it is to be recorded. */
import type { AttemptResult } from "../store/delivery-results.ts";
import type { Endpoint, Source, Task } from "./endpoint.ts";
import type { Outcome } from "./exchange.ts";
import { parseRetryAfter, pauseAfter } from "./schedule.ts";
import type { Shard } from "./shard.ts";

export type Attempt = {
  shard: Shard;
  endpoint: Endpoint;
  source: Source;
  /** When it was sent, by `performance.now()`. */
  sentAt: number;
  result: Omit<AttemptResult, "ageMs">;
  /** The endpoint's url, when it answered that it is gone. */
  goneUrl: string | undefined;
};

/** @param nowMs the database's time, in ms since the epoch */
export function attemptOf(
  sent: { shard: Shard; endpoint: Endpoint; task: Task; sentAt: number; goneUrl: string | undefined },
  { errorClass, status, body, retryAfter, durationMs }: Outcome,
  nowMs: number,
): Attempt {
  const { shard, endpoint, task, sentAt, goneUrl } = sent;
  const { recordedOn, webhookId, sequence, source } = task;
  const number = task.attempts + 1;
  const mayAsk = status === 429 || status === 503;
  const askedMs = mayAsk ? parseRetryAfter(retryAfter, nowMs) : undefined;
  return {
    shard,
    endpoint,
    source,
    sentAt,
    goneUrl,
    result: {
      recordedOn,
      shard: shard.id,
      webhookId,
      sequence,
      number,
      durationMs,
      responseStatus: status ?? null,
      responseBody: body ?? null,
      errorClass: errorClass ?? null,
      retryInMs: errorClass === undefined ? null : (pauseAfter(number, askedMs, Math.random()) ?? null),
    },
  };
}
