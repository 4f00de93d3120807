/** The whole service: opens the database, and starts the roles of this process. */
import { createApp } from "./api/app.ts";
import { type Listening, listen } from "./api/listening/listen.ts";
import { createMonitoring } from "./api/monitoring/app.ts";
import { ServiceError } from "./base/errors.ts";
import type { Logger } from "./base/log.ts";
import { createMetrics, type Metrics } from "./base/metrics.ts";
import { manifest } from "./base/optional-peers.ts";
import { Precedence } from "./base/pause.ts";
import { startTracing, type Tracing } from "./base/tracing.ts";
import { followLanes } from "./chain/follow/follow.ts";
import { lanesByKey } from "./chain/follow/lanes.ts";
import { createReadState, publishChain, type ReadState } from "./chain/publish/publish.ts";
import { answerQuestions } from "./chain/questions/questions.ts";
import { replayChain } from "./chain/replays/replays.ts";
import { type BlocksConnection, connectBlocks } from "./chain/stream/connection.ts";
import { type Delivery, startDelivery } from "./delivery/deliver.ts";
import { startReporting } from "./operational/watch.ts";
import type { ChainConfig } from "./settings/chains.ts";
import type { Config } from "./settings/config.ts";
import { claimCell } from "./store/cell.ts";
import { createAnnouncer } from "./store/delivery/announcements.ts";
import { holdLeases } from "./store/lease-holder.ts";
import { connectDatabase, type Database, migrateWhenUp, type OpenDatabase } from "./store/open.ts";
import { startMaintenance } from "./store/outbox/retention.ts";
import { createPool, type Pool } from "./store/pool.ts";
import { startRemoving } from "./store/webhooks/removed-webhooks.ts";
import { claimKeys } from "./store/webhooks/secret-keys.ts";

/** How long a client waits for a database that does not answer before it gets a 503. */
const apiPatienceMs = 12_000;
/** Delivery's statements take milliseconds and a lease is short, so a slower statement is repeated on a new connection. */
const deliveryPatienceMs = 10_000;

/** A running service. */
export type Service = Running & { database: OpenDatabase };

/**
 * Starts the configured roles. It waits for an unavailable database; metrics and health are served meanwhile.
 *
 * @param options.signal ends that wait
 * @param options.onLost called when the embedded database has died and cannot be started again; the service is then of no use
 * @throws when the database rejects the connection or has secrets that cannot be decrypted, the contract is invalid, the port is in use,
 *   tracing or the stream's client is not installed, or the database belongs to another cell
 */
export async function startService(
  config: Config,
  log: Logger,
  { signal, onLost = () => undefined }: { signal?: AbortSignal; onLost?: (error: ServiceError) => void } = {},
): Promise<Service> {
  const onError = (err: Error) => log.warn({ err }, "a database connection failed; the pool replaces it");
  const database = await connectDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    max: 10,
    onError,
    watch: {
      onRestart: (pid) => log.warn({ pid }, "the embedded PostgreSQL died, and was started again"),
      onLost: (cause) => onLost(new ServiceError("database_lost", cause.message, { cause })),
    },
  });
  const { pool } = database;
  const metrics = createMetrics(config.cell);
  metrics.onScrape(() => countConnections(metrics, "other", pool));
  const stops: (() => Promise<void> | void)[] = [];
  let blocks: BlocksConnection | undefined;
  let operations: Listening | undefined;
  let tracing: Tracing | undefined;
  let isStarted = false;
  // The roles shut down in parallel, since each may take as long as its longest request. Metrics and health end last.
  const stop = async () => {
    operations?.announceStop();
    await Promise.all(stops.map((end) => end()));
    await blocks?.close();
    await tracing?.stop();
    await operations?.close();
    await database.close();
  };
  try {
    if (config.tracing) tracing = startTracing(log, config.roles);
    const shown = { ...config, pool, log, metrics, isStarted: () => isStarted };
    if (config.metrics) operations = await listen(createMonitoring(shown), config.metrics);
    const migrated = await migrateWhenUp(pool, log, signal);
    await claimCell(pool, config.cell, manifest.version);
    // A follower signs nothing.
    if (config.roles.has("api") || config.roles.has("deliver")) await claimKeys(pool, config.keyring);
    if (config.roles.has("follow") || config.roles.has("read"))
      blocks = config.blocks && connectBlocks(config.blocks, log);
    const work: Work = { database, config, log, metrics, tracing, blocks, onError };
    if (blocks && config.roles.has("read")) stops.push(publishAll({ ...config, blocks, log, metrics }).stop);
    stops.push(startMaintenance(pool, log, metrics, config.periods).stop, startRemoving(pool, log).stop);
    const delivery = config.roles.has("deliver") ? deliver(work) : undefined;
    if (delivery) stops.push(delivery.stop);
    if (delivery) {
      const announce = createAnnouncer(pool);
      const onSaid = () => {
        delivery.wake();
        announce();
      };
      const { leaseSeconds, limits, periods } = config;
      stops.push(startReporting({ pool, log, leaseSeconds, ...periods, quotas: limits.quotas, onSaid }).stop);
    }
    if (config.roles.has("follow")) {
      const announce = createAnnouncer(pool);
      const wake = () => {
        delivery?.wake();
        announce();
      };
      const precedence = new Map(config.chains.map(({ chainId }) => [chainId, new Precedence()]));
      stops.push(eachLane("chain", (lane) => followLanes({ ...lane, onRecorded: wake }), work, precedence));
      stops.push(eachLane("replay", (lane) => replayChain({ ...lane, onRecorded: wake }), work, precedence));
      stops.push(answerQuestions({ ...config, pool, log, metrics }).stop);
    }
    const api = config.roles.has("api") ? await serve(work) : undefined;
    if (api) stops.push(api.close);
    isStarted = true;
    return { url: api?.url, metricsUrl: operations?.url, database: { ...database, migrated }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What a role needs. */
type Work = {
  database: Database;
  config: Config;
  log: Logger;
  metrics: Metrics;
  tracing: Tracing | undefined;
  blocks: BlocksConnection | undefined;
  onError: (error: Error) => void;
};

// API and delivery have their own connections and time limits, so that neither waits for the other's.

async function serve({ database, config, log, metrics, onError }: Work) {
  const pool = createPool(database.url, { max: 10, patienceMs: apiPatienceMs, onError });
  metrics.onScrape(() => countConnections(metrics, "api", pool));
  const app = await createApp({ ...config, pool, log, metrics });
  const listening = await listen(app, {
    ...config,
    connections: config.limits.connections,
    closingMs: config.periods.timeoutMs,
  }).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  return { url: listening.url, close: () => listening.close().finally(() => pool.end()) };
}

function deliver({ database, config, log, metrics, tracing, onError }: Work): Delivery {
  const pool = createPool(database.url, { max: 10, patienceMs: deliveryPatienceMs, onError });
  metrics.onScrape(() => countConnections(metrics, "deliver", pool));
  const delivery = startDelivery({ ...config, ...config.periods, pool, log, metrics, tracing });
  return { ...delivery, stop: () => delivery.stop().finally(() => pool.end()) };
}

/** Runs the work of each lane whose lease of this kind the process holds. */
function eachLane(
  kind: "chain" | "replay",
  ofOneKind: (of: Omit<Parameters<typeof followLanes>[0], "onRecorded">) => Promise<void>,
  { database: { pool }, config: { chains, leaseSeconds, limits }, log, metrics, tracing, blocks }: Work,
  precedence: ReadonlyMap<string, Precedence>,
): () => Promise<void> {
  const work = new Map(
    chains.flatMap((chain) => [...lanesByKey(chain.chainId)].map(([key, kind]) => [key, { chain, kind }] as const)),
  );
  // Replays have one lease a chain, and use each webhook's current lane.
  const keys = kind === "chain" ? [...work.keys()] : chains.map(({ chainId }) => chainId);
  const addressQuota = limits.quotas.addresses;
  const holder = holdLeases({
    pool,
    kind,
    keys,
    seconds: leaseSeconds,
    log,
    async work(lease) {
      const found = work.get(lease.key);
      if (!found) return;
      const following = precedence.get(found.chain.chainId);
      await ofOneKind({ ...found, pool, lease, log, metrics, tracing, blocks, addressQuota, following });
    },
  });
  const stopShowing = metrics.onScrape(() => {
    for (const key of holder.owned()) metrics.lease.owned.set({ kind, key }, 1);
  });
  return () => holder.stop().finally(stopShowing);
}

function countConnections({ database }: Metrics, usedFor: string, pool: Pool): void {
  database.connections.set({ used_for: usedFor, state: "idle" }, pool.idleCount);
  database.connections.set({ used_for: usedFor, state: "used" }, pool.totalCount - pool.idleCount);
  database.connections.set({ used_for: usedFor, state: "wanted" }, pool.waitingCount);
}

/** Whether the process reads, and does nothing else. */
export const onlyReads = ({ roles }: Pick<Config, "roles">): boolean => roles.size === 1 && roles.has("read");

/** A process's running roles. */
export type Running = {
  /** The URL of the API, such as `http://127.0.0.1:3000`; undefined without the role `api`. */
  url: string | undefined;
  /** Where metrics and health are served; undefined if not configured. */
  metricsUrl: string | undefined;
  /** Accepts nothing new, finishes what is in flight, and shuts down. */
  stop(): Promise<void>;
};

/** @throws when the port of metrics is in use, or {ServiceError} `package_missing` */
export async function startReading(config: Config, log: Logger): Promise<Running> {
  if (!config.blocks) throw new Error("a reader needs a stream");
  const metrics = createMetrics(config.cell);
  const blocks = connectBlocks(config.blocks, log);
  const publishing = publishAll({ chains: config.chains, blocks, log, metrics });
  let operations: Listening | undefined;
  const stop = async () => {
    operations?.announceStop();
    await publishing.stop();
    await blocks.close();
    await operations?.close();
  };
  try {
    const { chains, cell } = config;
    const shown = { pool: undefined, states: publishing.states, log, metrics, chains, cell };
    if (config.metrics) operations = await listen(createMonitoring(shown), config.metrics);
    return { url: undefined, metricsUrl: operations?.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Publishes each chain's blocks until it is stopped. */
function publishAll(work: {
  chains: readonly ChainConfig[];
  blocks: BlocksConnection;
  log: Logger;
  metrics: Metrics;
}): { states: () => Map<string, ReturnType<ReadState["current"]>>; stop: () => Promise<void> } {
  const { chains, ...others } = work;
  const ending = new AbortController();
  const states = new Map<string, ReadState>();
  const running = chains.map((chain) => {
    const state = createReadState(chain);
    states.set(chain.chainId, state);
    return publishChain({ ...others, chain, state, signal: ending.signal });
  });
  return {
    states: () => new Map([...states].map(([chainId, state]) => [chainId, state.current()])),
    async stop() {
      ending.abort();
      await Promise.all(running);
    },
  };
}
