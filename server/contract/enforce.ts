/** Enforces the contract on all that an app answers: who may call, what may be asked, what may be answered, errors included. */
import type { Express, RequestHandler } from "express";
import { authenticate, type FindCaller } from "./authenticate.ts";
import type { Scoped } from "./caller.ts";
import type { Contract } from "./contract.ts";
import { errorMapper, type OnFailure, type Translate } from "./error-mapper.ts";
import { noSuchPath } from "./no-such-route.ts";
import { plainIntegers } from "./query-integers.ts";
import { headAsGet, noBrackets, plainMediaTypes } from "./request-form.ts";
import { createValidator } from "./validator.ts";

/** What stands around the handlers. */
export type Enforcement = {
  contract: Contract;
  findCaller: FindCaller<Scoped>;
  translate?: Translate;
  onFailure: OnFailure;
  /** What stands behind the look-up of the key, and before anything else of the request is read. */
  admit?: readonly RequestHandler[];
};

/**
 * Adds to an app what a request passes through, in order, and `answer` in the middle of it.
 *
 * @throws when the contract is not a valid document
 */
export async function enforce(
  app: Express,
  answer: RequestHandler,
  { contract, findCaller, onFailure, translate, admit = [] }: Enforcement,
): Promise<void> {
  app.use("/v1", noStoring);
  app.use("/v1/webhooks", authenticate(findCaller), ...admit);
  app.use(await requestChecks(app, contract), answer);
  app.use(noSuchPath, errorMapper(onFailure, translate));
}

/** What a request must pass behind its key, and nothing of its body is read before the last. @throws when the contract is not valid */
export async function requestChecks(app: Express, contract: Contract): Promise<RequestHandler[]> {
  return [headAsGet, plainMediaTypes, noBrackets, plainIntegers(contract), ...(await createValidator(app, contract))];
}

/** Whether a path is below the contract's version, and so for the contract to answer, if only that there is nothing there. */
export function isContractPath(path: string): boolean {
  return path === "/v1" || path.startsWith("/v1/");
}

/** Makes the routing as exact as the contract's paths are, and answers no more than they say. */
export function exact(app: Express): Express {
  return app.enable("case sensitive routing").enable("strict routing").disable("x-powered-by").disable("etag");
}

/** Answers hold secrets, and are true for the moment only; and nobody needs to know what gives them. */
const noStoring: RequestHandler = (_request, response, next) => {
  response.set("cache-control", "no-store").removeHeader("x-powered-by");
  next();
};
