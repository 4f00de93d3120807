/** The types of handlers, derived from the contract, and what calls the handler of a request's operation. */
import type { RequestHandler } from "express";
import type { OperationId, requiredScopes } from "../../generated/operations.ts";
import type { operations } from "../../generated/types.ts";
import { type Contract, operationsOf } from "./contract.ts";
import type { Success } from "./errors.ts";
import { describedBy } from "./operations.ts";
import { callerOf, type Scoped } from "./security.ts";

type Parameters<K extends OperationId> = operations[K]["parameters"];
type EmptyUnlessDeclared<T> = [T] extends [never] | [undefined] ? Record<never, never> : NonNullable<T>;

// The validator writes the contract's defaults into the query.
type WithDefaults<Query> = Query & (Query extends { pageSize?: infer Size } ? { pageSize: Size & number } : unknown);
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
};

type Responses<K extends OperationId> = operations[K]["responses"];
type Declared<Headers> = { [Name in keyof Headers as string extends Name ? never : Name]: Headers[Name] };
type Answer<Status, Response> = Response extends { headers: infer H; content: { "application/json": infer B } }
  ? { status: Status; body: B } & (keyof Declared<H> extends never ? unknown : { headers: Declared<H> })
  : never;

/** What a handler returns: one of the operation's successes. It throws failures. */
export type Output<K extends OperationId> = {
  [Status in keyof Responses<K> & Success]: Answer<Status, Responses<K>[Status]>;
}[keyof Responses<K> & Success];

/** One handler for each operation of the contract, no more and no less. */
export type Handlers<Caller = Scoped> = {
  [K in OperationId]: (input: Input<K, Caller>) => Promise<Output<K>> | Output<K>;
};

// What all handlers have in common. The validator has made sure that each gets its own operation's requests.
type AnyHandler = (input: Record<string, unknown>) => Promise<{
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}>;

/**
 * Answers each request by its operation's handler. Belongs after the validator, which finds the operation.
 *
 * @throws when the document holds an operation that has no handler
 */
export function callHandlers<Caller>(contract: Contract, handlers: Handlers<Caller>): RequestHandler {
  const byOperation = new Map(operationsOf(contract).map(({ operationId: id }) => [id, handlerOf(handlers, id)]));
  return async (request, response, next) => {
    const described = describedBy(request);
    const handler = byOperation.get(described?.schema.operationId ?? "");
    if (!handler) return next();
    const { query, headers, body } = request;
    const result = await handler({ caller: callerOf(request), path: described?.pathParams, query, headers, body });
    response
      .status(result.status)
      .set(result.headers ?? {})
      .json(result.body);
  };
}

function handlerOf<Caller>(handlers: Handlers<Caller>, operationId: string): AnyHandler {
  if (!Object.hasOwn(handlers, operationId)) throw new Error(`The operation ${operationId} has no handler.`);
  return handlers[operationId as keyof Handlers<Caller>] as unknown as AnyHandler;
}
