/** Sends what endpoints have queued, as many at once as the process and each endpoint bear. */
import type { Dispatcher } from "undici";
import { notificationText } from "../matching/event.ts";
import { refuseLiteralPrivate } from "./dialer.ts";
import { type Endpoint, noteOutcome, type Task, takeNext } from "./endpoint.ts";
import { errorClassOf } from "./error-class.ts";
import { exchange, type Outcome } from "./exchange.ts";
import type { Attempt, Recorder } from "./recorder.ts";
import { parseRetryAfter, pauseAfter } from "./schedule.ts";
import { isOpen, type Shard } from "./shard.ts";
import { signatureHeaders } from "./signature.ts";

const inFlightLimit = 512;
/** So many results may wait for the database before nothing new is sent. */
const unrecordedLimit = 5_000;

export type SenderOptions = {
  dispatcher: Dispatcher;
  recorder: Recorder;
  allowPrivateTargets: boolean;
  timeoutMs: number;
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
  const { dispatcher, recorder, allowPrivateTargets, timeoutMs, now, onFree } = options;
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
    const outcome = await post(shard, endpoint, task);
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

  async function post(shard: Shard, endpoint: Endpoint, task: Task): Promise<Outcome | undefined> {
    const { url, keys, webhookId } = endpoint;
    try {
      if (!allowPrivateTargets) refuseLiteralPrivate(url);
    } catch (error) {
      return { errorClass: errorClassOf(error), durationMs: 0 };
    }
    const body = Buffer.from(notificationText({ webhookId, messageId: task.messageId, eventText: task.text }));
    const headers = {
      "content-type": "application/json",
      "user-agent": "chain-webhooks/1",
      ...signatureHeaders(task.messageId, body, keys, now()),
      "webhook-sequence": String(task.sequence),
    };
    return exchange(dispatcher, url, { headers, body }, { timeoutMs, signal: shard.lease.lost });
  }

  function attemptOf(shard: Shard, endpoint: Endpoint, task: Task, outcome: Outcome, sentAt: number): Attempt {
    const { errorClass, status, body, retryAfter, durationMs } = outcome;
    const { recordedOn, webhookId, sequence } = task;
    const number = task.attempts + 1;
    const mayAsk = status === 429 || status === 503;
    const pauseMs =
      errorClass && pauseAfter(number, mayAsk ? parseRetryAfter(retryAfter, now()) : undefined, Math.random());
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
        number,
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
