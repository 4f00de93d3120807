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
  const { recordedOn, webhookId, sequence, source, trigger } = task;
  const scheduled = trigger === "schedule";
  const step = scheduled ? task.step + 1 : task.step;
  const mayAsk = status === 429 || status === 503;
  const askedMs = mayAsk ? parseRetryAfter(retryAfter, nowMs) : undefined;
  const pauseMs = scheduled && errorClass ? pauseAfter(step, askedMs, Math.random()) : undefined;
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
      number: task.attempts + 1,
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
