/**
 * Delivers notifications: owns shards by lease, reads what is new in them, sends it, and puts on record what came of it. No
 * transaction is open while a request is under way, and no row is claimed: a shard has one owner.
 */
import type { Logger } from "pino";
import { holdLeases, type Lease } from "../store/lease-holder.ts";
import type { Pool } from "../store/pool.ts";
import { SHARDS } from "../store/shards.ts";
import { createDialer } from "./dialer.ts";
import { type Endpoint, wantsBacklog } from "./endpoint.ts";
import { createFeed } from "./feed.ts";
import { createPost } from "./post.ts";
import { createRecorder } from "./recorder.ts";
import { createSender } from "./sender.ts";
import { openShard, type Shard } from "./shard.ts";
import { createTester } from "./tester.ts";

export type DeliveryOptions = {
  pool: Pool;
  log: Logger;
  /** Also sends to addresses that are not public. */
  allowPrivateTargets: boolean;
  /** How long a shard belongs to a process that does not answer any more. */
  leaseSeconds: number;
  /** How often to look for what is new, in ms. */
  pollMs?: number;
  /** For one whole exchange with an endpoint, in ms. */
  timeoutMs?: number;
};

export type Delivery = {
  /** Looks for what is new at once. */
  wake(): void;
  /** Takes nothing new, finishes what is under way, and gives its shards back. */
  stop(): Promise<void>;
};

/** Starts to deliver. It goes on over failures of the database; what could not be recorded is tried again. */
export function startDelivery(options: DeliveryOptions): Delivery {
  const { pool, log, allowPrivateTargets, leaseSeconds, pollMs = 25, timeoutMs = 10_000 } = options;
  const shards = new Map<number, Shard>();
  const dialer = createDialer({ allowPrivateTargets, timeoutMs });
  const recorder = createRecorder({ pool, log, onRecorded: (endpoint, task) => feed.noteRecorded(endpoint, task) });
  const now = () => Date.now() + holder.clockOffsetMs();
  const onFree = (endpoint: Endpoint) => wantsBacklog(endpoint) && wake();
  const post = createPost({ dispatcher: dialer, allowPrivateTargets, timeoutMs, now });
  const sender = createSender({ post, recorder, now, onFree });
  const tester = createTester({ pool, log, shards, post });
  const feed = createFeed({ pool, log, shards, recorder, sender });
  const keys = Array.from({ length: SHARDS }, (_, shard) => String(shard));
  const holder = holdLeases({ pool, kind: "shard", keys, seconds: leaseSeconds, log, work });
  const stopped = new AbortController();
  let woken = false;
  let endPause = () => {};

  async function work(lease: Lease): Promise<void> {
    const shard = await openShard(pool, lease);
    shards.set(shard.id, shard);
    wake();
    await new Promise<void>((resolve) => {
      if (lease.stopping.aborted) resolve();
      lease.stopping.addEventListener("abort", () => resolve(), { once: true });
    });
    await Promise.all(shard.exchanges);
    await recorder.flush(shard);
    if (shards.get(shard.id) === shard) shards.delete(shard.id);
  }

  function wake(): void {
    woken = true;
    endPause();
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      let more = false;
      let pauseMs = pollMs;
      woken = false;
      try {
        tester.look();
        more = await feed.round();
      } catch (error) {
        pauseMs = 500;
        log.warn({ err: error }, "what is to be delivered could not be read; it will be tried again");
      }
      if (more || stopped.signal.aborted) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, woken && pauseMs === pollMs ? 0 : pauseMs);
        endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  const running = run();
  return {
    wake,
    async stop() {
      await holder.stop();
      stopped.abort();
      wake();
      await running;
      await dialer.destroy();
    },
  };
}
