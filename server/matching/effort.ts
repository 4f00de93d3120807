/**
 * What matching a block costs, by account. Accounts share the transaction in which a block is recorded, so each has a bound for its part of it.
 * Units are counted, not milliseconds: the same block and the same webhooks always come to the same result.
 */

/** How much of a block an account may take. */
export type EffortLimit = {
  /** How many notifications. */
  matches: number;
  /** Comparisons of conditions with candidates. */
  units: number;
};

/** What else costs, in units. */
export const unitsOf = {
  /** A match whose conditions are still to be evaluated. */
  candidateMatch: 100,
  /** A word of a log that is decoded for a condition. */
  word: 30,
};

type Spent = { matches: number; units: number };

export class Efforts {
  readonly #limit: EffortLimit;
  readonly #spent = new Map<number, Spent>();
  readonly #costly = new Set<number>();

  constructor(limit: EffortLimit) {
    this.#limit = limit;
  }

  /** The accounts over the limit. What is found for a block that has any is not to be used. */
  get costly(): ReadonlySet<number> {
    return this.#costly;
  }

  /** @param accountId of a webhook; undefined if it costs nobody but the caller */
  add(accountId: number | undefined, effort: Partial<Spent>): void {
    if (accountId === undefined) return;
    const spent = this.#spent.get(accountId) ?? { matches: 0, units: 0 };
    spent.matches += effort.matches ?? 0;
    spent.units += effort.units ?? 0;
    this.#spent.set(accountId, spent);
    if (spent.matches > this.#limit.matches || spent.units > this.#limit.units) this.#costly.add(accountId);
  }
}
