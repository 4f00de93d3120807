/** Refuses requests in the contract's shape: before the app sees one, and once it is stopping. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Express, RequestHandler } from "express";
import type { Logger } from "../../base/log.ts";
import { errorBody, type Failure, unavailable } from "../../contract/errors.ts";
import { requestIdHeader } from "../request-log.ts";

/** @returns the identifier of the request, which the client sees too */
export function refuseConnection(response: ServerResponse, failure: Failure): string {
  const body = JSON.stringify(errorBody(failure));
  const requestId = String(response.getHeader(requestIdHeader) ?? randomUUID());
  response.writeHead(failure.status, {
    [requestIdHeader]: requestId,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...failure.headers,
  });
  response.end(body);
  return requestId;
}

const logEveryMs = 10_000;

/** Logs refusals without a line for each: the first immediately, then every ten seconds their number and the newest. */
export function refusalLog(log: Logger): (newest: Record<string, unknown>) => void {
  let refused = 0;
  let latest: Record<string, unknown> = {};
  let timer: NodeJS.Timeout | undefined;
  const logNow = () => {
    timer = undefined;
    if (refused === 0) return;
    log.warn({ refused, newest: latest }, "requests are refused: too many in flight");
    refused = 0;
    timer = setTimeout(logNow, logEveryMs).unref();
  };
  return (newest) => {
    refused += 1;
    latest = newest;
    if (!timer) logNow();
  };
}

const stopping = new WeakSet<Express>();
const endings = new WeakMap<Express, () => void>();

/** From now on the app answers 503 to its API and to /readyz. */
export function setStopping(app: Express): void {
  stopping.add(app);
  endings.get(app)?.();
}

/** Calls `end` when the app is stopping, for what would go on without end. */
export function whenStopping(app: Express, end: () => void): void {
  endings.set(app, end);
}

/** Lets requests through until the app is stopping. */
export const refuseWhenStopping: RequestHandler = (request, response, next) => {
  if (!stopping.has(request.app as Express)) {
    next();
    return;
  }
  response.set("connection", "close");
  throw unavailable("The server is stopping");
};
