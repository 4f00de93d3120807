/** What one node accepts: how much at the same time, and which methods. Both are learned from its responses. */

/** A limit, a whole number from 1 on. */
export type Limit = {
  now(): number;
  /** @param tooMuch what the node refused; the current limit unless given */
  halve(tooMuch?: number): void;
  grow(): void;
};

/** @param most the limit at first, and its maximum @param growth how much each `grow` adds */
export function adaptiveLimit(most: number, growth: number): Limit {
  let limit = most;
  return {
    now: () => Math.floor(limit),
    halve(tooMuch = limit) {
      limit = Math.max(1, tooMuch / 2);
    },
    grow() {
      limit = Math.min(most, limit + growth);
    },
  };
}

/** Limits the concurrent exchanges with a node. */
export type ConcurrencyLimit = {
  /** How many more exchanges may start now. */
  free(): number;
  start(): void;
  /** @param throttled whether the node asked for fewer calls */
  end(throttled: boolean): void;
};

/** One more concurrent exchange after ten that the node did not throttle. */
const concurrencyGrowth = 0.1;

/** @param most the limit at first, and its maximum */
export function limitConcurrency(most: number): ConcurrencyLimit {
  const limit = adaptiveLimit(most, concurrencyGrowth);
  let inFlight = 0;
  return {
    free: () => Math.max(0, limit.now() - inFlight),
    start() {
      inFlight += 1;
    },
    end(throttled) {
      inFlight -= 1;
      if (throttled) limit.halve();
      else limit.grow();
    },
  };
}

/**
 * The methods that a node said it does not know. We remember them for a while only: one of several nodes behind the same address
 * may lack the method, and a node may learn it with its next version.
 */
export type RefusedMethods = {
  add(method: string): void;
  has(method: string): boolean;
};

/** Working around a method can cost a call for each transaction of a block. Trying it again costs one call. */
export const refusedForMs = 300_000;

/** @param now a monotonic clock, in ms */
export function rememberRefusedMethods(now: () => number = () => performance.now()): RefusedMethods {
  const until = new Map<string, number>();
  return {
    add: (method) => void until.set(method, now() + refusedForMs),
    has: (method) => (until.get(method) ?? Number.NEGATIVE_INFINITY) > now(),
  };
}
