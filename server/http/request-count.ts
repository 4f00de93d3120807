/** Counts requests and how long they took, by operation and status. */
import type { RequestHandler } from "express";
import type { Metrics } from "../metrics.ts";
import type { Contract } from "./contract.ts";

export function requestCount({ http }: Metrics, contract: Contract): RequestHandler {
  const operationOf = operationFinder(contract);
  return ({ method, path }, response, next) => {
    const stop = http.requestSeconds.startTimer();
    response.once("close", () => stop({ operation: operationOf(method, path), status: String(response.statusCode) }));
    next();
  };
}

/** Also of requests that are refused before anything looks at their operation. What the contract does not have is `other`. */
function operationFinder({ paths }: Contract): (method: string, path: string) => string {
  const templates = Object.entries(paths).map(([template, item]) => ({
    matches: new RegExp(`^${template.replace(/{\w+}/g, "[^/]+")}$`),
    item,
  }));
  return (method, path) => {
    const item: Record<string, { operationId?: string } | undefined> =
      templates.find(({ matches }) => matches.test(path))?.item ?? {};
    return item[method === "HEAD" ? "get" : method.toLowerCase()]?.operationId ?? "other";
  };
}
