/** Gives each request an identifier, logs one line when it ends, and counts it. Never logs its query, headers or body: they hold secrets. Of its path it logs what is none. */
import { randomUUID } from "node:crypto";
import type { RequestHandler, Response } from "express";
import { type Logger, redactPath } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import { findOperation } from "../contract/operations.ts";
import { callerOf } from "../contract/security.ts";
import type { Caller } from "../store/accounts/keys.ts";

/** The response header with the request's identifier, which the log has too. */
export const requestIdHeader = "x-request-id";

/** The identifier of the request that is being answered. */
export function requestIdOf(response: Response): string {
  return String(response.getHeader(requestIdHeader));
}

/** Logs every request with its status, its duration in ms and its account. Counts it by operation; what the contract does not have is `other`. */
export function recordRequests(log: Logger, { http }: Metrics): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const { method, path } = request;
    response.setHeader(requestIdHeader, randomUUID());
    response.once("close", () => {
      const status = response.statusCode;
      const durationMs = performance.now() - started;
      log.info(
        {
          requestId: requestIdOf(response),
          method,
          path: redactPath(path),
          status,
          durationMs: Math.round(durationMs),
          accountId: callerOf<Caller>(request)?.accountId,
          ...(!response.writableFinished && { aborted: true }),
        },
        "request",
      );
      // By method and path, since some requests are refused before their operation is known.
      const operation = findOperation(method, path)?.operationId ?? "other";
      http.requestSeconds.observe({ operation, status: String(status) }, durationMs / 1_000);
    });
    next();
  };
}
