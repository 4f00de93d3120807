/** Sends what endpoints have queued, as many at once as the process and each endpoint bear. */
import { attemptOf, type Sent } from "./attempt.ts";
import { backlogWanted, park } from "./backlog.ts";
import { type Endpoint, isFree, type Task, takeNext } from "./endpoint.ts";
import type { Exchange, Outcome } from "./exchange.ts";
import { isResting, noteEnd } from "./pace.ts";
import type { Post } from "./post.ts";
import type { Recorder } from "./recorder.ts";
import { isOpen, type Shard } from "./shard.ts";

/** So many exchanges at once, and so many of them with endpoints that failed or took long the last time. */
const exchangesLimit = 512;
const slowExchangesLimit = 256;
/** So many are begun in one turn of the event loop: what is answered meanwhile is read before more are. */
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

/** An endpoint of a shard. */
type Pumped = { shard: Shard; endpoint: Endpoint };

/** What is sent, and what came of it. */
type Sending = Sent & {
  /** Where to. */
  url: string;
  /** 1 for one of the slow, which are counted. */
  slow: 0 | 1;
  exchange: Exchange | undefined;
  result: Outcome | undefined;
};

export function createSender(options: SenderOptions): Sender {
  const { post, recorder, now, onSend, onEnd, onBacklogWanted } = options;
  /** Endpoints that could take more, in the order in which they came to wait for room. */
  const waiting = { quick: [] as Pumped[], slow: [] as Pumped[] };
  const resting = new Map<Endpoint, Shard>();
  const underWay = { exchanges: 0, slow: 0, bytes: 0 };
  let begunInThisTurn = 0;
  /** Exchanges that have ended in this turn of the event loop. */
  let ended: Sending[] = [];
  let turning = false;

  const laneOf = ({ pace }: Endpoint) => (pace.slow ? "slow" : "quick");

  function isRoom(lane: "slow" | "quick"): boolean {
    if (begunInThisTurn >= begunInATurnLimit) return false;
    if (recorder.size() >= unrecordedLimit || underWay.bytes >= bytesLimit) return false;
    return underWay.exchanges < exchangesLimit && (lane === "quick" || underWay.slow < slowExchangesLimit);
  }

  function pump(shard: Shard, endpoint: Endpoint): void {
    while (endpoint.queue.length > 0 && isFree(endpoint)) {
      const lane = laneOf(endpoint);
      if (!isRoom(lane)) {
        wait(lane, shard, endpoint);
        return;
      }
      if (!isOpen(shard)) return;
      if (isResting(endpoint.pace)) return void resting.set(endpoint, shard);
      const task = takeNext(endpoint);
      if (task) send(shard, endpoint, task, lane === "slow" ? 1 : 0);
    }
  }

  function wait(lane: "slow" | "quick", shard: Shard, endpoint: Endpoint): void {
    if (endpoint.inLine === lane) return;
    endpoint.inLine = lane;
    waiting[lane].push({ shard, endpoint });
  }

  function pumpWaiting(): void {
    for (const lane of ["quick", "slow"] as const) {
      const line = waiting[lane];
      let pumped = 0;
      for (; isRoom(lane); pumped += 1) {
        const first = line[pumped];
        if (!first) break;
        // It waits with the others by now, or came twice.
        if (first.endpoint.inLine !== lane) continue;
        first.endpoint.inLine = undefined;
        pump(first.shard, first.endpoint);
      }
      line.splice(0, pumped);
    }
  }

  function pumpRested(): void {
    for (const [endpoint, shard] of resting) {
      if (isResting(endpoint.pace)) continue;
      resting.delete(endpoint);
      pump(shard, endpoint);
    }
  }

  /** What has ended is taken in together, once all that has come was read: one by one would cost half as much again. */
  function nextTurn(): void {
    turning = false;
    begunInThisTurn = 0;
    const sent = ended;
    ended = [];
    for (const each of sent) conclude(each);
    // Those that wait for room come first: an endpoint that has some does not keep it.
    pumpWaiting();
    for (const { shard, endpoint, result } of sent) if (result) pump(shard, endpoint);
  }

  function turn(): void {
    if (turning) return;
    turning = true;
    setImmediate(nextTurn);
  }

  function send(shard: Shard, endpoint: Endpoint, task: Task, slow: 0 | 1): void {
    begunInThisTurn += 1;
    turn();
    const { url } = endpoint;
    const sentAt = performance.now();
    const sending: Sending = { shard, endpoint, task, sentAt, url, slow, exchange: undefined, result: undefined };
    onSend(task);
    const exchange = post(endpoint, task, (result) => {
      sending.result = result;
      ended.push(sending);
      turn();
    });
    sending.exchange = exchange;
    underWay.exchanges += 1;
    underWay.slow += slow;
    underWay.bytes += exchange.bytes;
    shard.exchanges.add(exchange);
  }

  function conclude(sending: Sending): void {
    const { shard, endpoint, slow, exchange, result } = sending;
    underWay.exchanges -= 1;
    underWay.slow -= slow;
    endpoint.inFlight -= 1;
    if (result) take(sending, result);
    if (!exchange) return;
    underWay.bytes -= exchange.bytes;
    shard.exchanges.delete(exchange);
  }

  function take(sent: Sending, result: Outcome): void {
    const { endpoint, url } = sent;
    const at = performance.now();
    const isGone = result.status === 410 && endpoint.url === url;
    onEnd(result);
    endpoint.failing = result.errorClass !== undefined;
    noteEnd(endpoint.pace, !endpoint.failing, result.durationMs, at);
    // The record of it comes later; until then nothing more is sent.
    if (isGone) endpoint.active = false;
    if (isGone) park(endpoint);
    recorder.add(attemptOf(sent, result, { now, goneUrl: isGone ? url : undefined }));
    if (backlogWanted(endpoint, at) > 0) onBacklogWanted();
  }

  return { pump, pumpWaiting, pumpRested, inFlight: () => underWay.exchanges };
}
