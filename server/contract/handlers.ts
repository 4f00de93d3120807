/** The types of handlers, derived from the contract, and what calls the handler of a request's operation. */
import type { RequestHandler } from "express";
import { type OperationId, operationTable, type requiredScopes } from "../../generated/operations.ts";
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

/** One handler for each operation of the contract, no more and no less. Annotate yours with it, and one that you forget does not compile. */
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
    const result = await handler({ caller: callerOf(request), path: described?.pathParams, query, headers, body });
    response
      .status(result.status)
      .set(result.headers ?? {})
      .json(result.body);
  };
}
