/** What is for operators only, on a port of its own: metrics, and health for processes that have no API. */
import express, { type Express } from "express";
import type { Logger } from "pino";
import { collectDefaultMetrics } from "prom-client";
import type { Metrics } from "../metrics.ts";
import { readChainStates, standstillKinds } from "../store/chains.ts";
import type { Pool } from "../store/pool.ts";
import { exact } from "./enforce.ts";
import { errorMapper } from "./error-mapper.ts";
import { health } from "./health.ts";
import { getOnly, noSuchPath } from "./no-such-route.ts";
import type { ServedChain } from "./served.ts";
import { storeErrorAsHttp } from "./store-errors.ts";

/** What is shown. */
export type OperationsOptions = {
  pool: Pool;
  log: Logger;
  metrics: Metrics;
  chains: readonly Pick<ServedChain, "chainId" | "name">[];
};

/** Makes the app: GET /metrics in the text format of Prometheus, and health as the API has it. */
export function createOperations({ pool, log, metrics, chains }: OperationsOptions): Express {
  const app = exact(express());
  collectDefaultMetrics({ register: metrics.registry });
  app.use(health(pool, chains));
  app.get("/metrics", async (_request, response) => {
    await showTables({ pool, metrics, chains });
    response.type(metrics.registry.contentType).send(await metrics.text());
  });
  app.all("/metrics", getOnly);
  app.use(
    noSuchPath,
    errorMapper((failure) => log.warn({ err: failure.cause ?? failure }, failure.message), storeErrorAsHttp),
  );
  return app;
}

/** What is read from the tables is left out while the database is away, rather than told as it was. */
async function showTables({ pool, metrics, chains }: Omit<OperationsOptions, "log">): Promise<void> {
  const { chain, database } = metrics;
  for (const gauge of [chain.head, chain.followed, chain.lagBlocks, chain.lagSeconds, chain.stopped]) gauge.reset();
  const states = await readChainStates(pool).catch(() => undefined);
  database.up.set(states ? 1 : 0);
  for (const { chainId } of states ? chains : []) {
    const { head = null, followed = null, lagSeconds = null, stopped } = states?.get(chainId) ?? {};
    const of = { chain_id: chainId };
    if (head !== null) chain.head.set(of, head);
    if (followed !== null) chain.followed.set(of, followed);
    if (head !== null && followed !== null) chain.lagBlocks.set(of, head - followed);
    if (lagSeconds !== null) chain.lagSeconds.set(of, lagSeconds);
    for (const reason of standstillKinds) chain.stopped.set({ ...of, reason }, stopped?.kind === reason ? 1 : 0);
  }
}
