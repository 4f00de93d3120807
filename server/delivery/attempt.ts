/** An attempt that was made, as it is to be recorded. */
import type { AttemptResult } from "../store/delivery/results.ts";
import type { Endpoint, Source, Task } from "./endpoint.ts";
import type { Outcome } from "./exchange.ts";
import { parseRetryAfter, pauseAfter } from "./schedule.ts";
import type { Shard } from "./shard.ts";

export type Attempt = {
  shard: Shard;
  endpoint: Endpoint;
  source: Source;
  result: AttemptResult;
  /** Whether it is on record, or never can be. */
  recorded: boolean;
  /** The endpoint's url, when it answered that it is gone. */
  goneUrl: string | undefined;
};

/** What was sent. */
export type Sent = Pick<Attempt, "shard" | "endpoint"> & Pick<AttemptResult, "sentAt"> & { task: Task };

/** @param now the database's time, in ms since the epoch */
export function attemptOf(
  { shard, endpoint, task, sentAt }: Sent,
  { errorClass, status, body, retryAfter, durationMs }: Outcome,
  { now, goneUrl }: { now: () => number } & Pick<Attempt, "goneUrl">,
): Attempt {
  const { recordedOn, webhookId, sequence, source, trigger } = task;
  const scheduled = trigger === "schedule";
  const step = scheduled ? task.step + 1 : task.step;
  const mayAsk = status === 429 || status === 503;
  const askedMs = mayAsk ? parseRetryAfter(retryAfter, now()) : undefined;
  const pauseMs = scheduled && errorClass ? pauseAfter(step, askedMs, Math.random()) : undefined;
  return {
    shard,
    endpoint,
    source,
    goneUrl,
    recorded: false,
    result: {
      recordedOn,
      shard: shard.id,
      webhookId,
      sequence,
      number: task.attempts + 1,
      sentAt,
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
