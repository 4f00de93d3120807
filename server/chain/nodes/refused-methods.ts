/**
 * Remembers for a while which methods a node said it does not know. Not for good: behind one address there may be several nodes, of
 * which one lacks the method, and a node may learn it with its next version.
 */
export type RefusedMethods = {
  /** The node said so now. */
  add(method: string): void;
  /** Whether it said so not long ago. */
  has(method: string): boolean;
};

/** Doing without a method can cost a call for each transaction of a block; asking for it again costs one call. */
export const refusedForMs = 300_000;

/** @param now ms, of a clock that never goes back */
export function rememberRefusedMethods(now: () => number = () => performance.now()): RefusedMethods {
  const until = new Map<string, number>();
  return {
    add: (method) => void until.set(method, now() + refusedForMs),
    has: (method) => (until.get(method) ?? Number.NEGATIVE_INFINITY) > now(),
  };
}
