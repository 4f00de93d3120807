/** Which failures are tried again, and when: only those where a second try cannot do a thing twice. */
import type { WebhooksError, WebhooksErrorCode } from "./errors.ts";

const baseDelayMs = 500;
const maxDelayMs = 30_000;

const transientCodes: ReadonlySet<WebhooksErrorCode> = new Set([
  "network_error",
  "timeout",
  "too_many_requests",
  "bad_gateway",
  "service_unavailable",
]);

/**
 * Whether a second try is safe and may help. A 429 was refused before anything was done, so that any operation may be
 * tried again. After other failures it is unknown what was done: then only GET, PUT, PATCH (which in this contract sets
 * fields or adds to a set, and does so once however often it is sent) and what carries an `Idempotency-Key`.
 */
export function mayRetry(operation: { method: string; idempotencyKey?: boolean }, error: WebhooksError): boolean {
  if (error.code === "too_many_requests") return true;
  const repeatable = ["get", "put", "patch"].includes(operation.method) || operation.idempotencyKey === true;
  return repeatable && transientCodes.has(error.code);
}

/**
 * How long to wait before a retry, in milliseconds: what the service asked for, otherwise half a second doubled each
 * time, less up to half of it by chance, so that clients do not all come back at the same time.
 * @param retry how many retries there were before this one.
 * @returns undefined when the service asked for more than 30 s: waiting less would be refused again.
 */
export function retryDelayMs(retry: number, retryAfterSeconds: number | undefined): number | undefined {
  if (retryAfterSeconds === undefined) return Math.min(baseDelayMs * 2 ** retry, maxDelayMs) * (1 - Math.random() / 2);
  const askedMs = retryAfterSeconds * 1000;
  return askedMs <= maxDelayMs ? askedMs : undefined;
}

/** Reads `Retry-After`, given in seconds or as an HTTP date. @returns seconds from now, undefined when absent or neither. */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null || value.trim() === "") return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const dateMs = Date.parse(value);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, Math.ceil((dateMs - nowMs) / 1000));
}
