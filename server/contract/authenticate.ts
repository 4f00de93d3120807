/** Finds out who calls, before anything of the request is read but its headers. */
import type { Request, RequestHandler } from "express";
import { apiKeyHeader } from "../../generated/operations.ts";
import { type Scoped, setCaller } from "./caller.ts";
import { HttpError } from "./errors.ts";

/** Finds who an API key belongs to; undefined when it is not valid. `""` is a request without one. */
export type FindCaller<Caller extends Scoped> = (
  key: string,
  request: Request,
) => Promise<Caller | undefined> | Caller | undefined;

/** Refuses a request without a valid API key. */
export function authenticate(findCaller: FindCaller<Scoped>): RequestHandler {
  return async (request, _response, next) => {
    const caller = await findCaller(request.get(apiKeyHeader) ?? "", request);
    if (!caller) throw unauthorized();
    setCaller(request, caller);
    next();
  };
}

/** The error for a request without a valid key. */
export function unauthorized(): HttpError {
  const headers = { "www-authenticate": `ApiKey header="${apiKeyHeader}"` };
  return new HttpError(401, `The header ${apiKeyHeader} must hold a valid API key.`, { headers });
}
