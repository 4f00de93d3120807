/** For operators only, on its own port: metrics, and health for processes without the API. */
import express, { type Express } from "express";
import { collectDefaultMetrics } from "prom-client";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import { exact } from "../../contract/enforce.ts";
import { errorMapper, getOnly, nothingAnswered } from "../../contract/error-mapper.ts";
import { unavailable } from "../../contract/errors.ts";
import type { ChainState } from "../../store/chains/chains.ts";
import type { Pool } from "../../store/pool.ts";
import { storeErrorAsHttp } from "../store-errors.ts";
import { type HealthOptions, health, readinessOf, shared } from "./health.ts";
import { setStateGauges, setTableGauges } from "./table-gauges.ts";

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
