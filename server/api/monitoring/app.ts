/** For operators only, on its own port: metrics, of which some are read from the tables at each scrape, and health for processes without the API. */
import express, { type Express } from "express";
import { collectDefaultMetrics } from "prom-client";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import { exact } from "../../contract/enforce.ts";
import { errorMapper, getOnly, nothingAnswered } from "../../contract/error-mapper.ts";
import { unavailable } from "../../contract/errors.ts";
import { type ChainState, type LaneState, readChainStates, standstillKinds } from "../../store/chains/chains.ts";
import { readReplayCounts } from "../../store/chains/replays.ts";
import {
  type DeliveryFigures,
  type LeaseFigures,
  readDeliveryFigures,
  readLeaseFigures,
  waits,
} from "../../store/delivery/figures.ts";
import { readUnfinishedMoves, type UnfinishedMove } from "../../store/moves/record.ts";
import { readHeldCounts } from "../../store/outbox/held-state.ts";
import type { Pool } from "../../store/pool.ts";
import { assertTakesWrites } from "../../store/session.ts";
import { storeErrorAsHttp } from "../store-errors.ts";
import { type HealthOptions, health, readinessOf, shared } from "./health.ts";

type MonitoringOptions = Omit<HealthOptions, "readStates" | "assertReady"> & {
  /** Undefined in a process without a database. */
  pool: Pool | undefined;
  /** The chains' states, instead of those in the tables. */
  states?: () => Map<string, ChainState>;
  log: Logger;
  metrics: Metrics;
  /** Whether the process has started its roles; true by default. */
  isStarted?: () => boolean;
};

/** GET /metrics in Prometheus' text format, and the health checks. */
export function createMonitoring(options: MonitoringOptions): Express {
  const { pool, states = () => new Map<string, ChainState>(), log, metrics, chains, isStarted = () => true } = options;
  const app = exact(express());
  // A gauge without a value shows 0, which would look like a database that is away.
  if (!pool) metrics.registry.removeSingleMetric("chain_webhooks_database_up");
  collectDefaultMetrics({ register: metrics.registry });
  app.use(["/readyz", "/healthz/chains"], (_request, _response, next) => {
    if (!isStarted()) throw unavailable("The server is starting");
    next();
  });
  app.use(health({ ...options, ...(pool ? readinessOf(pool) : { readStates: async () => states() }) }));
  // Concurrent requests share one reading, since followers and leases use the pool too.
  const read = shared(async () => {
    if (pool) await setTableGauges(metrics, pool, chains);
    else setStateGauges(metrics, states());
    return metrics.text();
  });
  app.get("/metrics", async (_request, response) => {
    response.type(metrics.registry.contentType).send(await read());
  });
  app.all("/metrics", getOnly);
  app.use(
    nothingAnswered,
    errorMapper((failure) => log.warn({ err: failure.cause ?? failure }, failure.message), storeErrorAsHttp),
  );
  return app;
}

const patienceMs = 5_000;

/** If a read fails, its gauges are left out: an old figure would look like a new one. */
async function setTableGauges(metrics: Metrics, pool: Pool, chains: readonly { chainId: string }[]): Promise<void> {
  const { chain, database, delivery, lease, moves } = metrics;
  const fromTables = [chain.head, chain.followed, chain.lagBlocks, chain.lagSeconds, chain.stopped, chain.replays];
  const others = [delivery.pending, delivery.oldest, delivery.held, lease.leases, moves.unfinishedSeconds];
  for (const gauge of [...fromTables, ...others]) gauge.reset();
  const [takesWrites, states, figures, leases, unfinished, held, replays] = await Promise.all([
    assertTakesWrites(pool, patienceMs).then(
      () => true,
      () => false,
    ),
    readChainStates(pool).catch(() => undefined),
    readDeliveryFigures(pool).catch(() => undefined),
    readLeaseFigures(
      pool,
      chains.map(({ chainId }) => chainId),
    ).catch(() => undefined),
    readUnfinishedMoves(pool).catch(() => undefined),
    readHeldCounts(pool).catch(() => undefined),
    readReplayCounts(pool).catch(() => undefined),
  ]);
  database.up.set(states && takesWrites ? 1 : 0);
  for (const { chainId } of chains)
    for (const lane of states?.get(chainId)?.lanes ?? [])
      setLaneGauges(metrics, { chain_id: chainId, lane: lane.traces ? "traces" : "plain" }, lane);
  if (figures) setDeliveryGauges(metrics, figures);
  if (leases) setLeaseGauges(metrics, leases);
  if (unfinished) setMoveGauges(metrics, unfinished);
  for (const { chainId } of chains) if (held) delivery.held.set({ chain_id: chainId }, held.get(chainId) ?? 0);
  for (const { chainId } of replays ? chains : [])
    for (const state of ["queued", "running"] as const)
      chain.replays.set({ chain_id: chainId, state }, replays?.get(chainId)?.[state] ?? 0);
}

/** Sets the gauges of chains that this process reads for the stream. */
function setStateGauges(metrics: Metrics, states: ReadonlyMap<string, ChainState>): void {
  for (const [chainId, { lanes }] of states)
    for (const lane of lanes) setLaneGauges(metrics, { chain_id: chainId, lane: "read" }, lane);
}

function setLaneGauges(
  { chain }: Metrics,
  of: { chain_id: string; lane: string },
  { head, followed, lagSeconds, stopped }: Omit<LaneState, "traces">,
): void {
  if (head !== null) chain.head.set(of, head);
  if (followed !== null) chain.followed.set(of, followed);
  if (head !== null && followed !== null) chain.lagBlocks.set(of, head - followed);
  if (lagSeconds !== null) chain.lagSeconds.set(of, lagSeconds);
  for (const reason of standstillKinds) chain.stopped.set({ ...of, reason }, stopped?.kind === reason ? 1 : 0);
}

function setDeliveryGauges({ delivery }: Metrics, figures: DeliveryFigures): void {
  for (const wait of waits) {
    const { count, oldestSeconds = 0 } = figures[wait];
    delivery.pending.set({ waiting_for: wait }, count);
    // The time at which a retry is due does not show how long it has waited.
    if (wait !== "retry") delivery.oldest.set({ waiting_for: wait }, Math.max(0, oldestSeconds));
  }
}

function setLeaseGauges({ lease }: Metrics, leases: readonly LeaseFigures[]): void {
  for (const { kind, owned, free } of leases) {
    lease.leases.set({ kind, state: "owned" }, owned);
    lease.leases.set({ kind, state: "free" }, free);
  }
}

function setMoveGauges({ moves }: Metrics, unfinished: readonly UnfinishedMove[]): void {
  // The longest comes first, and is what stays.
  for (const { direction, state, seconds } of unfinished.toReversed())
    moves.unfinishedSeconds.set({ direction, state }, seconds);
}
