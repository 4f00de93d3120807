/** Sends what endpoints have queued, as many at once as the process and each endpoint bear. */
import { type Endpoint, noteOutcome, type Task, takeNext } from "./endpoint.ts";
import type { Outcome } from "./exchange.ts";
import type { Post } from "./post.ts";
import type { Attempt, Recorder } from "./recorder.ts";
import { parseRetryAfter, pauseAfter } from "./schedule.ts";
import { isOpen, type Shard } from "./shard.ts";

const inFlightLimit = 512;
/** So many results may wait for the database before nothing new is sent. */
const unrecordedLimit = 5_000;

export type SenderOptions = {
  post: Post;
  recorder: Recorder;
  /** The database's time, in ms since the epoch. */
  now: () => number;
  /** Called when an endpoint has sent something and may take more. */
  onFree: (endpoint: Endpoint) => void;
};

export type Sender = {
  /** Begins as many exchanges with the endpoint as may begin now; the rest begin by themselves. */
  pump(shard: Shard, endpoint: Endpoint): void;
};

export function createSender(options: SenderOptions): Sender {
  const { post, recorder, now, onFree } = options;
  const held = new Map<Endpoint, Shard>();
  let inFlight = 0;

  function pump(shard: Shard, endpoint: Endpoint): void {
    while (isOpen(shard) && endpoint.queue.length > 0) {
      if (inFlight >= inFlightLimit || recorder.size() >= unrecordedLimit) {
        held.set(endpoint, shard);
        return;
      }
      const task = takeNext(endpoint);
      if (!task) return;
      const done = send(shard, endpoint, task).finally(() => shard.exchanges.delete(done));
      shard.exchanges.add(done);
    }
  }

  /** Those that had to wait for room go on, in the order in which they came. */
  function pumpHeld(): void {
    for (const [endpoint, shard] of held) {
      if (inFlight >= inFlightLimit || recorder.size() >= unrecordedLimit) return;
      held.delete(endpoint);
      pump(shard, endpoint);
    }
  }

  async function send(shard: Shard, endpoint: Endpoint, task: Task): Promise<void> {
    inFlight += 1;
    const sentAt = performance.now();
    const outcome = await post(endpoint, task, shard.lease.lost);
    inFlight -= 1;
    if (outcome) {
      noteOutcome(endpoint, outcome.errorClass === undefined, now());
      recorder.add(attemptOf(shard, endpoint, task, outcome, sentAt));
    } else {
      endpoint.inFlight -= 1;
    }
    onFree(endpoint);
    pump(shard, endpoint);
    pumpHeld();
  }

  function attemptOf(shard: Shard, endpoint: Endpoint, task: Task, outcome: Outcome, sentAt: number): Attempt {
    const { errorClass, status, body, retryAfter, durationMs } = outcome;
    const { recordedOn, webhookId, sequence, trigger } = task;
    const scheduled = trigger === "schedule";
    const step = scheduled ? task.step + 1 : task.step;
    const mayAsk = status === 429 || status === 503;
    const retryAfterMs = mayAsk ? parseRetryAfter(retryAfter, now()) : undefined;
    const pauseMs = scheduled && errorClass ? pauseAfter(step, retryAfterMs, Math.random()) : undefined;
    return {
      shard,
      endpoint,
      task,
      sentAt,
      gone: status === 410,
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

  return { pump };
}
