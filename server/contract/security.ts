/**
 * Who calls, and what they may do. The key is looked up before anything of a request is read but its headers. Its scopes are compared
 * once the operation is known.
 */

import type { IncomingHttpHeaders } from "node:http";
import type { Request, RequestHandler } from "express";
import { apiKeyHeader, type OperationId, operationTable, requiredScopes } from "../../generated/operations.ts";
import type { Contract, SecurityScheme } from "./contract.ts";
import { HttpError } from "./errors.ts";
import { findOperation, operationOf } from "./operations.ts";

type Scope = (typeof requiredScopes)[keyof typeof requiredScopes][number];

/** What every caller has: the scopes of its key. */
export type Scoped = { scopes: readonly Scope[] };

/**
 * Finds the owner of an API key. The key is `""` where a request has none.
 *
 * @returns undefined for a key that is not valid @throws {HttpError} 401 for one whose fault the client may know
 */
export type FindCaller<Caller extends Scoped> = (
  key: string,
  request: Request,
) => Promise<Caller | undefined> | Caller | undefined;

const scopesOf: ReadonlyMap<string, readonly Scope[]> = new Map(Object.entries(requiredScopes));

/** Where the operations that need a key begin: `/v1/webhooks`. */
const keyedRoots = [
  ...new Set([...scopesOf.keys()].map((id) => operationTable[id as OperationId].path.split("/{")[0])),
];

/**
 * Whether a request needs a key. Below a path that needs one, so does what the contract does not have: without a key nobody learns what
 * exists.
 */
export function needsKey({ method, path }: Pick<Request, "method" | "path">): boolean {
  const found = findOperation(method, path);
  if (found) return scopesOf.has(found.operationId);
  return keyedRoots.some((root) => path === root || path.startsWith(`${root}/`));
}

/** Refuses a request without a valid API key. */
export function authenticate(findCaller: FindCaller<Scoped>, scheme: KeyScheme): RequestHandler {
  return async (request, _response, next) => {
    const caller = await findCaller(scheme.read(request.headers), request);
    if (!caller) throw unauthorized(scheme, misplacement(scheme, request.headers));
    callers.set(request, caller);
    next();
  };
}

const callers = new WeakMap<Request, Scoped>();

/**
 * The caller, as `authenticate` returned it. The type parameter is not checked: it must be what your `authenticate` returns.
 *
 * @returns undefined where no key is needed, and before it was looked up
 */
export function callerOf<Caller extends Scoped = Scoped>(request: Request): Caller | undefined {
  return callers.get(request) as Caller | undefined;
}

/** Refuses a request whose key lacks a scope of its operation. Belongs after the validator, which finds the operation. */
export const requireScopes: RequestHandler = (request, _response, next) => {
  const scopes = scopesOf.get(operationOf(request) ?? "");
  if (scopes) {
    const caller = callerOf(request);
    if (!caller) throw unauthorized();
    const missing = scopes.find((scope) => !caller.scopes.includes(scope));
    if (missing !== undefined) throw new HttpError(403, `The API key must have the scope ${missing}.`);
  }
  next();
};

/** For a request without a valid key. @param fault what is wrong with it, as the end of a sentence */
export function unauthorized({ header, challenge }: KeyScheme = ownScheme, fault?: string): HttpError {
  const headers = { "www-authenticate": challenge };
  const sentence = `The header ${header} must hold a valid API key${fault === undefined ? "" : `; ${fault}`}.`;
  return new HttpError(401, sentence, { headers });
}

/** Where other APIs have their keys, Glacier among them. */
const otherHeaders = ["authorization", "x-api-key", "api-key", "apikey", "x-glacier-api-key", apiKeyHeader];

/** What to do about a key that is somewhere else, or not alone, as the end of a sentence. It never has the key. */
function misplacement(scheme: KeyScheme, headers: IncomingHttpHeaders): string | undefined {
  const own = String(headers[scheme.header] ?? "");
  if (own !== "" && scheme.read(headers) === own)
    return /^\s*bearer\b/i.test(own) ? `send it as ${scheme.form}, without "Bearer"` : undefined;
  const used = own === "" ? otherHeaders.find((name) => headers[name] !== undefined) : scheme.header;
  return used === undefined || scheme.read(headers) !== ""
    ? undefined
    : `the request has the header ${used}: send the key as ${scheme.form}`;
}

/** How to read the key, and how to say where it belongs. */
type KeyScheme = {
  header: string;
  /** The header with a key, as one would write it. */
  form: string;
  /** @returns `""` where the request has none */
  read(headers: IncomingHttpHeaders): string;
  /** The value of `www-authenticate`. */
  challenge: string;
};

/** The scheme of the contract itself. */
export const ownScheme = inHeader(apiKeyHeader);

/**
 * Where a request carries its API key, as the document's security scheme says. An overlay may have moved it.
 *
 * @throws for a scheme that is neither an API key in a header nor a bearer token, and for more than one
 */
export function keySchemeOf({ components }: Contract): KeyScheme {
  const [scheme, ...others] = Object.values(components.securitySchemes ?? {});
  if (!scheme) return ownScheme;
  if (others.length > 0) throw new Error("The document must have one security scheme.");
  if (scheme.type === "apiKey" && scheme.in === "header" && scheme.name) return inHeader(scheme.name.toLowerCase());
  if (isBearer(scheme)) return bearer;
  throw new Error("The document's security scheme must be an API key in a header, or an HTTP bearer token.");
}

function inHeader(header: string): KeyScheme {
  return {
    header,
    form: `${header}: KEY`,
    read: (headers) => String(headers[header] ?? ""),
    challenge: `ApiKey header="${header}"`,
  };
}

const isBearer = ({ type, scheme }: SecurityScheme) => type === "http" && scheme?.toLowerCase() === "bearer";

const bearer: KeyScheme = {
  header: "authorization",
  form: "authorization: Bearer KEY",
  read: ({ authorization = "" }) => /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? "",
  challenge: "Bearer",
};
