/** What is for operators only, on a port of its own: metrics, and health for processes that have no API. */
import express, { type Express } from "express";
import type { Logger } from "pino";
import { collectDefaultMetrics } from "prom-client";
import { exact } from "../contract/enforce.ts";
import { errorMapper } from "../contract/error-mapper.ts";
import { unavailable } from "../contract/errors.ts";
import { getOnly, noSuchPath } from "../contract/no-such-route.ts";
import type { ServedChain } from "../contract/served-chains.ts";
import type { Metrics } from "../metrics.ts";
import type { Pool } from "../store/pool.ts";
import { health } from "./health.ts";
import { showTables } from "./show-tables.ts";
import { storeErrorAsHttp } from "./store-errors.ts";

/** What is shown. */
export type OperationsOptions = {
  pool: Pool;
  log: Logger;
  metrics: Metrics;
  chains: readonly Pick<ServedChain, "chainId" | "name">[];
  /** Whether the process does its work yet; taken for granted unless given. */
  isStarted?: () => boolean;
};

/** Makes the app: GET /metrics in the text format of Prometheus, and health as the API has it. */
export function createOperations({ pool, log, metrics, chains, isStarted = () => true }: OperationsOptions): Express {
  const app = exact(express());
  collectDefaultMetrics({ register: metrics.registry });
  app.use(["/readyz", "/healthz/chains"], (_request, _response, next) => {
    if (!isStarted()) throw unavailable("The server is starting");
    next();
  });
  app.use(health(pool, chains));
  let reading: Promise<string> | undefined;
  const read = async () => {
    await showTables(metrics, pool, chains);
    return metrics.text();
  };
  app.get("/metrics", async (_request, response) => {
    // As for health: the pool is also that of followers and leases.
    reading ??= read().finally(() => {
      reading = undefined;
    });
    response.type(metrics.registry.contentType).send(await reading);
  });
  app.all("/metrics", getOnly);
  app.use(
    noSuchPath,
    errorMapper((failure) => log.warn({ err: failure.cause ?? failure }, failure.message), storeErrorAsHttp),
  );
  return app;
}
