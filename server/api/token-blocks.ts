/**
 * The guard in memory before the buckets that all processes share: a process takes requests from a bucket in blocks and gives them out
 * by itself, so that few requests wait for the database, and none while the bucket is known to be empty. Blocks are a tenth of what is
 * left, and so become smaller as the bucket empties: what a process has taken and does not give out is at most about a tenth of the limit.
 * Since what is given out was taken before, all processes together never give out more than the limit.
 */
import type { RateLimit, TakeFromBucket } from "../store/accounts/rate-limits.ts";

/** Whether a request may pass, and what is left of its bucket. */
export type Passage = {
  allowed: boolean;
  /** How many more would pass now, as far as this process knows. */
  left: number;
  /** In how many ms the bucket is full again. */
  fullInMs: number;
};

/** The buckets of one limit as a process sees them. */
export type Guard = {
  /** Lets a request pass or not. */
  pass(bucket: string): Promise<Passage>;
  /** What is known of a bucket that is empty, without asking; undefined while it may have something. */
  spent(bucket: string): Passage | undefined;
};

type Known = {
  /** Requests that were taken and not given out yet. */
  inHand: number;
  /** What was left in the bucket when it was last asked. */
  left: number;
  /** When the bucket is full again, by `performance.now()`. */
  fullAt: number;
  /** A block that is on its way. */
  asking: Promise<void> | undefined;
  waiting: number;
};

const blockPart = 0.1;
/** So many buckets are known at most; the one known for longest is forgotten first, with what was in hand. */
const mostKnown = 100_000;

/** Guards the buckets of a limit. */
export function guardBuckets(take: TakeFromBucket, { requests, seconds }: RateLimit): Guard {
  const known = new Map<string, Known>();
  const stateOf = (bucket: string): Known => {
    const now = performance.now();
    const before = known.get(bucket);
    if (before && (before.fullAt > now || before.asking)) return before;
    known.delete(bucket);
    const [oldest] = known.size >= mostKnown ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    const state = { inHand: 0, left: requests, fullAt: now + seconds * 1_000, asking: undefined, waiting: 0 };
    known.set(bucket, state);
    return state;
  };
  const ask = async (bucket: string, state: Known): Promise<void> => {
    // Those who come while this is on its way wait for it too, and ask again where it was not enough.
    const wanted = Math.max(state.waiting, Math.ceil(state.left * blockPart), 1);
    try {
      const { taken, left, fullInMs } = await take(bucket, wanted);
      const fullAt = performance.now() + fullInMs;
      // Where the bucket was filled up meanwhile, what is in hand is of the one before.
      if (fullAt - state.fullAt > (seconds * 1_000) / 2) state.inHand = 0;
      Object.assign(state, { inHand: state.inHand + taken, left, fullAt });
    } finally {
      state.asking = undefined;
    }
  };
  const passage = (state: Known, allowed: boolean): Passage => ({
    allowed,
    left: state.left + state.inHand,
    fullInMs: Math.max(1, state.fullAt - performance.now()),
  });
  return {
    async pass(bucket) {
      for (;;) {
        const state = stateOf(bucket);
        if (state.inHand > 0) {
          state.inHand -= 1;
          return passage(state, true);
        }
        if (state.left === 0 && !state.asking) return passage(state, false);
        state.waiting += 1;
        state.asking ??= ask(bucket, state);
        await state.asking.finally(() => {
          state.waiting -= 1;
        });
      }
    },
    spent(bucket) {
      const state = known.get(bucket);
      const isSpent = state && state.inHand === 0 && state.left === 0 && state.fullAt > performance.now();
      return isSpent ? passage(state, false) : undefined;
    },
  };
}
