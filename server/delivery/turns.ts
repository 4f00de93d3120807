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
  /** Begins an exchange. @returns whether it could: its shard may be lost, or the endpoint must be left alone for a while */
  begin(shard: Shard, endpoint: Endpoint, lane: Lane): boolean;
};

/** An account's endpoints that could take more. */
type Lines = Record<Lane, Line<{ shard: Shard; endpoint: Endpoint }>>;

export class Turns {
  /** In the order of their turns. */
  readonly #accounts = new Map<Account, Lines>();
  readonly #rules: Rules;

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

  /** @returns whether an exchange has begun */
  #begin(account: Account, lines: Lines): boolean {
    const quick = this.#beginIn(account, lines, "quick");
    const asNew = this.#beginIn(account, lines, "new");
    const slow = this.#beginIn(account, lines, "slow");
    return quick || asNew || slow;
  }

  /** @returns whether an exchange has begun in this lane */
  #beginIn(account: Account, lines: Lines, lane: Lane): boolean {
    const line = lines[lane];
    while (line.size > 0 && this.#rules.isRoom() && this.#rules.mayBegin(account, lane)) {
      const first = line.take();
      if (!first) return false;
      const { shard, endpoint } = first;
      endpoint.inLine[lane] = false;
      const isHere = laneOf(endpoint) === lane;
      const begins = isHere && isFree(endpoint) && this.#rules.begin(shard, endpoint, lane);
      // Behind the others; or in another line, if it has become quick or slow while it waited.
      if (begins || !isHere) this.add(shard, endpoint);
      if (begins) return true;
    }
    return false;
  }
}

function isAnyIn({ quick, new: asNew, slow }: Lines): boolean {
  return quick.size + asNew.size + slow.size > 0;
}
