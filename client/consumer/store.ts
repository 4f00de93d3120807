/** Where a consumer keeps its position: what any store must do, and one in memory. */

/** Notifications that were passed over on purpose, and why. */
export type SkippedRange = {
  /** The first sequence. */
  from: number;
  /** The last sequence. */
  to: number;
  reason: string;
  /** When, in ISO 8601. */
  skippedAt: string;
};

/** What a store has of a webhook. */
export type StoredPosition = {
  /** The last sequence that is handled or skipped; undefined before the first one. */
  position: number | undefined;
  /** All that was skipped, the oldest first. */
  skipped: readonly SkippedRange[];
};

/** A step to be committed. */
export type Advance = { position: number; skipped?: SkippedRange };

/**
 * Where a consumer keeps its position, and in whose transactions its handlers work. `postgresStore`, `sqliteStore` and `memoryStore` are there. For
 * another one, four functions are enough. Every one may be called by several processes at the same time.
 */
export type ConsumerStore<Transaction> = {
  /** What is stored of a webhook. */
  read(webhookId: string): Promise<StoredPosition>;
  /**
   * Makes `holder` the one process that handles the webhook, for `leaseMs` from now on by the store's clock. It succeeds for who is it already,
   * and if nobody is.
   * @returns whether it did
   */
  hold(webhookId: string, holder: string, leaseMs: number): Promise<boolean>;
  /** Ends the holder's lease, if it still has one. */
  release(webhookId: string, holder: string): Promise<void>;
  /**
   * Runs `work` in one transaction. In it, nobody else may advance the same webhook: read the position under a lock of the webhook, after the lock is
   * taken. Store the position that `work` resolves with, and add what is `skipped`, in the same transaction. Commit nothing when it resolves with
   * undefined. When it rejects, commit nothing and reject with the same error.
   * @param holder who must be the holder when the lock is taken; undefined for whoever
   * @returns false if another process is the holder. Then `work` was not run.
   */
  advance(
    webhookId: string,
    holder: string | undefined,
    work: (transaction: Transaction, position: number | undefined) => Promise<Advance | undefined>,
  ): Promise<boolean>;
};

type Kept = {
  position: number | undefined;
  skipped: SkippedRange[];
  holder: string | undefined;
  heldUntil: number;
  inTurn: Queue;
};

/** Runs one piece of work after the other. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

/** Makes a queue. Work that fails does not hold up the next. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
}

/**
 * Keeps positions in memory, for tests and for effects that are in memory, too. Consumers with the same store take turns. Everything is lost with the
 * process, which then begins after `startAfter` again.
 */
export function memoryStore(): ConsumerStore<undefined> {
  const all = new Map<string, Kept>();
  const keptOf = (webhookId: string): Kept => {
    const none = { position: undefined, skipped: [], holder: undefined, heldUntil: 0 };
    const kept = all.get(webhookId) ?? { ...none, inTurn: createQueue() };
    all.set(webhookId, kept);
    return kept;
  };
  return {
    read: async (webhookId) => {
      const { position, skipped } = keptOf(webhookId);
      return { position, skipped: [...skipped] };
    },
    hold: async (webhookId, holder, leaseMs) => {
      const kept = keptOf(webhookId);
      if (kept.holder !== undefined && kept.holder !== holder && kept.heldUntil > Date.now()) return false;
      Object.assign(kept, { holder, heldUntil: Date.now() + leaseMs });
      return true;
    },
    release: async (webhookId, holder) => {
      const kept = keptOf(webhookId);
      if (kept.holder === holder) kept.holder = undefined;
    },
    advance: (webhookId, holder, work) =>
      keptOf(webhookId).inTurn(async () => {
        const kept = keptOf(webhookId);
        if (holder !== undefined && kept.holder !== holder) return false;
        const step = await work(undefined, kept.position);
        if (step?.skipped) kept.skipped.push(step.skipped);
        if (step) kept.position = step.position;
        return true;
      }),
  };
}
