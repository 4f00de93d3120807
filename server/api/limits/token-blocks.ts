/**
 * A process's own guard before the buckets that all processes share. It takes tokens from a bucket in blocks and spends them itself, so few
 * requests wait for the database, and none while the bucket is known to be empty. A block is a tenth of what is left, so blocks shrink as
 * the bucket empties. What a process has taken and not spent is at most about a tenth of the limit. All processes together never spend more
 * than the limit, since each token was taken first.
 */

import type { RateLimit } from "../../settings/limits.ts";
import type { TakeFromBucket } from "../../store/accounts/rate-limits.ts";

/** Whether a request may pass, and what is left of its bucket. */
export type Passage = {
  allowed: boolean;
  /** How many more requests would pass now, as far as this process knows. */
  left: number;
  /** The bucket is full again after this time. */
  fullInMs: number;
};

/** One limit's buckets as a process sees them. */
export type Guard = {
  pass(bucket: string): Promise<Passage>;
  /** The state of a bucket that is known to be empty, without a query; undefined while it may hold something. */
  spent(bucket: string): Passage | undefined;
};

type Known = {
  /** Tokens that were taken and not spent yet. */
  unspent: number;
  /** What the last query found in the bucket. */
  left: number;
  /** When the bucket is full again, by `performance.now()`. */
  fullAt: number;
  /** The query for a block that is in flight. */
  taking: Promise<void> | undefined;
  /** How many requests wait for it. */
  waiting: number;
};

const blockPart = 0.1;
/** How many buckets a process remembers. It forgets the oldest first, with its unspent tokens. */
const maxKnown = 100_000;

/** Guards the buckets of a limit. */
export function guardBuckets(take: TakeFromBucket, { requests, seconds }: RateLimit): Guard {
  const known = new Map<string, Known>();
  const stateOf = (bucket: string): Known => {
    const now = performance.now();
    const before = known.get(bucket);
    if (before && (before.fullAt > now || before.taking)) return before;
    known.delete(bucket);
    const [oldest] = known.size >= maxKnown ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    const state = { unspent: 0, left: requests, fullAt: now + seconds * 1_000, taking: undefined, waiting: 0 };
    known.set(bucket, state);
    return state;
  };
  const takeBlock = async (bucket: string, state: Known): Promise<void> => {
    // Requests that come meanwhile wait for this too, and query again where it was not enough.
    const wanted = Math.max(state.waiting, Math.ceil(state.left * blockPart), 1);
    try {
      const { taken, left, fullInMs } = await take(bucket, wanted);
      const fullAt = performance.now() + fullInMs;
      // Where the bucket was filled up meanwhile, the unspent tokens are of the bucket before.
      if (fullAt - state.fullAt > (seconds * 1_000) / 2) state.unspent = 0;
      Object.assign(state, { unspent: state.unspent + taken, left, fullAt });
    } finally {
      state.taking = undefined;
    }
  };
  const passage = (state: Known, allowed: boolean): Passage => ({
    allowed,
    left: state.left + state.unspent,
    fullInMs: Math.max(1, state.fullAt - performance.now()),
  });
  return {
    async pass(bucket) {
      for (;;) {
        const state = stateOf(bucket);
        if (state.unspent > 0) {
          state.unspent -= 1;
          return passage(state, true);
        }
        if (state.left === 0 && !state.taking) return passage(state, false);
        state.waiting += 1;
        state.taking ??= takeBlock(bucket, state);
        await state.taking.finally(() => {
          state.waiting -= 1;
        });
      }
    },
    spent(bucket) {
      const state = known.get(bucket);
      const isSpent = state && state.unspent === 0 && state.left === 0 && state.fullAt > performance.now();
      return isSpent ? passage(state, false) : undefined;
    },
  };
}
