/**
 * Sends what endpoints have queued. Accounts take turns, and so do the endpoints of each. Their shares (accounts.ts) and each endpoint's pace
 * limit how many exchanges are concurrent.
 */
import type { AccountShares, Speed } from "../accounts.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { QueuedNotification } from "../queued-notification.ts";
import { isOpen } from "../shard.ts";
import { type FinishedAttempts, finishedAttempts } from "./attempt.ts";
import type { Exchange, Outcome } from "./exchange.ts";
import type { Post } from "./post.ts";

/** How many exchanges start in one pass of the event loop, so that answers are read in between. */
const beginLimit = 16;
/** How many characters start in one pass: 2 ms. Bodies may have megabytes, and everything else in the process waits meanwhile. */
const characterLimit = 1_000_000;
/** Signing and writing this many characters takes as long as the rest of an exchange, so they cost one more turn. */
const charactersPerTurn = 32_768;

type SenderContext = {
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

export class Sender {
  readonly #context: SenderContext;
  readonly #turns: Turns;
  readonly #resting = new Set<Endpoint>();
  /** Endpoints whose next POST waits, each with the timer that ends this. */
  readonly #gathering = new Map<Endpoint, NodeJS.Timeout>();
  /** Endpoints with batches that were scheduled in this pass of the event loop. */
  readonly #toBatch = new Set<Endpoint>();
  #isPassScheduled = false;
  #begunInPass = 0;
  #charactersInPass = 0;
  /** The exchanges that ended in this pass. */
  #ended: PostInFlight[] = [];

  constructor(context: SenderContext) {
    this.#context = context;
    this.#turns = new Turns({
      isRoom: () => this.#begunInPass < beginLimit && this.#charactersInPass < characterLimit,
      mayBegin,
      begin: (endpoint, speed) => this.#begin(endpoint, speed),
    });
  }

  /** Sends what the endpoint has queued as soon as it is its turn. */
  schedule(endpoint: Endpoint): void {
    if (endpoint.batch) {
      // What is queued in the same pass goes into the same batch.
      this.#toBatch.add(endpoint);
      this.#schedulePass();
      return;
    }
    this.#turns.add(endpoint);
    this.#turns.run();
  }

  /** Continues with endpoints that waited for room. Call it after results were recorded. */
  resume(): void {
    this.#turns.run();
  }

  /** Continues with endpoints whose rest is over. Call it often. */
  resumeRested(): void {
    for (const endpoint of this.#resting) {
      if (endpoint.isResting) continue;
      this.#resting.delete(endpoint);
      this.schedule(endpoint);
    }
  }

  /** It is the endpoint's turn. @returns how many characters it sends; undefined if it could not start */
  #begin(endpoint: Endpoint, speed: Speed): number | undefined {
    if (!isOpen(endpoint.shard)) return undefined;
    if (endpoint.isResting) {
      this.#resting.add(endpoint);
      return undefined;
    }
    if (endpoint.gathers && this.#gathers(endpoint)) return undefined;
    const notifications = endpoint.begin();
    return notifications.length > 0 ? this.#send(endpoint, notifications, speed) : undefined;
  }

  /** Whether the endpoint's next POST waits. A timer then ends this. */
  #gathers(endpoint: Endpoint): boolean {
    clearTimeout(this.#gathering.get(endpoint));
    const waitMs = endpoint.gather(performance.now());
    if (waitMs <= 0) {
      this.#gathering.delete(endpoint);
      return false;
    }
    const timer = setTimeout(() => {
      this.#gathering.delete(endpoint);
      this.schedule(endpoint);
    }, Math.ceil(waitMs));
    this.#gathering.set(endpoint, timer.unref());
    return true;
  }

  /** @returns how many characters it sends */
  #send(endpoint: Endpoint, notifications: readonly QueuedNotification[], speed: Speed): number {
    const { onBegin, post } = this.#context;
    let characters = 0;
    for (const notification of notifications) {
      characters += notification.eventText.length;
      onBegin(notification);
    }
    this.#begunInPass += 1;
    this.#charactersInPass += characters;
    this.#schedulePass();
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
      this.#ended.push(inFlight);
      this.#schedulePass();
    });
    inFlight.exchange = exchange;
    // What was decoded for it is larger than what was read.
    const decoded = Math.max(0, exchange.bytes - characters);
    this.#charactersInPass += decoded;
    countShares(inFlight, exchange, 1);
    endpoint.shard.exchanges.add(exchange);
    return characters + decoded;
  }

  #schedulePass(): void {
    if (this.#isPassScheduled) return;
    this.#isPassScheduled = true;
    setImmediate(() => this.#pass());
  }

  /** Exchanges that ended are concluded together, after all answers were read. One by one would cost half as much again. */
  #pass(): void {
    this.#isPassScheduled = false;
    this.#begunInPass = 0;
    this.#charactersInPass = 0;
    const posts = this.#ended;
    this.#ended = [];
    for (const inFlight of posts) {
      this.#conclude(inFlight);
      if (inFlight.outcome) this.#turns.add(inFlight.endpoint);
    }
    for (const endpoint of this.#toBatch) this.#turns.add(endpoint);
    this.#toBatch.clear();
    this.#turns.run();
  }

  #conclude(inFlight: PostInFlight): void {
    const { record, onParked, onOutcome, onBacklogWanted } = this.#context;
    const { endpoint, notifications, exchange, outcome, url } = inFlight;
    if (outcome) {
      const attempts = finishedAttempts(inFlight, outcome, this.#context);
      const isGone = endpoint.finish(outcome, url, attempts.rows);
      if (isGone) attempts.goneUrl = url;
      if (endpoint.awaitsRetry) onParked(endpoint);
      onOutcome(outcome, notifications.length);
      record(attempts);
      if (endpoint.backlogWanted(performance.now()) > 0) onBacklogWanted();
    } else {
      endpoint.finish(undefined, url, []);
    }
    if (!exchange) return;
    countShares(inFlight, exchange, -1);
    endpoint.shard.exchanges.delete(exchange);
  }
}

/** Whether the account may start an exchange with endpoints of this speed. */
function mayBegin(account: AccountShares, speed: Speed): boolean {
  if (speed !== "quick" && !account[speed].mayGrow()) return false;
  if (!account.inFlight.mayGrow()) return false;
  return account.exchanges.mayGrow() && account.bytes.mayGrow() && account.unrecorded.mayGrow();
}

/** Counts what an exchange takes of its account's shares, or gives it back. */
function countShares(
  { endpoint: { account }, notifications, speed }: PostInFlight,
  { bytes }: Exchange,
  sign: 1 | -1,
): void {
  account.exchanges.add(sign);
  account.inFlight.add(sign * notifications.length);
  if (speed !== "quick") account[speed].add(sign);
  account.bytes.add(sign * bytes);
}

/** Decides about a turn, and takes it. */
type TurnRules = {
  /** Whether any exchange may start. */
  isRoom(): boolean;
  mayBegin(account: AccountShares, speed: Speed): boolean;
  /** Starts an exchange. @returns how many characters it sends; undefined if it could not start: the shard may be lost, or the endpoint rests */
  begin(endpoint: Endpoint, speed: Speed): number | undefined;
};

/** An account's endpoints that could take more. */
type AccountQueues = Record<Speed, Fifo<Endpoint>>;

/** Who starts the next exchange. */
class Turns {
  /** In the order of their turns. */
  readonly #accounts = new Map<AccountShares, AccountQueues>();
  readonly #rules: TurnRules;
  /** How many turns accounts must skip, for large bodies that they have sent. */
  readonly #owed = new WeakMap<AccountShares, number>();

  constructor(rules: TurnRules) {
    this.#rules = rules;
  }

  /** Queues the endpoint for a turn if it has something to send and can take it. */
  add(endpoint: Endpoint): void {
    const speed = endpoint.joinQueue();
    if (!speed) return;
    let queues = this.#accounts.get(endpoint.account);
    if (!queues) {
      queues = { quick: new Fifo(), new: new Fifo(), slow: new Fifo() };
      this.#accounts.set(endpoint.account, queues);
    }
    queues[speed].add(endpoint);
  }

  /** Takes turns while there is room. In each, an account starts one exchange of each speed. */
  run(): void {
    let passedOver = 0;
    // An account that moves after the others comes again in the same loop.
    for (const [account, queues] of this.#accounts) {
      if (passedOver >= this.#accounts.size || !this.#rules.isRoom()) return;
      if (this.#passesOver(account)) {
        passedOver = 0;
        this.#accounts.delete(account);
        this.#accounts.set(account, queues);
        continue;
      }
      passedOver += 1;
      // An account alone has the next turn too.
      let begins = this.#begin(account, queues);
      if (begins) passedOver = 0;
      while (begins && this.#accounts.size === 1 && this.#rules.isRoom()) begins = this.#begin(account, queues);
      this.#accounts.delete(account);
      if (isAnyIn(queues)) this.#accounts.set(account, queues);
      else passedOver = 0;
    }
  }

  /** Whether the account leaves this turn to others. A single account owes nothing. */
  #passesOver(account: AccountShares): boolean {
    const owed = this.#owed.get(account);
    if (owed === undefined) return false;
    if (owed > 1 && this.#accounts.size > 1) this.#owed.set(account, owed - 1);
    else this.#owed.delete(account);
    return this.#accounts.size > 1;
  }

  /** @returns whether an exchange has started */
  #begin(account: AccountShares, queues: AccountQueues): boolean {
    const quick = this.#beginFrom(account, queues, "quick");
    const asNew = this.#beginFrom(account, queues, "new");
    const slow = this.#beginFrom(account, queues, "slow");
    const owed = Math.floor(((quick ?? 0) + (asNew ?? 0) + (slow ?? 0)) / charactersPerTurn);
    if (owed > 0) this.#owed.set(account, owed);
    return quick !== undefined || asNew !== undefined || slow !== undefined;
  }

  /** @returns how many characters the exchange sends; undefined if none has started */
  #beginFrom(account: AccountShares, queues: AccountQueues, speed: Speed): number | undefined {
    const queue = queues[speed];
    while (queue.size > 0 && this.#rules.isRoom() && this.#rules.mayBegin(account, speed)) {
      const endpoint = queue.take();
      if (!endpoint) return undefined;
      endpoint.leaveQueue(speed);
      const hasSpeed = endpoint.speed === speed;
      const begun = hasSpeed && endpoint.isFree ? this.#rules.begin(endpoint, speed) : undefined;
      // After the others; or in another queue, if its speed changed while it waited.
      if (begun !== undefined || !hasSpeed) this.add(endpoint);
      if (begun !== undefined) return begun;
    }
    return undefined;
  }
}

function isAnyIn({ quick, new: asNew, slow }: AccountQueues): boolean {
  return quick.size + asNew.size + slow.size > 0;
}

/** First in, first out. An array's own `shift` moves everything after the first; thousands of endpoints may wait here. */
class Fifo<T> {
  readonly #items: (T | undefined)[] = [];
  #first = 0;

  get size(): number {
    return this.#items.length - this.#first;
  }

  add(item: T): void {
    this.#items.push(item);
  }

  take(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#first];
    this.#items[this.#first] = undefined;
    this.#first += 1;
    if (this.#first * 2 > this.#items.length) {
      this.#items.splice(0, this.#first);
      this.#first = 0;
    }
    return item;
  }
}
