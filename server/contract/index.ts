/**
 * The contract's enforcement alone, for those who implement the API themselves: no database, no chain.
 *
 * @module
 */
import express, { type RequestHandler } from "express";
import { droppingUnread } from "./body/read-bytes.ts";
import { checkedDocument, loadContract } from "./contract.ts";
import { enforce, exact, isContractPath } from "./enforce.ts";
import type { OnFailure, Translate } from "./error-mapper.ts";
import { callSomeHandlers, type Handlers } from "./handlers.ts";
import { shortUrl } from "./request-form.ts";
import { checkResponses } from "./response-check.ts";
import type { FindCaller, Scoped } from "./security.ts";

export type { OperationId } from "../../generated/operations.ts";
export type { NewWebhook, WebhookHeader } from "../matching/new-webhook.ts";
export { divideByPrefix, readAddresses } from "./address-input.ts";
export { type ErrorStatus, HttpError } from "./errors.ts";
export type { Handlers, Input, Output } from "./handlers.ts";
export { callerOf, type Scoped } from "./security.ts";
export {
  aboveNewestBlock,
  assertChange,
  assertHasUrl,
  operationalWithoutUrl,
  readNewWebhook,
  readOperational,
  readPreview,
  type SupportedChain,
  unknownBlock,
  unknownTransaction,
  type WebhookPolicy,
} from "./webhook-input.ts";
export { readHeaders } from "./webhook-options.ts";

/** The options of `contract`. */
export type ContractOptions<Caller extends Scoped> = {
  /**
   * Returns the owner of an API key, with the scopes of the key, or undefined, which answers 401. The key is `""` where a request has
   * none. Compare keys in constant time, or look up their hash.
   */
  authenticate: FindCaller<Caller>;
  /**
   * The contract under your own name, servers and security: `openapi-closed.json`, changed by an overlay. It may lack operations, which
   * then are no paths. Its key is in a header, or a bearer token. Without it, the contract is as this package has it.
   */
  document?: object;
  /** Turns your own errors into an {@link HttpError} for the client. Where it returns undefined, the answer is a 500. */
  translate?: Translate;
  /** Called with each answer of 500 and above, and its cause. `console.error` by default. */
  onFailure?: OnFailure;
} & (
  | {
      /**
       * A function for each operation. It takes the valid request, and returns the answer or throws an {@link HttpError}. An operation
       * without one answers 501.
       */
      handlers: Partial<Handlers<Caller>>;
    }
  | {
      /**
       * Express routes of your own at the contract's paths. {@link callerOf} returns the caller. An operation that no route answers
       * answers 501.
       */
      routes: RequestHandler;
    }
);

/**
 * Makes Express middleware that holds an app to the contract. A request that breaks the contract never reaches the app. An answer that
 * breaks it becomes a 500, and `onFailure` gets the reason. Every error has the contract's shape: 404 for a path that the contract does
 * not have, 405 for a method that a path does not have, 501 for an operation that you do not implement. Requests outside `/v1` pass through.
 *
 * @throws when the contract cannot be loaded, or does not have the operation of a handler, or `document` is not made from it
 * @example
 * ```ts
 * const app = express();
 * app.use(await contract({ authenticate: (key) => callers.get(sha256(key)), handlers }));
 * app.listen(3000);
 * ```
 */
export async function contract<Caller extends Scoped>(options: ContractOptions<Caller>): Promise<RequestHandler> {
  const { authenticate, onFailure = report, translate } = options;
  const document = options.document ? await checkedDocument(options.document) : await loadContract();
  const app = exact(express());
  app.use(shortUrl, droppingUnread, checkResponses(document));
  const answer = "handlers" in options ? callSomeHandlers(options.handlers) : options.routes;
  await enforce(app, answer, {
    contract: document,
    findCaller: authenticate,
    onFailure,
    ...(translate && { translate }),
  });
  return (request, response, next) => (isContractPath(request.path) ? app(request, response, next) : next());
}

const report: OnFailure = (failure) => console.error(failure.cause ?? failure);
