/** Refuses a request that the app is not to see, in the contract's shape. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type ErrorStatus, errorBody } from "../contract/errors.ts";
import { requestIdHeader } from "./request-log.ts";

/** @returns the identifier by which the client can ask about it */
export function refuse(
  response: ServerResponse,
  failure: { status: ErrorStatus; message: string },
  headers: Readonly<Record<string, string>>,
): string {
  const body = JSON.stringify(errorBody(failure));
  const requestId = String(response.getHeader(requestIdHeader) ?? randomUUID());
  response.writeHead(failure.status, {
    [requestIdHeader]: requestId,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  });
  response.end(body);
  return requestId;
}
