/** Registers every operation of the contract with its handler. */
import { type Request, type RequestHandler, Router } from "express";
import { callerOf } from "./caller.ts";
import type { Contract } from "./contract.ts";
import type { Handlers } from "./operation-types.ts";

const methods = ["get", "post", "put", "patch", "delete"] as const;

// What all handlers have in common. Which handler gets which request, the contract decides and the validator enforces.
type AnyHandler = (input: Record<string, unknown>) => Promise<{
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}>;

/** Makes the routes. @throws when the document holds an operation that has no handler */
export function routes<Caller>(contract: Contract, handlers: Handlers<Caller>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, item] of Object.entries(contract.paths)) {
    for (const method of methods) {
      const operationId = item[method]?.operationId;
      if (operationId === undefined) continue;
      router[method](path.replace(/{(\w+)}/g, ":$1"), answer(handlerOf(handlers, operationId)));
    }
  }
  return router;
}

function handlerOf<Caller>(handlers: Handlers<Caller>, operationId: string): AnyHandler {
  if (!Object.hasOwn(handlers, operationId)) throw new Error(`The operation ${operationId} has no handler.`);
  return handlers[operationId as keyof Handlers<Caller>] as unknown as AnyHandler;
}

function answer(handler: AnyHandler): RequestHandler {
  return async (request: Request, response) => {
    const { params: path, query, headers, body } = request;
    const result = await handler({ caller: callerOf(request), path, query, headers, body });
    response
      .status(result.status)
      .set(result.headers ?? {})
      .json(result.body);
  };
}
