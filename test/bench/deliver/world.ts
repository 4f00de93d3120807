/** A database that writes to disk, an endpoint, and the delivery role of the service as a process, for one measurement. */
import type { ChildProcess } from "node:child_process";
import { startTemporaryPostgres, type TemporaryPostgres } from "../../../scripts/local/postgres.ts";
import type { WebhookOptions } from "../../../server/matching/new-webhook.ts";
import type { Pool } from "../../../server/store/pool.ts";
import { attempted, openBenchOutbox, type RecordOptions, record } from "./outbox.ts";
import { type BenchReceiver, cpuMs, end, residentMb, start, startBenchReceiver } from "./processes.ts";

/** What one part found: rows of figures, and what they come to. */
export type Found = { rows: Record<string, string | number>[]; says: string[] };

/** How much to measure. */
export type Scale = { notifications: number; seconds: number; rate: number };

export type World = {
  postgres: TemporaryPostgres;
  receiver: BenchReceiver;
  pool: Pool;
  /** Starts to deliver. */
  deliver(): ChildProcess;
  /** Waits until so many requests have arrived. @param onTally called with their number now and then */
  arrived(count: number, onTally?: (requests: number) => void): Promise<void>;
  /** Waits until so many attempts are on record. */
  recorded(count: number): Promise<void>;
  close(): Promise<void>;
};

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** So many notifications are made by one statement at most. */
const atOnce = 50_000;

export async function openWorld(options: {
  webhooks: number;
  urlOf?: (receiver: string, n: number) => string;
  accountOf?: (n: number) => number;
  options?: WebhookOptions;
}): Promise<World> {
  const { webhooks, accountOf, urlOf = (receiver) => `${receiver}/hook` } = options;
  const [postgres, receiver] = await Promise.all([startTemporaryPostgres({ durable: true }), startBenchReceiver()]);
  const pool = await openBenchOutbox(postgres.url, {
    webhooks,
    urlOf: (n) => urlOf(receiver.url, n),
    accountOf,
    options: options.options,
  });
  const services: ChildProcess[] = [];
  return {
    postgres,
    receiver,
    pool,
    deliver() {
      const chains = JSON.stringify([{ chainId: "43114", rpcUrls: ["http://127.0.0.1:1"] }]);
      const env = {
        DATABASE_URL: postgres.url,
        CHAINS: chains,
        ROLES: "deliver",
        LOG_LEVEL: "warn",
        ALLOW_PRIVATE_TARGETS: "true",
      };
      const service = start("server/main.ts", [], env);
      services.push(service);
      return service;
    },
    async arrived(count, onTally) {
      await arrived(receiver, count, onTally);
    },
    async recorded(count) {
      while ((await attempted(pool)) < count) await sleep(20);
    },
    async close() {
      await Promise.all(services.map(end));
      await pool.end();
      await receiver.stop();
      await postgres.stop();
    },
  };
}

/** @returns how many requests have arrived when they are so many or more */
async function arrived(receiver: BenchReceiver, count: number, onTally?: (requests: number) => void): Promise<number> {
  for (;;) {
    const { requests } = await receiver.tally();
    onTally?.(requests);
    if (requests >= count) return requests;
    await sleep(50);
  }
}

/**
 * Waits until so many are sent and done with.
 *
 * @returns deliveries a second, but for the first fifth, which finds everything cold
 */
export async function warmRate(receiver: BenchReceiver, count: number, done: () => Promise<unknown>): Promise<number> {
  const before = await arrived(receiver, count / 5);
  const startedAt = performance.now();
  await done();
  return Math.round(((count - before) * 1_000) / (performance.now() - startedAt));
}

/** Waits until a backlog is delivered and on record. @returns its `warmRate` */
export const drainRate = (world: World, count: number): Promise<number> =>
  warmRate(world.receiver, count, async () => {
    await world.arrived(count);
    await world.recorded(count);
  });

/** Records a backlog of so many notifications, and leaves the tables as an operator's would be. */
export async function fill(pool: Pool, count: number, options?: RecordOptions): Promise<void> {
  for (let done = 0; done < count; done += atOnce) await record(pool, Math.min(atOnce, count - done), options);
  await pool.query("VACUUM ANALYZE");
  await pool.query("CHECKPOINT");
}

/** What a delivery costs: processor time, log and transactions, from now until it is asked. */
export async function startMeter(world: World, sender: () => number) {
  const reading = async () => {
    const { rows } = await world.pool.query<{ wal: number; commits: number }>(
      `SELECT pg_current_wal_lsn() - '0/0' AS wal, xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()`,
    );
    const { wal = 0, commits = 0 } = rows[0] ?? {};
    return {
      sender: cpuMs(sender()),
      database: cpuMs(world.postgres.pid),
      receiver: cpuMs(world.receiver.pid),
      wal: Number(wal),
      commits: Number(commits),
    };
  };
  const before = await reading();
  return async (deliveries: number) => {
    const after = await reading();
    const each = (of: keyof typeof before, unit: number) => {
      const [from, to] = [before[of], after[of]];
      return from === undefined || to === undefined ? "?" : Math.round(((to - from) * unit * 10) / deliveries) / 10;
    };
    return {
      "sender µs": each("sender", 1_000),
      "database µs": each("database", 1_000),
      "receiver µs": each("receiver", 1_000),
      "WAL bytes": each("wal", 1),
      transactions: Math.round(((after.commits - before.commits) * 10_000) / deliveries) / 10_000,
      "resident MB": residentMb(sender()) ?? "?",
    };
  };
}
