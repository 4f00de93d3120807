/** Gives each request an identifier and the log one line when it ends: never its query, headers or body, which hold secrets. */
import { randomUUID } from "node:crypto";
import type { RequestHandler, Response } from "express";
import type { Logger } from "pino";
import { callerOf } from "../contract/caller.ts";
import type { Caller } from "../store/accounts/keys.ts";

/** The header that tells a client what its request is called in the log. */
export const requestIdHeader = "x-request-id";

/** The identifier of the request that is being answered. */
export function requestIdOf(response: Response): string {
  return String(response.getHeader(requestIdHeader));
}

/** Logs every request with its status, its duration in ms and the account that made it. */
export function requestLog(log: Logger): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const { method, path } = request;
    response.set(requestIdHeader, randomUUID());
    response.once("close", () => {
      log.info(
        {
          requestId: requestIdOf(response),
          method,
          path,
          status: response.statusCode,
          durationMs: Math.round(performance.now() - started),
          accountId: callerOf<Caller>(request)?.accountId,
          ...(!response.writableFinished && { aborted: true }),
        },
        "request",
      );
    });
    next();
  };
}
