/** The API: what a request passes through, in order. */
import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
import { authenticate } from "./authenticate.ts";
import type { HandlerContext } from "./context.ts";
import { type Contract, loadContract } from "./contract.ts";
import { documents } from "./documents.ts";
import { errorMapper } from "./error-mapper.ts";
import { createHandlers } from "./handlers/index.ts";
import { health } from "./health.ts";
import { noSuchPath } from "./no-such-route.ts";
import { emptyBodyAsObject, headAsGet, jsonBody, noBrackets, plainContentType } from "./request-form.ts";
import { requestLog } from "./request-log.ts";
import { routes } from "./routes.ts";
import { refuseWhenStopping } from "./stopping.ts";
import { createValidator } from "./validator.ts";

/** What the API needs. */
export type AppOptions = HandlerContext & {
  log: Logger;
  /** The OpenAPI document to enforce, unless it is the one in generated/. */
  contract?: Contract;
};

/**
 * Makes the API.
 *
 * @throws when the contract is not a valid document, or holds an operation without a handler
 */
export async function createApp(options: AppOptions): Promise<Express> {
  const { pool, log, contract = await loadContract() } = options;
  const app = express();
  app.enable("case sensitive routing").enable("strict routing").disable("x-powered-by").disable("etag");

  app.use(requestLog(log), noSniffing);
  app.use(await documents(), health(pool));
  app.use("/v1", noStoring, refuseWhenStopping);
  app.use("/v1/webhooks", authenticate(pool, log));
  app.use(headAsGet, plainContentType, noBrackets, jsonBody, emptyBodyAsObject);
  app.use(await createValidator(app, contract));
  app.use(routes(contract, createHandlers(options)));
  app.use(noSuchPath, errorMapper(log));
  return app;
}

const noSniffing: RequestHandler = (_request, response, next) => {
  response.set("x-content-type-options", "nosniff");
  next();
};

/** Answers hold secrets, and are true for the moment only. */
const noStoring: RequestHandler = (_request, response, next) => {
  response.set("cache-control", "no-store");
  next();
};
