/** The API: the service's own pages, and the contract with its handlers. */
import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
import { type Contract, loadContract } from "../contract/contract.ts";
import { enforce, exact } from "../contract/enforce.ts";
import type { OnFailure } from "../contract/error-mapper.ts";
import { shortUrl } from "../contract/request-form.ts";
import { routes } from "../contract/routes.ts";
import type { Limits } from "../limits.ts";
import { createMetrics, type Metrics } from "../metrics.ts";
import { storedKeys } from "./api-keys.ts";
import type { HandlerContext } from "./context.ts";
import { documents } from "./documents.ts";
import { createHandlers } from "./handlers/index.ts";
import { health } from "./health.ts";
import { healthPaths } from "./health-paths.ts";
import { countForAccount, shedOverload } from "./overload.ts";
import { rateLimits } from "./rate-limit.ts";
import { requestCount } from "./request-count.ts";
import { requestIdOf, requestLog } from "./request-log.ts";
import { refuseWhenStopping } from "./stopping.ts";
import { storeErrorAsHttp } from "./store-errors.ts";

/** What the API needs. */
export type AppOptions = HandlerContext & {
  log: Logger;
  metrics?: Metrics;
  /** What it allows; nothing is limited unless given. */
  limits?: Limits;
  /** The OpenAPI document to enforce, unless it is the one in generated/. */
  contract?: Contract;
};

/**
 * Makes the API.
 *
 * @throws when the contract is not a valid document, or holds an operation without a handler
 */
export async function createApp(options: AppOptions): Promise<Express> {
  const { pool, log, chains, limits, metrics = createMetrics(), contract = await loadContract() } = options;
  const app = exact(express());
  app.set("trust proxy", limits?.trustProxy ?? 0);
  const { perAddress, perKey, withoutGuessing } = rateLimits(pool, metrics, limits ?? unlimited);
  // Who watches the process is answered whatever else comes, and documents are only sent.
  const { router: documentRouter, paths: documentPaths } = await documents();
  const outside = new Set([...healthPaths, ...documentPaths]);
  if (limits)
    shedOverload(app, {
      contract,
      atOnce: limits.requestsInHand,
      connections: pool.options.max,
      outside,
      metrics,
      log,
    });
  app.use(requestLog(log), requestCount(metrics, contract), noSniffing, shortUrl);
  app.use(health(pool, chains));
  // What asks for a key is counted when the key was looked up.
  app.use(unless(keyedPath, perAddress), documentRouter);
  app.use("/v1", refuseWhenStopping);
  const handlers = createHandlers({ ...options, ...(limits && { quotas: limits.quotas }) });
  await enforce(app, routes(contract, handlers), {
    contract,
    findCaller: withoutGuessing(storedKeys(pool, log)),
    admit: [perKey, countForAccount],
    translate: storeErrorAsHttp,
    onFailure: logFailure(log),
  });
  return app;
}

const unlimited = { perKey: undefined, perAddress: undefined };

const keyedPath = /^\/v1\/webhooks(\/|$)/;

function unless(paths: RegExp, handler: RequestHandler): RequestHandler {
  return (request, response, next) => (paths.test(request.path) ? next() : handler(request, response, next));
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
