/**
 * Delivers notifications: owns shards by lease, reads what is new in them, sends it, and puts on record what came of it. No
 * transaction is open while a request is under way, and no row is claimed: a shard has one owner.
 */
import type { Logger } from "pino";
import { createMetrics, type Metrics } from "../metrics.ts";
import { listenForWork } from "../store/delivery/announcements.ts";
import { SHARDS } from "../store/delivery/shards.ts";
import { holdLeases, type Lease } from "../store/lease-holder.ts";
import { atMost, createPause } from "../store/pause.ts";
import type { Pool } from "../store/pool.ts";
import type { Keyring } from "../store/webhooks/keyring.ts";
import type { TargetPolicy } from "../targets.ts";
import type { Tracing } from "../tracing.ts";
import { createAccounts } from "./account.ts";
import { countAttempts, countDelays, showInHand } from "./count-delivery.ts";
import { createDialer } from "./dialer.ts";
import { createFeed } from "./feed.ts";
import { createPost } from "./post.ts";
import { createRecorder } from "./recorder.ts";
import { createSender } from "./sender.ts";
import { closeShard, endExchanges, openShard, type Shard } from "./shard.ts";
import { createTester } from "./tester.ts";
import { traceAttempts } from "./trace-attempts.ts";

export type DeliveryOptions = TargetPolicy & {
  pool: Pool;
  log: Logger;
  metrics?: Metrics;
  tracing?: Tracing | undefined;
  /** What opens the webhooks' secrets. */
  keyring: Keyring;
  /** Asked for the addresses of endpoints; the system's unless given. */
  nameServers?: readonly string[] | undefined;
  /** How long a shard belongs to a process that does not answer any more. */
  leaseSeconds: number;
  /** How often to look for what is new, in ms, where announcements are not heard. */
  pollMs?: number;
  /** For one whole exchange with an endpoint, in ms. */
  timeoutMs?: number;
};

export type Delivery = {
  /** Looks for what is new at once. */
  wake(): void;
  /** Takes nothing new, finishes what is under way, and gives its shards back. Takes twelve seconds at most. */
  stop(): Promise<void>;
};

const pauseAfterFailureMs = 500;
/** How often to look all the same where announcements are heard: for retries, changed webhooks, and what was announced in vain. */
const quietPollMs = 250;

/** Starts to deliver. It goes on over failures of the database; what could not be recorded is tried again. */
export function startDelivery(options: DeliveryOptions): Delivery {
  const {
    pool,
    log,
    keyring,
    allowPrivateTargets,
    nameServers,
    leaseSeconds,
    pollMs = 25,
    timeoutMs = 10_000,
  } = options;
  const { metrics = createMetrics() } = options;
  const shards = new Map<number, Shard>();
  const accounts = createAccounts();
  const pause = createPause();
  const dialer = createDialer({ allowPrivateTargets, nameServers, timeoutMs });
  const recorder = createRecorder({
    pool,
    log,
    onRetryRecorded: (endpoint, sequence) => feed.noteRetryRecorded(endpoint, sequence),
    onBatch: () => sender.pumpWaiting(),
    onFenced: () => holder.check(),
  });
  const now = () => Date.now() + holder.clockOffsetMs();
  const post = traceAttempts(createPost({ dispatcher: dialer, policy: options, timeoutMs, now }), options.tracing);
  const sender = createSender({
    ...{ post, recorder, now, onBacklogWanted: pause.wake },
    ...{ onSend: countDelays(metrics, now), onEnd: countAttempts(metrics) },
  });
  const tester = createTester({ pool, keyring, log, shards, post, accounts, hears: () => announcements.hears() });
  const feed = createFeed({ pool, keyring, log, shards, recorder, sender, accounts });
  const keys = Array.from({ length: SHARDS }, (_, shard) => String(shard));
  const holder = holdLeases({ pool, kind: "shard", keys, seconds: leaseSeconds, log, work });
  const announcements = listenForWork(pool, (work) => {
    if (work === "tests") tester.look({ asked: true });
    if (work === "notifications") pause.wake();
  });
  const stopShowing = showInHand(metrics, { shards, accounts, held: holder.held });
  let stopped = false;

  async function work(lease: Lease): Promise<void> {
    const shard = await openShard(pool, lease);
    shards.set(shard.id, shard);
    try {
      pause.wake();
      await aborted(lease.stopping);
      await endExchanges(shard);
      await recorder.flush(shard);
    } finally {
      if (shards.get(shard.id) === shard) shards.delete(shard.id);
      closeShard(shard);
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      tester.look();
      const more = await feed.round().catch((error: unknown) => {
        log.warn({ err: error }, "what is to be delivered could not be read; it will be tried again");
        return undefined;
      });
      if (more === undefined) await new Promise((resolve) => setTimeout(resolve, pauseAfterFailureMs));
      else if (!more && !stopped) await pause.wait(announcements.hears() ? Math.max(pollMs, quietPollMs) : pollMs);
    }
  }

  const running = run();
  return {
    wake: pause.wake,
    async stop() {
      announcements.stop();
      await holder.stop();
      stopShowing();
      stopped = true;
      pause.wake();
      // A question to a database that does not answer is not waited for.
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
