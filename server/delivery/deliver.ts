/**
 * Delivers notifications: owns shards by lease, reads what is new in them, sends it, and records the outcomes. No transaction is open while a
 * request is in flight, and no row is claimed, since a shard has one owner.
 *
 * Data goes one way: the feed (feed/feed.ts) reads notifications and queues them with their endpoints (endpoint/endpoint.ts), the sender
 * (send/sender.ts) posts them at their accounts' turns, and the recorder (recorder.ts) writes what came back. The way back is by the
 * callbacks that are passed here.
 */
import type { Logger } from "../base/log.ts";
import { createMetrics, type Metrics } from "../base/metrics.ts";
import { atMost, createPause, untilTick } from "../base/pause.ts";
import type { Tracing } from "../base/tracing.ts";
import type { EgressProxy } from "../settings/config.ts";
import type { Keyring } from "../settings/keyring.ts";
import { dayMs, defaultPeriods, type Periods } from "../settings/periods.ts";
import { listenForWork } from "../store/delivery/announcements.ts";
import { SHARDS } from "../store/delivery/shards.ts";
import { holdLeases, type Lease } from "../store/lease-holder.ts";
import type { Pool } from "../store/pool.ts";
import type { TargetPolicy } from "../targets/targets.ts";
import { type Accounts, createAccounts } from "./accounts.ts";
import { closeEndpoints, type OwnedShard, withEndpoints } from "./endpoint/endpoints.ts";
import { Feed, type LeftToRead } from "./feed/feed.ts";
import type { QueuedNotification } from "./queued-notification.ts";
import { Recorder } from "./recorder.ts";
import { createDialer, type ProxyFailure } from "./send/dialer.ts";
import type { Outcome } from "./send/exchange.ts";
import { createPost } from "./send/post.ts";
import { Sender } from "./send/sender.ts";
import { TestSender } from "./send/test-sender.ts";
import { endExchanges, openShard } from "./shard.ts";

export type DeliveryOptions = TargetPolicy &
  Partial<Omit<Periods, "retentionDays">> & {
    pool: Pool;
    log: Logger;
    metrics?: Metrics;
    tracing?: Tracing | undefined;
    /** Opens the webhooks' secrets. */
    keyring: Keyring;
    /** They resolve endpoints' names; the system's by default. */
    nameServers?: readonly string[] | undefined;
    /** Leads to all endpoints. */
    egressProxy?: EgressProxy | undefined;
    /** How long a shard belongs to a process that has stopped answering. */
    leaseSeconds: number;
    /** How often to poll for new notifications while announcements do not arrive, or for room, in ms. */
    pollMs?: number;
  };

export type Delivery = {
  /** Looks for new notifications immediately. */
  wake(): void;
  /** Starts nothing new, finishes what is in flight, and releases the shards. Takes at most two seconds more than an exchange. */
  stop(): Promise<void>;
};

/** How long after the longest exchange its record may take, when a process stops. */
const recordingMs = 1_000;
const pauseAfterFailureMs = 500;
/** How often to poll while announcements arrive, and something waits for an endpoint's rest, or for room. */
const quietPollMs = 250;
/** The same while nothing waits: for missed announcements. A retry that is due sooner ends the wait. */
const idlePollMs = 1_000;
/** How long after a retry is due to look for it: the two clocks differ by a little. */
const afterDueMs = 5;

/** Starts to deliver. A failing database does not end it: everything is retried. */
export function startDelivery(options: DeliveryOptions): Delivery {
  const { pool, log, keyring, allowPrivateTargets, nameServers, egressProxy, leaseSeconds, pollMs = 25 } = options;
  const { timeoutMs, retryPausesMs, inactiveAfterDays } = { ...defaultPeriods, ...options };
  const { metrics = createMetrics() } = options;
  const shards = new Map<number, OwnedShard>();
  const accounts = createAccounts();
  const pause = createPause();
  const now = () => Date.now() + holder.clockOffsetMs();
  const recorder = new Recorder({
    pool,
    log,
    failingLimitMs: inactiveAfterDays * dayMs,
    onBatch: () => sender.resume(),
    onFenced: () => holder.check(),
  });
  const onProxyFailure = reportProxyFailures(metrics, log);
  const dialer = createDialer({ allowPrivateTargets, nameServers, egressProxy, onProxyFailure });
  const post = createPost({ dialer, policy: options, timeoutMs, now, tracing: options.tracing });
  const sender = new Sender({
    ...{ post, now, pausesMs: retryPausesMs, onBacklogWanted: pause.wake },
    record: (attempts) => recorder.add(attempts),
    ...{ onBegin: countDelays(metrics, now), onOutcome: countOutcomes(metrics) },
    onParked: (endpoint) => void shards.get(endpoint.shard.id)?.backlogged.add(endpoint),
  });
  const feed = new Feed({ pool, keyring, log, shards, recorder, sender, accounts });
  const tests = new TestSender({ pool, keyring, log, shards, post, accounts, hears: () => announcements.hears() });
  const keys = Array.from({ length: SHARDS }, (_, shard) => String(shard));
  // A renewed lease lasts as long as the exchange, so the two need not fit; stopping waits for both.
  const holder = holdLeases({
    ...{ pool, kind: "shard", keys, log, work },
    seconds: leaseSeconds,
    patienceMs: timeoutMs + recordingMs,
  });
  const wake = () => {
    feed.expect();
    pause.wake();
  };
  const announcements = listenForWork(pool, (work) => {
    if (work === "tests") tests.look({ isAnnounced: true });
    if (work === "notifications") wake();
  });
  const stopReporting = reportGauges(metrics, { shards, accounts, owned: holder.owned });
  let stopped = false;

  async function work(lease: Lease): Promise<void> {
    const shard = withEndpoints(await openShard(pool, lease));
    shards.set(shard.id, shard);
    try {
      pause.wake();
      await aborted(lease.stopping);
      await endExchanges(shard);
      await recorder.flush(shard, shard.endpoints);
    } finally {
      if (shards.get(shard.id) === shard) shards.delete(shard.id);
      closeEndpoints(shard);
    }
  }

  /** Announcements are about new notifications, not about what was left for lack of room. */
  function waitMs(left: LeftToRead): number {
    if (left !== "nothing" || !announcements.hears()) return pollMs;
    return Math.max(pollMs, quietPollMs, Math.min(untilTick(idlePollMs), feed.quietMs() + afterDueMs));
  }

  async function run(): Promise<void> {
    while (!stopped) {
      const left = await feed.round().catch((error: unknown) => {
        log.warn({ err: error }, "notifications could not be read; it will be retried");
        return undefined;
      });
      tests.look();
      if (left === undefined) await new Promise((resolve) => setTimeout(resolve, pauseAfterFailureMs));
      else if (left !== "more" && !stopped) await pause.wait(waitMs(left));
    }
  }

  const running = run();
  return {
    wake,
    async stop() {
      announcements.stop();
      await holder.stop();
      stopReporting();
      stopped = true;
      pause.wake();
      // Do not wait for a query to a database that does not answer.
      await atMost(pauseAfterFailureMs, running);
      await dialer.destroy();
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** @returns a function to call with each outcome, and how many notifications it is of */
function countOutcomes({ delivery }: Metrics): (outcome: Outcome, notifications: number) => void {
  return ({ errorClass = "delivered", durationMs }, notifications) => {
    delivery.attempts.inc({ outcome: errorClass }, notifications);
    delivery.attemptSeconds.observe({ outcome: errorClass }, durationMs / 1_000);
  };
}

/** @param now the database's time, in ms since the epoch @returns a function to call with each notification that is sent */
function countDelays({ delivery }: Metrics, now: () => number): (notification: QueuedNotification) => void {
  return ({ attemptsMade, recordedAtMs, dueAtMs }) => {
    const since = attemptsMade === 0 ? recordedAtMs : dueAtMs;
    if (since === undefined) return;
    const histogram = attemptsMade === 0 ? delivery.firstAttemptSeconds : delivery.retrySeconds;
    // The two clocks differ by up to a round trip, so the moment may seem to be in the future.
    histogram.observe(Math.max(0, now() - since) / 1_000);
  };
}

/** Sets the gauges at each scrape. @returns a function that stops it */
function reportGauges(
  { delivery, lease, onScrape }: Metrics,
  of: { shards: ReadonlyMap<number, OwnedShard>; accounts: Accounts; owned: () => string[] },
): () => void {
  return onScrape(() => {
    delivery.inFlight.set(of.accounts.all.exchanges.used);
    delivery.queued.set(of.accounts.all.notifications.used);
    delivery.unrecorded.set(of.accounts.all.unrecorded.used);
    const count = { well: 0, failing: 0, resting: 0 };
    for (const { endpoints } of of.shards.values())
      for (const { isFailing, isResting } of endpoints.values())
        count[isResting ? "resting" : isFailing ? "failing" : "well"] += 1;
    for (const state of ["well", "failing", "resting"] as const) delivery.endpoints.set({ state }, count[state]);
    for (const key of of.owned()) lease.owned.set({ kind: "shard", key }, 1);
  });
}

/** How often the log says that the proxy fails, at most: every exchange does, while it is away. */
const proxyLogMs = 60_000;

/** What only the operator can mend. The attempts count all the same: to the account it is an endpoint that could not be reached. */
function reportProxyFailures(metrics: Metrics, log: Logger): (failure: ProxyFailure, cause: unknown) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (failure, cause) => {
    metrics.delivery.proxyFailures.inc({ failure });
    if (performance.now() - loggedAt < proxyLogMs) return;
    loggedAt = performance.now();
    log.error({ failure, err: cause }, "the egress proxy fails, so notifications do not reach their endpoints");
  };
}
