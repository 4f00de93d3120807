/** Who starts the next exchange: accounts take turns, and so do the endpoints of each. */
import type { Account } from "./account.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Speed } from "./pace.ts";

/** Decides about a turn, and takes it. */
export type TurnRules = {
  /** Whether any exchange may start. */
  isRoom(): boolean;
  /** Whether the account may start an exchange with endpoints of this speed. */
  mayBegin(account: Account, speed: Speed): boolean;
  /** Starts an exchange. @returns how many characters it sends; undefined if it could not start: the shard may be lost, or the endpoint rests */
  begin(endpoint: Endpoint, speed: Speed): number | undefined;
};

/** Signing and writing this many characters takes as long as the rest of an exchange, so they cost one more turn. */
const charactersPerTurn = 32_768;

/** An account's endpoints that could take more. */
type AccountQueues = Record<Speed, Fifo<Endpoint>>;

export class Turns {
  /** In the order of their turns. */
  readonly #accounts = new Map<Account, AccountQueues>();
  readonly #rules: TurnRules;
  /** How many turns accounts must skip, for large bodies that they have sent. */
  readonly #owed = new WeakMap<Account, number>();

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
    // An account that moves behind the others comes again in the same loop.
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
  #passesOver(account: Account): boolean {
    const owed = this.#owed.get(account);
    if (owed === undefined) return false;
    if (owed > 1 && this.#accounts.size > 1) this.#owed.set(account, owed - 1);
    else this.#owed.delete(account);
    return this.#accounts.size > 1;
  }

  /** @returns whether an exchange has started */
  #begin(account: Account, queues: AccountQueues): boolean {
    const quick = this.#beginFrom(account, queues, "quick");
    const asNew = this.#beginFrom(account, queues, "new");
    const slow = this.#beginFrom(account, queues, "slow");
    const owed = Math.floor(((quick ?? 0) + (asNew ?? 0) + (slow ?? 0)) / charactersPerTurn);
    if (owed > 0) this.#owed.set(account, owed);
    return quick !== undefined || asNew !== undefined || slow !== undefined;
  }

  /** @returns how many characters the exchange sends; undefined if none has started */
  #beginFrom(account: Account, queues: AccountQueues, speed: Speed): number | undefined {
    const queue = queues[speed];
    while (queue.size > 0 && this.#rules.isRoom() && this.#rules.mayBegin(account, speed)) {
      const endpoint = queue.take();
      if (!endpoint) return undefined;
      endpoint.leaveQueue(speed);
      const hasSpeed = endpoint.speed === speed;
      const begun = hasSpeed && endpoint.isFree ? this.#rules.begin(endpoint, speed) : undefined;
      // Behind the others; or in another queue, if its speed changed while it waited.
      if (begun !== undefined || !hasSpeed) this.add(endpoint);
      if (begun !== undefined) return begun;
    }
    return undefined;
  }
}

function isAnyIn({ quick, new: asNew, slow }: AccountQueues): boolean {
  return quick.size + asNew.size + slow.size > 0;
}

/** First in, first out. An array's own `shift` moves everything behind the first; thousands of endpoints may wait here. */
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
