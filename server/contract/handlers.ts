/** The types of handlers, derived from the contract, and what calls the handler of a request's operation. */
import type { Request, RequestHandler, Response } from "express";
import { type OperationId, operationTable, type requiredScopes } from "../../generated/operations.ts";
import type { operations } from "../../generated/types.ts";
import { type Contract, operationsOf } from "./contract.ts";
import type { Success } from "./errors.ts";
import { describedBy } from "./operations.ts";
import { eventStream } from "./request-form.ts";
import { type ServerSentEvent, sendEvents } from "./response-check.ts";
import { callerOf, type Scoped } from "./security.ts";

type Parameters<K extends OperationId> = operations[K]["parameters"];
type EmptyUnlessDeclared<T> = [T] extends [never] | [undefined] ? Record<never, never> : NonNullable<T>;

/** The query parameters that have a default in the contract, which the validator writes into the query. */
type Defaulted = "pageSize" | "limit" | "wait";
type WithDefaults<Query> = Query & { [Name in Extract<keyof Query, Defaulted>]-?: NonNullable<Query[Name]> };
type InLowerCase<Headers> = { [Name in keyof Headers as Lowercase<Name & string>]: Headers[Name] };
type Body<K extends OperationId> = operations[K] extends { requestBody: { content: { "application/json": infer B } } }
  ? B
  : undefined;

/** A valid request. */
export type Input<K extends OperationId, Caller = Scoped> = {
  /** What your `authenticate` returned; undefined for an operation that needs no key. */
  caller: K extends keyof typeof requiredScopes ? Caller : undefined;
  path: EmptyUnlessDeclared<Parameters<K>["path"]>;
  query: WithDefaults<EmptyUnlessDeclared<Parameters<K>["query"]>>;
  headers: InLowerCase<EmptyUnlessDeclared<Parameters<K>["header"]>>;
  body: Body<K>;
  /** Whether the client prefers a stream of events to JSON, where the operation has both. */
  wantsEvents: boolean;
  /** Calls `act` when the answer was sent, or the client has left before. */
  whenClosed(act: () => void): void;
};

type Responses<K extends OperationId> = operations[K]["responses"];
type Declared<Headers> = { [Name in keyof Headers as string extends Name ? never : Name]: Headers[Name] };
type Answer<Status, Response> = Response extends { headers: infer H; content: { "application/json": infer B } }
  ? { status: Status; body: B } & (keyof Declared<H> extends never ? unknown : { headers: Declared<H> })
  : never;

/**
 * A stream of events. The next ones are asked for when the client has taken those before. It ends with the iterator. When the client leaves,
 * nothing is asked for any more; `whenClosed` says so to who waits for the next one.
 */
type Events<Response> = Response extends { content: { "text/event-stream": unknown } }
  ? { status: 200; events: AsyncIterable<readonly ServerSentEvent[]> }
  : never;

/** What a handler returns: one of the operation's successes. It throws failures. */
export type Output<K extends OperationId> =
  | { [Status in keyof Responses<K> & Success]: Answer<Status, Responses<K>[Status]> }[keyof Responses<K> & Success]
  | (Responses<K> extends { 200: infer Response } ? Events<Response> : never);

/** One handler for each operation of the contract, no more and no less. Annotate yours with it, and one that you forget does not compile. */
export type Handlers<Caller = Scoped> = {
  [K in OperationId]: (input: Input<K, Caller>) => Promise<Output<K>> | Output<K>;
};

// What all handlers have in common. The validator has made sure that each gets its own operation's requests.
type AnyHandler = (input: Record<string, unknown>) => Promise<{
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  events?: AsyncIterable<readonly ServerSentEvent[]>;
}>;

/**
 * Answers each request by its operation's handler. Belongs after the validator, which finds the operation.
 *
 * @throws when the document holds an operation that has no handler
 */
export function callHandlers<Caller>(contract: Contract, handlers: Handlers<Caller>): RequestHandler {
  const missing = operationsOf(contract).find(({ operationId }) => !Object.hasOwn(handlers, operationId));
  if (missing) throw new Error(`The operation ${missing.operationId} has no handler.`);
  return callSomeHandlers(handlers);
}

/**
 * The same for a service that implements some of the contract; what comes next answers the others.
 *
 * @throws for a handler of an operation that the contract does not have, such as a misspelt one
 */
export function callSomeHandlers<Caller>(handlers: Partial<Handlers<Caller>>): RequestHandler {
  const byOperation = new Map(Object.entries(handlers) as [string, AnyHandler | undefined][]);
  for (const name of byOperation.keys())
    if (!Object.hasOwn(operationTable, name)) throw new Error(`The contract has no operation ${name}.`);
  return async (request, response, next) => {
    const described = describedBy(request);
    const handler = byOperation.get(described?.schema.operationId ?? "");
    if (!handler) return next();
    const { query, headers, body } = request;
    const result = await handler({
      ...{ caller: callerOf(request), path: described?.pathParams, query, headers, body },
      ...connectionOf(request, response),
    });
    if (result.events) return sendEvents(response, result.events);
    response
      .status(result.status)
      .set(result.headers ?? {})
      .json(result.body);
  };
}

/** What a handler learns of the connection, besides the request. */
export function connectionOf(
  request: Request,
  response: Response,
): { wantsEvents: boolean; whenClosed(act: () => void): void } {
  return {
    wantsEvents: request.headers.accept === eventStream,
    whenClosed(act) {
      if (response.closed) act();
      else response.once("close", act);
    },
  };
}
