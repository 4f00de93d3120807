/** Enforces the contract on every request and response, and the scopes that its operations ask for. */
import type { Express, Request, RequestHandler, Response } from "express";
import { middleware } from "express-openapi-validator";
import { callerOf } from "./caller.ts";
import type { Contract } from "./contract.ts";
import { HttpError } from "./errors.ts";

/**
 * Makes the validator and lets it load the contract now, which it would otherwise do at the first request.
 *
 * @throws when the contract is not a valid document
 */
export async function createValidator(app: Express, contract: Contract): Promise<RequestHandler[]> {
  const handlers = middleware({
    apiSpec: contract as unknown as Parameters<typeof middleware>[0]["apiSpec"],
    validateRequests: { allErrors: true },
    validateResponses: true,
    // Without it, the validator lets anything pass as a URI.
    ajvFormats: { mode: "full", formats: ["uri"] },
    validateSecurity: { handlers: { apiKey: hasScopes } },
    fileUploader: false,
  });
  const [load] = handlers;
  await new Promise<void>((resolve, reject) => {
    load?.({ app } as unknown as Request, {} as Response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  return handlers;
}

/** The key itself was looked up long before, see authenticate.ts. */
function hasScopes(request: Request, required: readonly string[]): boolean {
  const held: readonly string[] = callerOf(request)?.scopes ?? [];
  const missing = required.find((scope) => !held.includes(scope));
  if (missing !== undefined) throw new HttpError(403, `The API key must have the scope ${missing}.`);
  return true;
}
