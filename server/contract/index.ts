/**
 * The contract's enforcement alone, for those who implement the API themselves: no database, no chain.
 *
 * @module
 */
import express, { type RequestHandler } from "express";
import type { FindCaller } from "./authenticate.ts";
import { droppingUnread } from "./body-bytes.ts";
import type { Scoped } from "./caller.ts";
import { loadContract } from "./contract.ts";
import { enforce, exact, isContractPath } from "./enforce.ts";
import type { OnFailure, Translate } from "./error-mapper.ts";
import type { Handlers } from "./operation-types.ts";
import { checkResponses } from "./response-check.ts";
import { routes } from "./routes.ts";

export type { NewWebhook } from "../store/webhooks/record.ts";
export { readAddresses } from "./address-input.ts";
export { callerOf, type Scoped } from "./caller.ts";
export { type ErrorStatus, HttpError } from "./errors.ts";
export type { Handlers, Input, OperationId, Output } from "./operation-types.ts";
export type { Served, ServedChain } from "./served-chains.ts";
export { assertChange, readNewWebhook } from "./webhook-input.ts";

/** What `contract` needs. */
export type ContractOptions<Caller extends Scoped> = {
  /**
   * Tells who an API key belongs to, with the scopes that the key has; undefined, and the answer is 401. The key is `""` where a
   * request has none. Compare keys in constant time, or look up their hash.
   */
  authenticate: FindCaller<Caller>;
  /** What clients are told of errors of your own that handlers throw: an {@link HttpError}, or undefined for a 500. */
  translate?: Translate;
  /** Told of each answer of 500 and above, with the cause; `console.error` unless given. */
  onFailure?: OnFailure;
} & (
  | {
      /** A function for each operation, which is given the validated request, and returns the answer or throws an {@link HttpError}. */
      handlers: Handlers<Caller>;
    }
  | {
      /** Express routes of your own at the contract's paths. Who calls, {@link callerOf} tells. */
      routes: RequestHandler;
    }
);

/**
 * Makes Express middleware that holds an app to the contract. A request that is not as the contract says never reaches the app; an
 * answer that is not becomes a 500, and `onFailure` is told why; every error has the contract's shape. Requests outside the
 * contract's paths go past it.
 *
 * @throws when the contract cannot be loaded, or an operation has no handler
 * @example
 * ```ts
 * const app = express();
 * app.use(await contract({ authenticate: (key) => callers.get(sha256(key)), handlers }));
 * app.listen(3000);
 * ```
 */
export async function contract<Caller extends Scoped>(options: ContractOptions<Caller>): Promise<RequestHandler> {
  const { authenticate, onFailure = report, translate } = options;
  const document = await loadContract();
  const app = exact(express());
  app.use(droppingUnread, checkResponses(document));
  const answer = "handlers" in options ? routes(document, options.handlers) : options.routes;
  await enforce(app, answer, {
    contract: document,
    findCaller: authenticate,
    onFailure,
    ...(translate && { translate }),
  });
  return (request, response, next) => (isContractPath(request.path) ? app(request, response, next) : next());
}

const report: OnFailure = (failure) => console.error(failure.cause ?? failure);
