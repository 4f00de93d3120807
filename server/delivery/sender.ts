/** Sends what endpoints have queued, as many at once as the process and each endpoint bear. */
import { attemptOf, type Sent } from "./attempt.ts";
import { backlogWanted, park } from "./backlog.ts";
import { type Endpoint, isFree, type Task, takeNext } from "./endpoint.ts";
import type { Outcome } from "./exchange.ts";
import { noteEnd } from "./pace.ts";
import type { Post } from "./post.ts";
import type { Recorder } from "./recorder.ts";
import { isOpen, type Shard } from "./shard.ts";
import type { Running } from "./under-way.ts";

/** So many exchanges at once, and so many of them with endpoints that failed or took long the last time. */
const exchangesLimit = 512;
const slowExchangesLimit = 256;
/** So many are begun in one turn of the event loop: what was answered meanwhile is read before more are. */
const begunInATurnLimit = 16;
/** So many bytes under way at once. */
const bytesLimit = 256_000_000;
/** So many results may wait for the database before nothing new is sent. */
const unrecordedLimit = 5_000;

export type SenderOptions = {
  post: Post;
  recorder: Recorder;
  /** The database's time, in ms since the epoch. */
  now: () => number;
  /** Told of each notification that is sent now. */
  onSend: (task: Task) => void;
  /** Told what came of each. */
  onEnd: (result: Outcome) => void;
  /** Called when an endpoint may take more of its backlog. */
  onBacklogWanted: () => void;
};

export type Sender = {
  /** Begins as many exchanges with the endpoint as may begin now; the rest begin by themselves. */
  pump(shard: Shard, endpoint: Endpoint): void;
  /** Goes on with those that had to wait for room. To be called when results were recorded. */
  pumpWaiting(): void;
  /** Goes on with those that were left alone for long enough. To be called often. */
  pumpRested(): void;
  /** How many exchanges are under way. */
  inFlight(): number;
};

export function createSender(options: SenderOptions): Sender {
  const { post, recorder, now, onSend, onEnd, onBacklogWanted } = options;
  /** Endpoints that could take more, in the order in which they came to wait for room. */
  const waiting = { quick: new Map<Endpoint, Shard>(), slow: new Map<Endpoint, Shard>() };
  const resting = new Map<Endpoint, Shard>();
  const underWay = { exchanges: 0, slow: 0, bytes: 0 };
  let begunInThisTurn = 0;

  const laneOf = ({ pace }: Endpoint) => (pace.slow ? "slow" : "quick");

  function isRoom(lane: "slow" | "quick"): boolean {
    if (begunInThisTurn >= begunInATurnLimit) return false;
    if (recorder.size() >= unrecordedLimit || underWay.bytes >= bytesLimit) return false;
    return underWay.exchanges < exchangesLimit && (lane === "quick" || underWay.slow < slowExchangesLimit);
  }

  function pump(shard: Shard, endpoint: Endpoint): void {
    while (endpoint.queue.length > 0 && isFree(endpoint) && isOpen(shard)) {
      const lane = laneOf(endpoint);
      if (endpoint.pace.restUntil > performance.now()) return void resting.set(endpoint, shard);
      if (!isRoom(lane)) return void waiting[lane].set(endpoint, shard);
      const task = takeNext(endpoint);
      if (task) send(shard, endpoint, task, lane === "slow" ? 1 : 0);
    }
  }

  function pumpWaiting(): void {
    for (const lane of ["quick", "slow"] as const) {
      for (const [endpoint, shard] of waiting[lane]) {
        if (!isRoom(lane)) break;
        waiting[lane].delete(endpoint);
        pump(shard, endpoint);
      }
    }
  }

  function pumpRested(): void {
    const at = performance.now();
    for (const [endpoint, shard] of resting) {
      if (endpoint.pace.restUntil > at) continue;
      resting.delete(endpoint);
      pump(shard, endpoint);
    }
  }

  function nextTurn(): void {
    begunInThisTurn = 0;
    pumpWaiting();
  }

  function send(shard: Shard, endpoint: Endpoint, task: Task, slow: 0 | 1): void {
    begunInThisTurn += 1;
    if (begunInThisTurn === 1) setImmediate(nextTurn);
    const sentAt = performance.now();
    const { url } = endpoint;
    onSend(task);
    const exchange = post(endpoint, task);
    underWay.exchanges += 1;
    underWay.slow += slow;
    underWay.bytes += exchange.bytes;
    const done = exchange.outcome.then((result) => {
      underWay.exchanges -= 1;
      underWay.slow -= slow;
      underWay.bytes -= exchange.bytes;
      shard.exchanges.delete(running);
      endpoint.inFlight -= 1;
      if (result) take({ shard, endpoint, task, sentAt }, url, result);
      // Those that wait for room come first: an endpoint that has some does not keep it.
      pumpWaiting();
      if (result) pump(shard, endpoint);
    });
    const running: Running = { exchange, done };
    shard.exchanges.add(running);
  }

  function take(sent: Sent, url: string, result: Outcome): void {
    const { endpoint } = sent;
    const at = performance.now();
    const isGone = result.status === 410 && endpoint.url === url;
    onEnd(result);
    endpoint.failing = result.errorClass !== undefined;
    noteEnd(endpoint.pace, !endpoint.failing, result.durationMs, at);
    // The record of it comes later; until then nothing more is sent.
    if (isGone) endpoint.active = false;
    if (isGone) park(endpoint);
    recorder.add(attemptOf(sent, result, { nowMs: now(), goneUrl: isGone ? url : undefined }));
    if (backlogWanted(endpoint, at) > 0) onBacklogWanted();
  }

  return { pump, pumpWaiting, pumpRested, inFlight: () => underWay.exchanges };
}
