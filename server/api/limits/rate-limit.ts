/**
 * Limits the rate of requests: of each key, and of each client address without a valid key. Every counted request gets the headers of
 * draft-ietf-httpapi-ratelimit-headers.
 */
import type { Request, RequestHandler, Response } from "express";
import type { Metrics } from "../../base/metrics.ts";
import { HttpError, retryLater } from "../../contract/errors.ts";
import { callerOf, type FindCaller } from "../../contract/security.ts";
import type { Limits, RateLimit } from "../../settings/limits.ts";
import type { Caller } from "../../store/accounts/keys.ts";
import { rateLimitBuckets } from "../../store/accounts/rate-limits.ts";
import type { Pool } from "../../store/pool.ts";
import { knownKeys } from "./api-keys.ts";
import { clientAddress } from "./client-address.ts";
import { type Guard, guardBuckets, type Passage } from "./token-blocks.ts";

type Kind = "key" | "address";

type RateLimits = {
  /** Counts a request for its client address. */
  perAddress: RequestHandler;
  /** Counts a request for its key, once that was looked up. */
  perKey: RequestHandler;
  /** Counts a request with a wrong key for its client address, and looks up no key for an address over its limit. */
  withoutGuessing(find: FindCaller<Caller>): FindCaller<Caller>;
};

/** Where a limit is undefined, everything passes. */
export function rateLimits(
  pool: Pool,
  { http }: Metrics,
  { perKey, perAddress }: Pick<Limits, "perKey" | "perAddress">,
): RateLimits {
  const guardOf = (kind: Kind, limit: RateLimit | undefined) =>
    limit && guardBuckets(rateLimitBuckets(pool, kind, limit), limit);
  const keys = guardOf("key", perKey);
  const addresses = guardOf("address", perAddress);
  const refuse = (kind: Kind, headers: Record<string, string>, passage: Passage) => {
    http.limited.inc({ limit: kind });
    return tooManyRequests(headers, passage);
  };
  const count = async (kind: Kind, guard: Guard, limit: RateLimit, bucket: string): Promise<Record<string, string>> => {
    const passage = await guard.pass(bucket);
    const headers = headersOf(kind, limit, passage);
    if (!passage.allowed) throw refuse(kind, headers, passage);
    return headers;
  };
  const counting = (
    kind: Kind,
    guard: Guard | undefined,
    limit: RateLimit | undefined,
    bucketOf: (request: Request) => string,
  ): RequestHandler =>
    guard && limit
      ? async (request, response, next) => {
          response.set(await count(kind, guard, limit, bucketOf(request)));
          next();
        }
      : (_request, _response, next) => next();
  return {
    perAddress: counting("address", addresses, perAddress, clientAddress),
    perKey: counting("key", keys, perKey, (request) => String(callerOf<Caller>(request)?.keyId)),
    withoutGuessing(find) {
      if (!addresses || !perAddress) return find;
      const known = knownKeys();
      return async (key, request) => {
        const address = clientAddress(request);
        const spent = addresses.spent(address);
        if (spent && !known.has(key)) throw refuse("address", headersOf("address", perAddress, spent), spent);
        const countWrong = async () =>
          void (request.res as Response).set(await count("address", addresses, perAddress, address));
        const caller = await Promise.resolve(find(key, request)).catch(async (error: unknown) => {
          // A key that was refused without the database is refused without it here, too.
          if (isUnauthorized(error)) await countWrong().catch(rethrowRefusal);
          throw error;
        });
        if (caller) known.add(key);
        else await countWrong();
        return caller;
      };
    },
  };
}

const isUnauthorized = (error: unknown) => error instanceof HttpError && error.status === 401;

function rethrowRefusal(error: unknown): void {
  if (error instanceof HttpError) throw error;
}

const inSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1_000));

function headersOf(kind: Kind, { requests, seconds }: RateLimit, { left, fullInMs }: Passage): Record<string, string> {
  return {
    "ratelimit-policy": `"${kind}";q=${requests};w=${seconds}`,
    ratelimit: `"${kind}";r=${left};t=${inSeconds(fullInMs)}`,
  };
}

function tooManyRequests(headers: Record<string, string>, { fullInMs }: Passage): HttpError {
  const { message, headers: wait } = retryLater("Too many requests", inSeconds(fullInMs));
  return new HttpError(429, message, { headers: { ...headers, ...wait } });
}
