/** The API: the service's own pages, and the contract with its handlers. */
import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
import { createMetrics, type Metrics } from "../metrics.ts";
import { storedKeys } from "./api-keys.ts";
import type { HandlerContext } from "./context.ts";
import { type Contract, loadContract } from "./contract.ts";
import { documents } from "./documents.ts";
import { enforce, exact } from "./enforce.ts";
import type { OnFailure } from "./error-mapper.ts";
import { createHandlers } from "./handlers/index.ts";
import { health } from "./health.ts";
import { requestCount } from "./request-count.ts";
import { requestIdOf, requestLog } from "./request-log.ts";
import { routes } from "./routes.ts";
import { refuseWhenStopping } from "./stopping.ts";
import { storeErrorAsHttp } from "./store-errors.ts";

/** What the API needs. */
export type AppOptions = HandlerContext & {
  log: Logger;
  metrics?: Metrics;
  /** The OpenAPI document to enforce, unless it is the one in generated/. */
  contract?: Contract;
};

/**
 * Makes the API.
 *
 * @throws when the contract is not a valid document, or holds an operation without a handler
 */
export async function createApp(options: AppOptions): Promise<Express> {
  const { pool, log, chains, metrics = createMetrics(), contract = await loadContract() } = options;
  const app = exact(express());
  app.use(requestLog(log), requestCount(metrics, contract), noSniffing);
  app.use(await documents(), health(pool, chains));
  app.use("/v1", refuseWhenStopping);
  await enforce(app, routes(contract, createHandlers(options)), {
    contract,
    findCaller: storedKeys(pool, log),
    translate: storeErrorAsHttp,
    onFailure: logFailure(log),
  });
  return app;
}

const noSniffing: RequestHandler = (_request, response, next) => {
  response.set("x-content-type-options", "nosniff");
  next();
};

function logFailure(log: Logger): OnFailure {
  return (failure, response) => {
    const entry = { requestId: requestIdOf(response), err: failure.cause ?? failure };
    log[failure.status === 500 ? "error" : "warn"](entry, failure.message);
  };
}
