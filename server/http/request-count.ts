/** Counts requests and how long they took, by operation and status. */
import type { Request, RequestHandler } from "express";
import type { Metrics } from "../metrics.ts";

/** What the contract's enforcement notes on a request whose path and method the contract has. */
type Enforced = Request & { openapi?: { schema?: { operationId?: string } } };

export function requestCount({ http }: Metrics): RequestHandler {
  return (request: Enforced, response, next) => {
    const stop = http.requestSeconds.startTimer();
    response.once("close", () => {
      const operation = request.openapi?.schema?.operationId ?? "other";
      stop({ operation, status: String(response.statusCode) });
    });
    next();
  };
}
