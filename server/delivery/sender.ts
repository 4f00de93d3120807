/** Sends what endpoints have queued, with as many exchanges at the same time as account.ts and each endpoint's pace allow. */
import type { Account } from "./account.ts";
import { attemptOf, type Sent } from "./attempt.ts";
import { backlogWanted, park } from "./backlog.ts";
import { type Endpoint, type Lane, type Task, takeNext } from "./endpoint.ts";
import type { Exchange, Outcome } from "./exchange.ts";
import { isResting, noteEnd } from "./pace.ts";
import type { Post } from "./post.ts";
import type { Recorder } from "./recorder.ts";
import { isOpen, type Shard } from "./shard.ts";
import { Turns } from "./turns.ts";

/** So many are begun in one turn of the event loop: what is answered meanwhile is read before more are. */
const begunInATurnLimit = 16;
/** And so many characters, which take 2 ms: bodies may have megabytes, and everything else of the process waits meanwhile. */
const charactersInATurnLimit = 1_000_000;

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
  /** Sends what the endpoint has queued as soon as it is its turn. */
  pump(shard: Shard, endpoint: Endpoint): void;
  /** Goes on with those that had to wait for room. To be called when results were recorded. */
  pumpWaiting(): void;
  /** Goes on with those that were left alone for long enough. To be called often. */
  pumpRested(): void;
};

/** What is sent, and what came of it. */
type Sending = Sent & {
  /** Where to. */
  url: string;
  lane: Lane;
  exchange: Exchange | undefined;
  result: Outcome | undefined;
};

export function createSender(options: SenderOptions): Sender {
  const { post, recorder, now, onSend, onEnd, onBacklogWanted } = options;
  const turns = new Turns({ isRoom, mayBegin, begin });
  const resting = new Map<Endpoint, Shard>();
  let begunInThisTurn = 0;
  let charactersInThisTurn = 0;
  /** Exchanges that have ended in this turn of the event loop. */
  let ended: Sending[] = [];
  let turning = false;

  function isRoom(): boolean {
    return begunInThisTurn < begunInATurnLimit && charactersInThisTurn < charactersInATurnLimit;
  }

  function mayBegin(account: Account, lane: Lane): boolean {
    if (lane !== "quick" && !account[lane].mayGrow()) return false;
    return account.exchanges.mayGrow() && account.bytes.mayGrow() && account.unrecorded.mayGrow();
  }

  function begin(shard: Shard, endpoint: Endpoint, lane: Lane): number | undefined {
    if (!isOpen(shard)) return undefined;
    if (isResting(endpoint.pace)) {
      resting.set(endpoint, shard);
      return undefined;
    }
    const task = takeNext(endpoint);
    if (task) send(shard, endpoint, task, lane);
    return task?.text.length;
  }

  function pump(shard: Shard, endpoint: Endpoint): void {
    turns.add(shard, endpoint);
    turns.give();
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
    charactersInThisTurn = 0;
    const sent = ended;
    ended = [];
    for (const each of sent) {
      conclude(each);
      if (each.result) turns.add(each.shard, each.endpoint);
    }
    turns.give();
  }

  function turn(): void {
    if (turning) return;
    turning = true;
    setImmediate(nextTurn);
  }

  function send(shard: Shard, endpoint: Endpoint, task: Task, lane: Lane): void {
    begunInThisTurn += 1;
    charactersInThisTurn += task.text.length;
    turn();
    const { url } = endpoint;
    const sentAt = performance.now();
    const sending: Sending = { shard, endpoint, task, sentAt, url, lane, exchange: undefined, result: undefined };
    onSend(task);
    const exchange = post(endpoint, task, (result) => {
      sending.result = result;
      ended.push(sending);
      turn();
    });
    sending.exchange = exchange;
    count(sending, exchange, 1);
    shard.exchanges.add(exchange);
  }

  function count({ endpoint: { account }, lane }: Sending, { bytes }: Exchange, sign: 1 | -1): void {
    account.exchanges.add(sign);
    if (lane !== "quick") account[lane].add(sign);
    account.bytes.add(sign * bytes);
  }

  function conclude(sending: Sending): void {
    const { shard, endpoint, exchange, result } = sending;
    endpoint.inFlight -= 1;
    if (result) take(sending, result);
    if (!exchange) return;
    count(sending, exchange, -1);
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

  return { pump, pumpWaiting: () => turns.give(), pumpRested };
}
