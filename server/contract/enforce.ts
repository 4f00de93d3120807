/** Enforces the contract around an app's answers: who may call, what a request and an answer must be, errors included. */
import { type Express, type RequestHandler, Router } from "express";
import type { WrapBodyReader } from "./body/json-body.ts";
import type { Contract } from "./contract.ts";
import { errorMapper, nothingAnswered, type OnFailure, type Translate } from "./error-mapper.ts";
import { keySchemeOf } from "./key-scheme.ts";
import { plainForm } from "./request-form.ts";
import { authenticate, type FindCaller, needsKey, type Scoped } from "./security.ts";
import { createValidator } from "./validator.ts";

/** What surrounds the handlers. */
export type Enforcement = {
  contract: Contract;
  findCaller: FindCaller<Scoped>;
  translate?: Translate;
  onFailure: OnFailure;
  /** Runs once the key was looked up, and before anything else of the request is read. */
  admit?: readonly RequestHandler[];
  wrapBodyReader?: WrapBodyReader;
};

/**
 * Adds to an app what a request passes through, in order, with `answer` in the middle.
 *
 * @throws when the contract is not a valid document
 */
export async function enforce(
  app: Express,
  answer: RequestHandler,
  { contract, findCaller, onFailure, translate, admit = [], wrapBodyReader }: Enforcement,
): Promise<void> {
  app.use("/v1", noStoring);
  const keyed = Router().use(authenticate(findCaller, keySchemeOf(contract)), ...admit);
  app.use((request, response, next) => (needsKey(request) ? keyed(request, response, next) : next()));
  app.use(plainForm(contract), await createValidator(contract, wrapBodyReader), answer);
  app.use(nothingAnswered, errorMapper(onFailure, translate));
}

/** Whether a path is below the contract's version. The contract then answers, if only that there is no such path. */
export function isContractPath(path: string): boolean {
  return path === "/v1" || path.startsWith("/v1/");
}

/** Makes an app's routing as exact as the contract's paths, without headers of Express's own. */
export function exact(app: Express): Express {
  return app.enable("case sensitive routing").enable("strict routing").disable("x-powered-by").disable("etag");
}

/** Answers hold secrets, and are true for a moment only. Nobody needs to know which software answers. */
const noStoring: RequestHandler = (_request, response, next) => {
  response.set("cache-control", "no-store").removeHeader("x-powered-by");
  next();
};
