/**
 * Keeps leases in this process: claims and renews them in rounds, runs the work of each while it is held, and stops it in
 * time. The process's own monotonic clock decides when a lease that could not be renewed must be taken for lost.
 */
import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { Logger } from "pino";
import { claimLeases, leaveLeases, releaseLease } from "./leases.ts";
import type { Pool } from "./pool.ts";

/** A lease as its work sees it. */
export type Lease = {
  readonly key: string;
  readonly owner: string;
  /** Grows with every change of owner; writes carry it. */
  readonly epoch: number;
  /** Aborted when the work should end in order: take nothing new, finish what is begun. */
  readonly stopping: AbortSignal;
  /** Aborted when the lease is gone: end at once. */
  readonly lost: AbortSignal;
  /** Whether the lease holds at this very moment; ask before each thing that only its owner may do. */
  isHeld(): boolean;
};

export type LeaseHolder = {
  /** How far the database's clock is ahead of this process's, in ms. */
  clockOffsetMs(): number;
  /** Ends all work in order, and gives the leases back. */
  stop(): Promise<void>;
};

type Held = { lease: Lease; validUntil: number; stop: AbortController; lose: AbortController; done: Promise<void> };

/**
 * Starts to hold leases.
 *
 * @param options.work runs while a lease is held; it must settle soon after `stopping`, and at once after `lost`
 * @param options.seconds how long a lease lasts; it is renewed three times as often
 */
export function holdLeases(options: {
  pool: Pool;
  kind: string;
  keys: readonly string[];
  seconds: number;
  log: Logger;
  work: (lease: Lease) => Promise<void>;
}): LeaseHolder {
  const { pool, kind, keys, seconds, log, work } = options;
  const owner = randomUUID();
  const held = new Map<string, Held>();
  const stopped = new AbortController();
  let clockOffsetMs = 0;
  let wake = () => {};

  function begin(key: string, epoch: number, validUntil: number): void {
    const stop = new AbortController();
    const lose = new AbortController();
    // Everything under way listens, however much that is.
    setMaxListeners(0, stop.signal, lose.signal);
    const isHeld = () => !lose.signal.aborted && performance.now() < entry.validUntil;
    const lease: Lease = { key, owner, epoch, stopping: stop.signal, lost: lose.signal, isHeld };
    const entry: Held = { lease, validUntil, stop, lose, done: Promise.resolve() };
    held.set(key, entry);
    entry.done = work(lease)
      .catch((error: unknown) => log.error({ err: error, kind, key }, "work under a lease failed"))
      .then(() => (entry.lose.signal.aborted ? undefined : releaseLease(pool, kind, owner, { key, epoch })))
      .catch((error: unknown) => log.warn({ err: error, kind, key }, "lease not given back; it will expire"))
      .finally(() => {
        if (held.get(key) === entry) held.delete(key);
      });
  }

  function lose(entry: Held): void {
    entry.lose.abort();
    entry.stop.abort();
    held.delete(entry.lease.key);
    log.warn({ kind, key: entry.lease.key }, "lease lost");
  }

  async function round(): Promise<void> {
    const startedAt = performance.now();
    const claim = await claimLeases(pool, { kind, keys, owner, seconds, take: !stopped.signal.aborted });
    clockOffsetMs = claim.databaseTimeMs - (Date.now() - (performance.now() - startedAt) / 2);
    const validUntil = startedAt + seconds * 1000;
    const claimed = new Map(claim.held.map(({ key, epoch }) => [key, epoch]));
    for (const entry of [...held.values()]) {
      if (claimed.get(entry.lease.key) === entry.lease.epoch) entry.validUntil = validUntil;
      else if (!entry.stop.signal.aborted) lose(entry);
    }
    for (const [key, epoch] of claimed) if (!held.has(key) && !stopped.signal.aborted) begin(key, epoch, validUntil);
    let surplus = claim.surplus;
    for (const entry of held.values()) {
      if (surplus-- <= 0) break;
      entry.stop.abort();
    }
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted || held.size > 0) {
      let failed = false;
      await round().catch((error: unknown) => {
        failed = true;
        log.warn({ err: error, kind }, "leases could not be renewed");
      });
      for (const entry of [...held.values()]) if (!entry.lease.isHeld()) lose(entry);
      if (stopped.signal.aborted && held.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, failed ? Math.min(1_000, seconds * 100) : (seconds * 1000) / 3);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  const running = run();
  const watch = setInterval(() => {
    for (const entry of [...held.values()]) if (!entry.lease.isHeld()) lose(entry);
  }, 250);
  return {
    clockOffsetMs: () => clockOffsetMs,
    async stop() {
      stopped.abort();
      const entries = [...held.values()];
      for (const entry of entries) entry.stop.abort();
      await Promise.all(entries.map((entry) => entry.done));
      wake();
      await running;
      clearInterval(watch);
      await leaveLeases(pool, kind, owner).catch(() => undefined);
    },
  };
}
