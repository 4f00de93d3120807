/** Sends what endpoints have queued. account.ts and each endpoint's pace limit how many exchanges are concurrent. */
import type { Account } from "./account.ts";
import { type FinishedAttempt, finishedAttempt } from "./attempt.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Exchange, Outcome } from "./exchange.ts";
import type { Speed } from "./pace.ts";
import type { Post } from "./post.ts";
import type { QueuedNotification } from "./queued-notification.ts";
import { isOpen } from "./shard.ts";
import { Turns } from "./turns.ts";

/** How many exchanges start in one turn of the event loop, so that answers are read in between. */
const beginLimit = 16;
/** How many characters start in one turn: 2 ms. Bodies may have megabytes, and everything else in the process waits meanwhile. */
const characterLimit = 1_000_000;

export type SenderOptions = {
  post: Post;
  /** Takes each attempt that has an outcome. */
  record: (attempt: FinishedAttempt) => void;
  /** The database's time, in ms since the epoch. */
  now: () => number;
  /** The pauses between attempts. */
  pausesMs: readonly number[];
  /** Called for each notification when its exchange begins. */
  onBegin: (notification: QueuedNotification) => void;
  /** Called with each outcome. */
  onOutcome: (outcome: Outcome) => void;
  /** Called when an endpoint can take more of its backlog. */
  onBacklogWanted: () => void;
};

export type Sender = {
  /** Sends what the endpoint has queued as soon as it is its turn. */
  schedule(endpoint: Endpoint): void;
  /** Continues with endpoints that waited for room. Call it after results were recorded. */
  resume(): void;
  /** Continues with endpoints whose rest is over. Call it often. */
  resumeRested(): void;
};

/** An attempt in flight. */
type AttemptInFlight = {
  endpoint: Endpoint;
  notification: QueuedNotification;
  speed: Speed;
  url: string;
  /** By `performance.now()`. */
  at: number;
  exchange: Exchange | undefined;
  outcome: Outcome | undefined;
};

export function createSender(options: SenderOptions): Sender {
  const { post, record, now, pausesMs, onBegin, onOutcome, onBacklogWanted } = options;
  const turns = new Turns({ isRoom, mayBegin, begin });
  const resting = new Set<Endpoint>();
  let begunInThisTurn = 0;
  let charactersInThisTurn = 0;
  /** The exchanges that ended in this turn of the event loop. */
  let ended: AttemptInFlight[] = [];
  let isTurnScheduled = false;

  function isRoom(): boolean {
    return begunInThisTurn < beginLimit && charactersInThisTurn < characterLimit;
  }

  function mayBegin(account: Account, speed: Speed): boolean {
    if (speed !== "quick" && !account[speed].mayGrow()) return false;
    return account.exchanges.mayGrow() && account.bytes.mayGrow() && account.unrecorded.mayGrow();
  }

  function begin(endpoint: Endpoint, speed: Speed): number | undefined {
    if (!isOpen(endpoint.shard)) return undefined;
    if (endpoint.isResting) {
      resting.add(endpoint);
      return undefined;
    }
    const notification = endpoint.begin();
    if (notification) send(endpoint, notification, speed);
    return notification?.eventText.length;
  }

  function schedule(endpoint: Endpoint): void {
    turns.add(endpoint);
    turns.run();
  }

  function resumeRested(): void {
    for (const endpoint of resting) {
      if (endpoint.isResting) continue;
      resting.delete(endpoint);
      schedule(endpoint);
    }
  }

  /** Exchanges that ended are concluded together, after all answers were read. One by one would cost half as much again. */
  function nextTurn(): void {
    isTurnScheduled = false;
    begunInThisTurn = 0;
    charactersInThisTurn = 0;
    const attempts = ended;
    ended = [];
    for (const attempt of attempts) {
      conclude(attempt);
      if (attempt.outcome) turns.add(attempt.endpoint);
    }
    turns.run();
  }

  function scheduleTurn(): void {
    if (isTurnScheduled) return;
    isTurnScheduled = true;
    setImmediate(nextTurn);
  }

  function send(endpoint: Endpoint, notification: QueuedNotification, speed: Speed): void {
    begunInThisTurn += 1;
    charactersInThisTurn += notification.eventText.length;
    scheduleTurn();
    const { url } = endpoint.target;
    const at = performance.now();
    const attempt: AttemptInFlight = {
      endpoint,
      notification,
      speed,
      url,
      at,
      exchange: undefined,
      outcome: undefined,
    };
    onBegin(notification);
    const exchange = post(endpoint, notification, (outcome) => {
      attempt.outcome = outcome;
      ended.push(attempt);
      scheduleTurn();
    });
    attempt.exchange = exchange;
    count(attempt, exchange, 1);
    endpoint.shard.exchanges.add(exchange);
  }

  function count({ endpoint: { account }, speed }: AttemptInFlight, { bytes }: Exchange, sign: 1 | -1): void {
    account.exchanges.add(sign);
    if (speed !== "quick") account[speed].add(sign);
    account.bytes.add(sign * bytes);
  }

  function conclude(attempt: AttemptInFlight): void {
    const { endpoint, exchange, outcome, url } = attempt;
    const isGone = endpoint.finish(outcome, url);
    if (outcome) {
      onOutcome(outcome);
      record(finishedAttempt(attempt, outcome, { now, pausesMs, goneUrl: isGone ? url : undefined }));
      if (endpoint.backlogWanted(performance.now()) > 0) onBacklogWanted();
    }
    if (!exchange) return;
    count(attempt, exchange, -1);
    endpoint.shard.exchanges.delete(exchange);
  }

  return { schedule, resume: () => turns.run(), resumeRested };
}
