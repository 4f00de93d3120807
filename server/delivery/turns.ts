/** Who begins the next exchange: accounts take turns, and so do the endpoints of each. */
import type { Account } from "./account.ts";
import { type Endpoint, isFree, type Lane, laneOf } from "./endpoint.ts";
import { Line } from "./line.ts";
import type { Shard } from "./shard.ts";

/** What decides about a turn, and takes it. */
export type Rules = {
  /** Whether anything may begin. */
  isRoom(): boolean;
  /** Whether the account may begin something in this lane. */
  mayBegin(account: Account, lane: Lane): boolean;
  /**
   * Begins an exchange.
   *
   * @returns how many characters it sends; undefined when it could not: its shard may be lost, or the endpoint must be left alone for a while
   */
  begin(shard: Shard, endpoint: Endpoint, lane: Lane): number | undefined;
};

/** To sign and write so many characters takes as long as the rest of an exchange, so they cost one more turn. */
const charactersATurn = 32_768;

/** An account's endpoints that could take more. */
type Lines = Record<Lane, Line<{ shard: Shard; endpoint: Endpoint }>>;

export class Turns {
  /** In the order of their turns. */
  readonly #accounts = new Map<Account, Lines>();
  readonly #rules: Rules;
  /** How many turns accounts pass over, for large bodies that they have sent. */
  readonly #owed = new WeakMap<Account, number>();

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** Puts the endpoint at the end of its line if it could take something. */
  add(shard: Shard, endpoint: Endpoint): void {
    const lane = laneOf(endpoint);
    if (endpoint.inLine[lane] || endpoint.queue.length === 0 || !isFree(endpoint)) return;
    let lines = this.#accounts.get(endpoint.account);
    if (!lines) {
      lines = { quick: new Line(), new: new Line(), slow: new Line() };
      this.#accounts.set(endpoint.account, lines);
    }
    endpoint.inLine[lane] = true;
    lines[lane].add({ shard, endpoint });
  }

  /** Gives turns while there is room: each begins one exchange a lane. */
  give(): void {
    let passedOver = 0;
    // An account that is put behind the others comes again in the same loop.
    for (const [account, lines] of this.#accounts) {
      if (passedOver >= this.#accounts.size || !this.#rules.isRoom()) return;
      if (this.#passesOver(account)) {
        passedOver = 0;
        this.#accounts.delete(account);
        this.#accounts.set(account, lines);
        continue;
      }
      passedOver += 1;
      // Nobody else waits for a turn: it has the next one too.
      let begins = this.#begin(account, lines);
      if (begins) passedOver = 0;
      while (begins && this.#accounts.size === 1 && this.#rules.isRoom()) begins = this.#begin(account, lines);
      this.#accounts.delete(account);
      if (isAnyIn(lines)) this.#accounts.set(account, lines);
      else passedOver = 0;
    }
  }

  /** Whether the account leaves this turn to others. Where nobody else waits, it owes nothing. */
  #passesOver(account: Account): boolean {
    const owed = this.#owed.get(account);
    if (owed === undefined) return false;
    if (owed > 1 && this.#accounts.size > 1) this.#owed.set(account, owed - 1);
    else this.#owed.delete(account);
    return this.#accounts.size > 1;
  }

  /** @returns whether an exchange has begun */
  #begin(account: Account, lines: Lines): boolean {
    const quick = this.#beginIn(account, lines, "quick");
    const asNew = this.#beginIn(account, lines, "new");
    const slow = this.#beginIn(account, lines, "slow");
    const owed = Math.floor(((quick ?? 0) + (asNew ?? 0) + (slow ?? 0)) / charactersATurn);
    if (owed > 0) this.#owed.set(account, owed);
    return quick !== undefined || asNew !== undefined || slow !== undefined;
  }

  /** @returns how many characters the exchange sends that has begun in this lane; undefined where none has */
  #beginIn(account: Account, lines: Lines, lane: Lane): number | undefined {
    const line = lines[lane];
    while (line.size > 0 && this.#rules.isRoom() && this.#rules.mayBegin(account, lane)) {
      const first = line.take();
      if (!first) return undefined;
      const { shard, endpoint } = first;
      endpoint.inLine[lane] = false;
      const isHere = laneOf(endpoint) === lane;
      const begun = isHere && isFree(endpoint) ? this.#rules.begin(shard, endpoint, lane) : undefined;
      // Behind the others; or in another line, if it has become quick or slow while it waited.
      if (begun !== undefined || !isHere) this.add(shard, endpoint);
      if (begun !== undefined) return begun;
    }
    return undefined;
  }
}

function isAnyIn({ quick, new: asNew, slow }: Lines): boolean {
  return quick.size + asNew.size + slow.size > 0;
}
