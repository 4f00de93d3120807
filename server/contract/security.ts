/**
 * Who calls, and what they may do. The key is looked up before anything of a request is read but its headers. Its scopes are compared
 * once the operation is known.
 */
import type { Request, RequestHandler } from "express";
import { type OperationId, operationTable, requiredScopes } from "../../generated/operations.ts";
import { HttpError } from "./errors.ts";
import { type KeyScheme, ownScheme } from "./key-scheme.ts";
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
    if (!caller) throw unauthorized(scheme);
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
