/**
 * Holds leases for this process: claims and renews them in rounds, runs the work of each while it is owned, and stops it in time.
 * The process's monotonic clock decides when a lease that could not be renewed is lost.
 */
import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { Logger } from "../base/log.ts";
import { atMost, createPause } from "../base/pause.ts";
import { isDatabaseUnavailable } from "./database-errors.ts";
import { claimLeases, ensureLeases, leaveLeases, releaseLease } from "./leases.ts";
import type { Pool } from "./pool.ts";

/** A lease, for the work that it allows. */
export type Lease = {
  readonly key: string;
  readonly owner: string;
  /** Grows with every change of owner; writes carry it. */
  readonly epoch: number;
  /** Aborted when the work should end: start nothing new, finish what is in flight. */
  readonly stopping: AbortSignal;
  /** Aborted when the lease is lost: stop immediately. `stopping` is aborted, too. */
  readonly lost: AbortSignal;
  /** Whether the lease is owned now. Check it before each action that only its owner may take. */
  isOwned(): boolean;
};

export type LeaseHolder = {
  /** How far the database's clock is ahead of this process's, in ms. */
  clockOffsetMs(): number;
  /** The keys of the leases that this process holds now. */
  owned(): string[];
  /** Checks with the database immediately. Call it when another process may own a lease. */
  check(): void;
  /** Ends all work in order and releases the leases. After `patienceMs` it gives up and loses the rest. */
  stop(): Promise<void>;
};

/**
 * The part of its term during which this process trusts a lease. The rest is for noticing the end and aborting what is in flight, before
 * the next owner starts.
 */
const validPart = 0.9;
/** How much longer stopping may take than the work's own end. */
const courtesyMs = 250;
/** How long after its end another process's lease is claimed. */
const afterEndMs = 10;

type Owned = { lease: Lease; validUntil: number; stop: AbortController; lose: AbortController; done: Promise<void> };

/**
 * Starts to hold leases.
 *
 * @param options.work runs while a lease is owned; it must settle soon after `stopping`, and immediately after `lost`
 * @param options.seconds how long a lease lasts; it is renewed three times as often
 * @param options.patienceMs how long `stop` waits for the work to end
 */
export function holdLeases(options: {
  pool: Pool;
  kind: string;
  keys: readonly string[];
  seconds: number;
  log: Logger;
  patienceMs?: number;
  work: (lease: Lease) => Promise<void>;
}): LeaseHolder {
  const { pool, kind, keys, seconds, log, work, patienceMs = 11_000 } = options;
  const periodMs = (seconds * 1000) / 3;
  const owner = randomUUID();
  const owned = new Map<string, Owned>();
  const pause = createPause();
  let leasesExist = false;
  let stopping = false;
  let watch: NodeJS.Timeout | undefined;
  let clockOffsetMs = 0;
  /** Claims a dead owner's leases when they expire, instead of up to a round later. */
  let nextRoundInMs = periodMs;

  function begin(key: string, epoch: number, validUntil: number): void {
    const stop = new AbortController();
    const lose = new AbortController();
    // Every request in flight may add a listener.
    setMaxListeners(0, stop.signal, lose.signal);
    const isOwned = () => !lose.signal.aborted && performance.now() < entry.validUntil;
    const lease: Lease = { key, owner, epoch, stopping: stop.signal, lost: lose.signal, isOwned };
    const entry: Owned = { lease, validUntil, stop, lose, done: Promise.resolve() };
    owned.set(key, entry);
    entry.done = work(lease)
      .catch((error: unknown) =>
        log[isDatabaseUnavailable(error) ? "warn" : "error"]({ err: error, kind, key }, "work under a lease failed"),
      )
      .then(() => (lose.signal.aborted ? undefined : releaseLease(pool, kind, owner, lease)))
      .catch((error: unknown) => log.warn({ err: error, kind, key }, "a lease could not be released; it will expire"))
      .finally(() => {
        if (owned.get(key) === entry) owned.delete(key);
      });
  }

  function lose(entry: Owned): void {
    owned.delete(entry.lease.key);
    entry.lose.abort();
    entry.stop.abort();
    log.warn({ kind, key: entry.lease.key }, "a lease was lost");
  }

  function loseExpired(): void {
    for (const entry of [...owned.values()]) if (!entry.lease.isOwned()) lose(entry);
  }

  /** Waits for the first lease to end. Each round restarts it. */
  function watchEnds(): void {
    clearTimeout(watch);
    if (owned.size === 0) return;
    const first = Math.min(...[...owned.values()].map(({ validUntil }) => validUntil));
    watch = setTimeout(
      () => {
        loseExpired();
        watchEnds();
      },
      Math.max(1, Math.ceil(first - performance.now())),
    );
  }

  async function round(): Promise<void> {
    if (!leasesExist) await ensureLeases(pool, kind, keys);
    leasesExist = true;
    const startedAt = performance.now();
    const leases = [...owned.values()].map(({ lease: { key, epoch } }) => ({ key, epoch }));
    const claim = { kind, keys, owner, seconds, owned: leases, take: !stopping };
    const { renewed, taken, part, nextEndInMs, databaseTimeMs } = await claimLeases(
      pool,
      claim,
      Math.max(1_000, periodMs),
    );
    nextRoundInMs = Math.min(periodMs, (nextEndInMs ?? periodMs) + afterEndMs);
    clockOffsetMs = databaseTimeMs - (Date.now() - (performance.now() - startedAt) / 2);
    const validUntil = startedAt + seconds * 1000 * validPart;
    const epochs = new Map(renewed.map(({ key, epoch }) => [key, epoch]));
    for (const { key } of leases) {
      const entry = owned.get(key);
      if (!entry) continue;
      if (epochs.get(key) === entry.lease.epoch) entry.validUntil = validUntil;
      else if (!entry.stop.signal.aborted) lose(entry);
    }
    if (stopping) return;
    // Skip a lease whose work has not quite ended here; the next round claims it again.
    for (const { key, epoch } of taken) if (!owned.has(key)) begin(key, epoch, validUntil);
    const staying = [...owned.values()].filter(({ stop }) => !stop.signal.aborted);
    for (const { stop } of staying.slice(part)) stop.abort();
  }

  async function run(): Promise<void> {
    while (!stopping || owned.size > 0) {
      const failed = await round().then(
        () => false,
        (error: unknown) => {
          log.warn({ err: error, kind }, "leases could not be renewed; it will be retried");
          return true;
        },
      );
      loseExpired();
      watchEnds();
      if (!stopping || owned.size > 0) await pause.wait(failed ? Math.min(1_000, periodMs / 4) : nextRoundInMs);
    }
  }

  const running = run();

  async function end(): Promise<void> {
    await Promise.all([...owned.values()].map(({ done }) => done));
    pause.wake();
    await running;
    await leaveLeases(pool, kind, owner);
  }

  return {
    clockOffsetMs: () => clockOffsetMs,
    owned: () => [...owned].filter(([, { lease }]) => lease.isOwned()).map(([key]) => key),
    check: pause.wake,
    async stop() {
      stopping = true;
      for (const { stop } of owned.values()) stop.abort();
      const giveUp = setTimeout(() => {
        for (const entry of [...owned.values()]) lose(entry);
      }, patienceMs);
      // Give the work a moment to notice; do not wait for a database that does not answer.
      await atMost(patienceMs + courtesyMs, end()).catch((error: unknown) =>
        log.warn({ err: error, kind }, "leases could not be released; they will expire"),
      );
      clearTimeout(giveUp);
      clearTimeout(watch);
    },
  };
}
