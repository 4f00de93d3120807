/** Sends what endpoints have queued. account.ts and each endpoint's pace limit how many exchanges are concurrent. */
import type { Account } from "./account.ts";
import { type FinishedAttempts, finishedAttempts } from "./attempt.ts";
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
  /** Takes the attempts of each exchange that has an outcome. */
  record: (attempts: FinishedAttempts) => void;
  /** The database's time, in ms since the epoch. */
  now: () => number;
  /** The pauses between attempts. */
  pausesMs: readonly number[];
  /** Called for each notification when its exchange begins. */
  onBegin: (notification: QueuedNotification) => void;
  /** Called with each outcome, and how many notifications it is of. */
  onOutcome: (outcome: Outcome, notifications: number) => void;
  /** Called when what waits for an ordered endpoint went back to its backlog. */
  onParked: (endpoint: Endpoint) => void;
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

/** A POST in flight: one notification, or a batch. */
type PostInFlight = {
  endpoint: Endpoint;
  notifications: readonly QueuedNotification[];
  speed: Speed;
  url: string;
  /** By `performance.now()`. */
  at: number;
  exchange: Exchange | undefined;
  outcome: Outcome | undefined;
};

export function createSender(options: SenderOptions): Sender {
  const { post, record, now, pausesMs, onBegin, onOutcome, onParked, onBacklogWanted } = options;
  const turns = new Turns({ isRoom, mayBegin, begin });
  const resting = new Set<Endpoint>();
  /** Endpoints whose batches wait for more, each with the timer that ends this. */
  const gathering = new Map<Endpoint, NodeJS.Timeout>();
  /** Endpoints with batches that were scheduled in this turn of the event loop. */
  const toBatch = new Set<Endpoint>();
  let begunInThisTurn = 0;
  let charactersInThisTurn = 0;
  /** The exchanges that ended in this turn of the event loop. */
  let ended: PostInFlight[] = [];
  let isTurnScheduled = false;

  function isRoom(): boolean {
    return begunInThisTurn < beginLimit && charactersInThisTurn < characterLimit;
  }

  function mayBegin(account: Account, speed: Speed): boolean {
    if (speed !== "quick" && !account[speed].mayGrow()) return false;
    if (!account.inFlight.mayGrow()) return false;
    return account.exchanges.mayGrow() && account.bytes.mayGrow() && account.unrecorded.mayGrow();
  }

  function begin(endpoint: Endpoint, speed: Speed): number | undefined {
    if (!isOpen(endpoint.shard)) return undefined;
    if (endpoint.isResting) {
      resting.add(endpoint);
      return undefined;
    }
    if (endpoint.batch && gathers(endpoint)) return undefined;
    const notifications = endpoint.begin();
    return notifications.length > 0 ? send(endpoint, notifications, speed) : undefined;
  }

  /** Whether the endpoint's next batch waits for more. A timer then ends this. */
  function gathers(endpoint: Endpoint): boolean {
    clearTimeout(gathering.get(endpoint));
    const waitMs = endpoint.gather(performance.now());
    if (waitMs > 0) gathering.set(endpoint, setTimeout(endGathering, Math.ceil(waitMs), endpoint).unref());
    else gathering.delete(endpoint);
    return waitMs > 0;
  }

  function endGathering(endpoint: Endpoint): void {
    gathering.delete(endpoint);
    schedule(endpoint);
  }

  function schedule(endpoint: Endpoint): void {
    if (endpoint.batch) {
      // What is queued in the same turn goes into the same batch.
      toBatch.add(endpoint);
      scheduleTurn();
      return;
    }
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
    const posts = ended;
    ended = [];
    for (const inFlight of posts) {
      conclude(inFlight);
      if (inFlight.outcome) turns.add(inFlight.endpoint);
    }
    for (const endpoint of toBatch) turns.add(endpoint);
    toBatch.clear();
    turns.run();
  }

  function scheduleTurn(): void {
    if (isTurnScheduled) return;
    isTurnScheduled = true;
    setImmediate(nextTurn);
  }

  /** @returns how many characters it sends */
  function send(endpoint: Endpoint, notifications: readonly QueuedNotification[], speed: Speed): number {
    let characters = 0;
    for (const notification of notifications) {
      characters += notification.eventText.length;
      onBegin(notification);
    }
    begunInThisTurn += 1;
    charactersInThisTurn += characters;
    scheduleTurn();
    const { url } = endpoint.target;
    const at = performance.now();
    const inFlight: PostInFlight = {
      endpoint,
      notifications,
      speed,
      url,
      at,
      exchange: undefined,
      outcome: undefined,
    };
    const exchange = post(endpoint, notifications, (outcome) => {
      inFlight.outcome = outcome;
      ended.push(inFlight);
      scheduleTurn();
    });
    inFlight.exchange = exchange;
    // What was decoded for it is larger than what was read.
    const decoded = Math.max(0, exchange.bytes - characters);
    charactersInThisTurn += decoded;
    count(inFlight, exchange, 1);
    endpoint.shard.exchanges.add(exchange);
    return characters + decoded;
  }

  function count(
    { endpoint: { account }, notifications, speed }: PostInFlight,
    { bytes }: Exchange,
    sign: 1 | -1,
  ): void {
    account.exchanges.add(sign);
    account.inFlight.add(sign * notifications.length);
    if (speed !== "quick") account[speed].add(sign);
    account.bytes.add(sign * bytes);
  }

  function conclude(inFlight: PostInFlight): void {
    const { endpoint, notifications, exchange, outcome, url } = inFlight;
    if (outcome) {
      const attempts = finishedAttempts(inFlight, outcome, { now, pausesMs });
      const isGone = endpoint.finish(outcome, url, attempts.rows);
      if (isGone) attempts.goneUrl = url;
      if (endpoint.isHeld) onParked(endpoint);
      onOutcome(outcome, notifications.length);
      record(attempts);
      if (endpoint.backlogWanted(performance.now()) > 0) onBacklogWanted();
    } else {
      endpoint.finish(undefined, url, []);
    }
    if (!exchange) return;
    count(inFlight, exchange, -1);
    endpoint.shard.exchanges.delete(exchange);
  }

  return { schedule, resume: () => turns.run(), resumeRested };
}
