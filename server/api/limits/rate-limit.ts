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
import { rateLimitBuckets, type TakeFromBucket } from "../../store/accounts/rate-limits.ts";
import type { Pool } from "../../store/pool.ts";
import { knownKeys } from "./api-keys.ts";
import { clientAddress } from "./turns.ts";

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

/** Whether a request may pass, and what is left of its bucket. */
type Passage = {
  allowed: boolean;
  /** How many more requests would pass now, as far as this process knows. */
  left: number;
  /** The bucket is full again after this time. */
  fullInMs: number;
};

/** One limit's buckets as a process sees them. */
type Guard = {
  pass(bucket: string): Promise<Passage>;
  /** The state of a bucket that is known to be empty, without a query; undefined while it may hold something. */
  spent(bucket: string): Passage | undefined;
};

type Known = {
  /** Tokens that were taken and not spent yet. */
  unspent: number;
  /** What the last query found in the bucket. */
  left: number;
  /** When the bucket is full again, by `performance.now()`. */
  fullAt: number;
  /** The query for a block that is in flight. */
  taking: Promise<void> | undefined;
  /** How many requests wait for it. */
  waiting: number;
};

const blockPart = 0.1;
/** How many buckets a process remembers. It forgets the oldest first, with its unspent tokens. */
const maxKnown = 100_000;

/**
 * A process's own guard before the buckets that all processes share. It takes tokens from a bucket in blocks and spends them itself, so few
 * requests wait for the database, and none while the bucket is known to be empty. A block is a tenth of what is left, so blocks shrink as
 * the bucket empties. What a process has taken and not spent is at most about a tenth of the limit. All processes together never spend more
 * than the limit, since each token was taken first. Guards the buckets of a limit.
 */
function guardBuckets(take: TakeFromBucket, { requests, seconds }: RateLimit): Guard {
  const known = new Map<string, Known>();
  const stateOf = (bucket: string): Known => {
    const now = performance.now();
    const before = known.get(bucket);
    if (before && (before.fullAt > now || before.taking)) return before;
    known.delete(bucket);
    const [oldest] = known.size >= maxKnown ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    const state = { unspent: 0, left: requests, fullAt: now + seconds * 1_000, taking: undefined, waiting: 0 };
    known.set(bucket, state);
    return state;
  };
  const takeBlock = async (bucket: string, state: Known): Promise<void> => {
    // Requests that come meanwhile wait for this too, and query again where it was not enough.
    const wanted = Math.max(state.waiting, Math.ceil(state.left * blockPart), 1);
    try {
      const { taken, left, fullInMs } = await take(bucket, wanted);
      const fullAt = performance.now() + fullInMs;
      // Where the bucket was filled up meanwhile, the unspent tokens are of the bucket before.
      if (fullAt - state.fullAt > (seconds * 1_000) / 2) state.unspent = 0;
      Object.assign(state, { unspent: state.unspent + taken, left, fullAt });
    } finally {
      state.taking = undefined;
    }
  };
  const passage = (state: Known, allowed: boolean): Passage => ({
    allowed,
    left: state.left + state.unspent,
    fullInMs: Math.max(1, state.fullAt - performance.now()),
  });
  return {
    async pass(bucket) {
      for (;;) {
        const state = stateOf(bucket);
        if (state.unspent > 0) {
          state.unspent -= 1;
          return passage(state, true);
        }
        if (state.left === 0 && !state.taking) return passage(state, false);
        state.waiting += 1;
        state.taking ??= takeBlock(bucket, state);
        await state.taking.finally(() => {
          state.waiting -= 1;
        });
      }
    },
    spent(bucket) {
      const state = known.get(bucket);
      const isSpent = state && state.unspent === 0 && state.left === 0 && state.fullAt > performance.now();
      return isSpent ? passage(state, false) : undefined;
    },
  };
}
