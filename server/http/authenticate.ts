/** Finds out who calls, before anything of the request is read but its headers. */
import type { Request, RequestHandler } from "express";
import type { Logger } from "pino";
import { apiKeyHeader } from "../../generated/operations.ts";
import { type Caller, findCaller, noteKeyUse } from "../store/keys.ts";
import type { Pool } from "../store/pool.ts";
import { HttpError } from "./errors.ts";

const callers = new WeakMap<Request, Caller>();
const useNotedEveryMs = 60_000;

/** Who makes a request; undefined where no key is asked for, or before it was looked up. */
export function callerOf(request: Request): Caller | undefined {
  return callers.get(request);
}

/** Refuses a request without a valid API key, and notes when a key was last used, without waiting for that. */
export function authenticate(pool: Pool, log: Logger): RequestHandler {
  const notedAt = new Map<number, number>();
  const note = (keyId: number) => {
    if (performance.now() - (notedAt.get(keyId) ?? -Infinity) < useNotedEveryMs) return;
    notedAt.set(keyId, performance.now());
    noteKeyUse(pool, keyId).catch((err) => log.warn({ err }, "The use of an API key could not be noted."));
  };
  return async (request, _response, next) => {
    const caller = await findCaller(pool, request.get(apiKeyHeader) ?? "");
    if (!caller) {
      const headers = { "www-authenticate": `ApiKey header="${apiKeyHeader}"` };
      throw new HttpError(401, `The header ${apiKeyHeader} must hold a valid API key.`, { headers });
    }
    callers.set(request, caller);
    note(caller.keyId);
    next();
  };
}
