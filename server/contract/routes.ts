/** Answers every operation of the contract by its handler. */
import type { RequestHandler } from "express";
import { callerOf } from "./caller.ts";
import type { Contract } from "./contract.ts";
import { describedBy } from "./operation-of-path.ts";
import type { Handlers } from "./operation-types.ts";

// What all handlers have in common. Which handler gets which request, the contract decides and the validator enforces.
type AnyHandler = (input: Record<string, unknown>) => Promise<{
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}>;

/**
 * Makes what stands behind the validator: it has found out already which operation a request is for.
 *
 * @throws when the document holds an operation that has no handler
 */
export function routes<Caller>(contract: Contract, handlers: Handlers<Caller>): RequestHandler {
  const byOperation = new Map<string, AnyHandler>();
  for (const { operationId } of Object.values(contract.paths).flatMap((item) => Object.values(item)))
    if (operationId !== undefined) byOperation.set(operationId, handlerOf(handlers, operationId));
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
