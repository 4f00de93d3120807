/** The API: the service's own pages, and the contract with its handlers. */
import express, { type Express, type RequestHandler, Router } from "express";
import type { Logger } from "../base/log.ts";
import { createMetrics, type Metrics } from "../base/metrics.ts";
import { type Contract, loadContract } from "../contract/contract.ts";
import { enforce, exact, isContractPath } from "../contract/enforce.ts";
import type { OnFailure } from "../contract/error-mapper.ts";
import { callHandlers } from "../contract/handlers.ts";
import { shortUrl } from "../contract/request-form.ts";
import { needsKey } from "../contract/security.ts";
import type { Limits } from "../settings/limits.ts";
import { settings } from "../settings/settings.ts";
import { documentPages, documents } from "./documents.ts";
import type { HandlerContext } from "./handlers/context.ts";
import { FeedReaders } from "./handlers/feed.ts";
import { createHandlers } from "./handlers/index.ts";
import { storedKeys } from "./limits/api-keys.ts";
import { countForAccount, notInFlight, shedOverload, withPlaceToWait } from "./limits/overload.ts";
import { rateLimits } from "./limits/rate-limit.ts";
import { allowOrigins, type CorsOrigins } from "./listening/cors.ts";
import { refuseWhenStopping, whenStopping } from "./listening/refuse.ts";
import { health, healthPaths, readinessOf } from "./monitoring/health.ts";
import { recordRequests, requestIdOf } from "./request-log.ts";
import { storeErrorAsHttp } from "./store-errors.ts";

/** What the API needs. */
export type AppOptions = HandlerContext & {
  log: Logger;
  metrics?: Metrics;
  /** Nothing is limited by default. */
  limits?: Limits;
  /** The process's cell; undefined for the one unnamed. */
  cell?: string | undefined;
  /** Whose pages may call the API from a browser; none by default. */
  corsOrigins?: CorsOrigins | undefined;
  /** The OpenAPI document to enforce; the one in generated/ by default. */
  contract?: Contract;
};

/**
 * Makes the API.
 *
 * @throws when the contract is not a valid document, or holds an operation without a handler
 */
export async function createApp(options: AppOptions): Promise<Express> {
  const { pool, log, limits, metrics = createMetrics(), contract = await loadContract() } = options;
  const app = exact(express());
  app.set("trust proxy", limits?.trustProxy ?? 0);
  if (options.corsOrigins) allowOrigins(app, options.corsOrigins, contract);
  const { perAddress, perKey, withoutGuessing } = rateLimits(pool, metrics, limits ?? unlimited);
  // Health is answered however busy the API is, and documents are only sent.
  const { router: documentRouter, paths: documentPaths } = await documents({ periods: options.periods });
  const exempt = new Set([...healthPaths, ...documentPaths]);
  if (limits)
    shedOverload(app, {
      maxConcurrent: limits.concurrentRequests,
      connections: pool.options.max,
      readers: Math.ceil(limits.connections * readersOfConnections),
      exempt,
      metrics,
      log,
    });
  app.use(recordRequests(log, metrics), noSniffing, shortUrl);
  const pages = Router({ caseSensitive: true, strict: true }).use(
    health({ ...options, ...readinessOf(pool) }),
    perAddress,
    documentRouter,
  );
  // A request that needs a key is counted once the key was looked up.
  app.use((request, response, next) => {
    if (!isContractPath(request.path)) return pages(request, response, next);
    // Returned, since it is asynchronous and may refuse.
    return needsKey(request) ? next() : perAddress(request, response, next);
  });
  app.use("/v1", refuseWhenStopping);
  const readers = new FeedReaders(pool);
  whenStopping(app, () => readers.stop());
  metrics.onScrape(() => metrics.http.feedReaders.set(readers.count()));
  const context = { ...options, targetSettings, ...(limits && { quotas: limits.quotas }) };
  const handlers = createHandlers(context, readers);
  await enforce(app, withPlaceToWait(callHandlers(contract, handlers)), {
    contract,
    pages: [...healthPaths, ...documentPages],
    findCaller: withoutGuessing(storedKeys(pool, log)),
    admit: [perKey, countForAccount],
    wrapBodyReader: notInFlight,
    translate: storeErrorAsHttp,
    onFailure: logFailure(log),
  });
  return app;
}

/** The part of all connections that readers of feeds may have. The others are for requests that end soon. */
const readersOfConnections = 0.75;

const targetSettings = { http: settings.allowHttpTargets.name, private: settings.allowPrivateTargets.name };

const unlimited = { perKey: undefined, perAddress: undefined };

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
