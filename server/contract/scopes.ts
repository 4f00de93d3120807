/** Holds callers to the scopes that the contract asks for. The key itself was looked up long before, see authenticate.ts. */
import type { RequestHandler } from "express";
import { unauthorized } from "./authenticate.ts";
import { callerOf } from "./caller.ts";
import type { Contract, SecurityRequirement } from "./contract.ts";
import { HttpError } from "./errors.ts";
import { operationOf } from "./operation-of-path.ts";

/**
 * Refuses a request whose key lacks a scope of its operation. It stands behind what finds the operation out.
 *
 * @throws when an operation is protected by anything but one API key
 */
export function assertScopes(contract: Contract): RequestHandler {
  const required = requiredScopes(contract);
  return (request, _response, next) => {
    const scopes = required.get(operationOf(request) ?? "");
    if (scopes) {
      const held: readonly string[] | undefined = callerOf(request)?.scopes;
      if (!held) throw unauthorized();
      const missing = scopes.find((scope) => !held.includes(scope));
      if (missing !== undefined) throw new HttpError(403, `The API key must have the scope ${missing}.`);
    }
    next();
  };
}

/** Of each operation that asks for a key, the scopes. */
function requiredScopes({ paths, security }: Contract): ReadonlyMap<string, readonly string[]> {
  const required = new Map<string, readonly string[]>();
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    const { operationId } = operation;
    const [requirement, ...others] = operation.security ?? security ?? [];
    if (operationId === undefined || requirement === undefined) continue;
    if (others.length > 0 || !isApiKey(requirement))
      throw new Error(`The operation ${operationId} must be protected by one API key, or by nothing.`);
    required.set(operationId, requirement.apiKey);
  }
  return required;
}

function isApiKey(requirement: SecurityRequirement): requirement is { apiKey: string[] } {
  return Object.keys(requirement).join() === "apiKey";
}
