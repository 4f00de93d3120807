/** Counts requests and how long they took, by operation and status. */
import type { RequestHandler } from "express";
import type { Contract } from "../contract/contract.ts";
import { operationFinder } from "../contract/operation-of-path.ts";
import type { Metrics } from "../metrics.ts";

export function requestCount({ http }: Metrics, contract: Contract): RequestHandler {
  const find = operationFinder(contract);
  // Also of requests that are refused before anything looks at their operation. What the contract does not have is `other`.
  const operationOf = (method: string, path: string) =>
    find(method === "HEAD" ? "GET" : method, path)?.operationId ?? "other";
  return ({ method, path }, response, next) => {
    const stop = http.requestSeconds.startTimer();
    response.once("close", () => stop({ operation: operationOf(method, path), status: String(response.statusCode) }));
    next();
  };
}
