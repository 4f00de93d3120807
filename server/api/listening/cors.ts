/**
 * Lets pages of other origins call the API and read its answers (CORS, in the Fetch standard). This runs before anything that refuses a
 * request, so that a page can read refusals, too. A preflight needs no key: its answer is the same for all paths, and nothing is looked up.
 *
 * Credentials are never allowed. A browser then sends no cookie, and a page can only use a key that it was given.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Express } from "express";
import { apiKeyHeader, operationTable } from "../../../generated/operations.ts";
import { type Contract, operationsOf, resolved } from "../../contract/contract.ts";
import { isContractPath } from "../../contract/enforce.ts";
import { requestIdHeader } from "../request-log.ts";

/** The origins whose pages may call, such as `https://app.example.com`, or `*` for any. A function decides for each request. */
export type CorsOrigins = "*" | readonly string[] | ((origin: string, request: IncomingMessage) => boolean);

/** Sets the headers of an answer. @returns whether the request is a preflight that may be answered with them */
type Guard = (request: IncomingMessage, response: ServerResponse) => boolean;
const guards = new WeakMap<Express, Guard>();
const openToAll = new WeakSet<Express>();

/** How long a browser remembers a preflight, in seconds. Chromium remembers none for longer. */
const maxAge = "7200";

/** From now on pages of these origins may call the app. @param appliesTo which paths; those of the contract by default */
export function allowOrigins(
  app: Express,
  origins: CorsOrigins,
  contract: Contract,
  appliesTo: (path: string) => boolean = isContractPath,
): void {
  const exposed = exposedHeaders(contract).join(", ");
  const methods = [...new Set(Object.values(operationTable).map(({ method }) => method.toUpperCase())), "HEAD"].join(
    ", ",
  );
  const headers = [apiKeyHeader, "content-type", ...requestHeaders(contract), "*"].join(", ");
  if (origins === "*") openToAll.add(app);
  const isAllowed = (origin: string, request: IncomingMessage) =>
    typeof origins === "function" ? origins(origin, request) : origins === "*" || origins.includes(origin);
  guards.set(app, (request, response) => {
    const { method, url = "", headers: given } = request;
    const { origin } = given;
    if (!appliesTo(url.split("?", 1)[0] ?? "")) return false;
    if (origins !== "*") response.setHeader("vary", "Origin");
    if (origin === undefined || !isAllowed(origin, request)) return false;
    response.setHeader("access-control-allow-origin", origins === "*" ? "*" : origin);
    response.setHeader("access-control-expose-headers", exposed);
    if (method !== "OPTIONS" || given["access-control-request-method"] === undefined) return false;
    response.removeHeader("access-control-expose-headers");
    response.setHeader("access-control-allow-methods", methods);
    response.setHeader("access-control-allow-headers", headers);
    response.setHeader("access-control-max-age", maxAge);
    return true;
  });
}

/** Sets the headers by which a page may read the answer. @returns whether the request is a preflight that may be answered with them */
export function isPreflight(app: Express, request: IncomingMessage, response: ServerResponse): boolean {
  return guards.get(app)?.(request, response) ?? false;
}

/** The headers for an answer to what could not be read. Its origin is unknown, so only a page of any origin may read it. */
export function headersWithoutRequest(app: Express): Record<string, string> {
  return openToAll.has(app) ? { "Access-Control-Allow-Origin": "*" } : {};
}

/** The headers of answers that a page may read: all that the contract names, and the service's own. */
function exposedHeaders(contract: Contract): string[] {
  const declared = operationsOf(contract).flatMap(({ responses = {} }) =>
    Object.values(responses).flatMap((response) => Object.keys(resolved(contract, response).headers ?? {})),
  );
  return [...new Set([...declared, requestIdHeader, "Allow", "WWW-Authenticate"])];
}

/** The headers of requests that the contract names. */
function requestHeaders(contract: Contract): string[] {
  const parameters = operationsOf(contract).flatMap(({ parameters = [] }) =>
    parameters.map((parameter) => resolved(contract, parameter)),
  );
  return [...new Set(parameters.flatMap(({ in: place, name }) => (place === "header" && name ? [name] : [])))];
}
