/** Turns a method's call into the parts of one HTTP request, made once, so that every try sends the same. */
import { operationTable } from "../generated/operations.ts";
import { WebhooksError } from "./errors.ts";
import type { OperationName } from "./types.ts";

/** A call of any operation, as it is at run time. */
export type AnyCall = {
  query?: Record<string, unknown>;
  path?: Record<string, unknown>;
  headers?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal | undefined;
};

type HttpMethod = "get" | "put" | "post" | "patch" | "delete";

/** One request, ready to be sent any number of times. */
export type PreparedRequest = {
  operation: OperationName;
  method: HttpMethod;
  /** The contract's path, its parameters still in braces. */
  pathTemplate: string;
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  /** The body as JSON text; undefined when the call has none. */
  bodyText: string | undefined;
  idempotencyKey: boolean;
};

/**
 * Prepares a request, and adds an `Idempotency-Key` if the operation takes one and the caller set none.
 * @throws WebhooksError `invalid_request` for a path parameter that would change the path, or a body that is not JSON.
 */
export function prepareRequest(operation: OperationName, call: AnyCall): PreparedRequest {
  const facts: { method: HttpMethod; path: string; idempotencyKey?: boolean } = operationTable[operation];
  const { path = {}, query = {}, headers = {} } = call;
  const idempotencyKey = facts.idempotencyKey === true;
  for (const [, name = ""] of facts.path.matchAll(/\{([^{}]+)\}/g)) checkPathParameter(operation, name, path[name]);
  return {
    operation,
    method: facts.method,
    pathTemplate: facts.path,
    path,
    query,
    headers: idempotencyKey ? withIdempotencyKey(headers) : { ...headers },
    bodyText: toJson(operation, call.body),
    idempotencyKey,
  };
}

/** An empty one, or a dot that URLs resolve, would make the request address another resource: a list, or all of them. */
function checkPathParameter(operation: OperationName, name: string, value: unknown): void {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text === "string" && !/^\.{0,2}$/.test(text)) return;
  throw new WebhooksError(`${operation} was not sent: path.${name} must be a text that is not empty, "." or "..".`, {
    code: "invalid_request",
    operation,
  });
}

function withIdempotencyKey(headers: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === "idempotency-key" && value !== undefined,
  );
  return given ? { ...headers } : { ...headers, "Idempotency-Key": crypto.randomUUID() };
}

function toJson(operation: OperationName, body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new WebhooksError(`${operation} was not sent: its body cannot be written as JSON.`, {
      code: "invalid_request",
      operation,
      cause,
    });
  }
}
