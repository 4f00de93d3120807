/** The one error that the client throws, whatever went wrong: an error answer, an unreadable one, or none at all. */
import type { ApiError, ErrorStatus, OperationName } from "./types.ts";

/**
 * A code for each error status of the contract's operations; the compiler wants all of them. A path, not an operation, answers 405, and
 * a service that does not implement the operation 501.
 */
const statusCodes = {
  400: "bad_request",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  409: "conflict",
  410: "gone",
  413: "content_too_large",
  415: "unsupported_media_type",
  429: "too_many_requests",
  500: "internal_server_error",
  501: "not_implemented",
  502: "bad_gateway",
  503: "service_unavailable",
} as const satisfies Record<ErrorStatus | 405 | 501, string>;

/**
 * What went wrong, for code to branch on. After the statuses of the contract come: `http_error`, another status;
 * `invalid_request`, nothing was sent because the call cannot be made into a request; `invalid_response`, a 2xx answer
 * that is not what the contract says; `network_error`, no answer or half of one; `timeout`; and `aborted` by the caller.
 */
export type WebhooksErrorCode =
  | (typeof statusCodes)[keyof typeof statusCodes]
  | "http_error"
  | "invalid_request"
  | "invalid_response"
  | "network_error"
  | "timeout"
  | "aborted";

/** What a `WebhooksError` is made of. */
export type WebhooksErrorDetails = {
  code: WebhooksErrorCode;
  operation: OperationName;
  status?: number | undefined;
  body?: ApiError | undefined;
  retryAfterSeconds?: number | undefined;
  firstSequence?: number | undefined;
  cause?: unknown;
};

/**
 * Every failure of the client. Its `message` is one sentence, and holds the service's own where there is one.
 * @example
 * try {
 *   await client.getWebhook({ path: { id } });
 * } catch (error) {
 *   if (error instanceof WebhooksError && error.code === "not_found") return undefined;
 *   throw error;
 * }
 */
export class WebhooksError extends Error {
  override readonly name = "WebhooksError";
  /** Stable, for code to branch on. */
  readonly code: WebhooksErrorCode;
  /** The operationId of the call that failed. */
  readonly operation: OperationName;
  /** The HTTP status; undefined when no answer came. */
  readonly status: number | undefined;
  /** The error answer; undefined when there was none of the contract's shape, such as a proxy's HTML page. */
  readonly body: ApiError | undefined;
  /** How long the service asked to wait, in seconds; undefined when it did not ask. */
  readonly retryAfterSeconds: number | undefined;
  /** With the code `gone` of a feed: the sequence of the next notification that the service still keeps. */
  readonly firstSequence: number | undefined;

  constructor(message: string, details: WebhooksErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.operation = details.operation;
    this.status = details.status;
    this.body = details.body;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.firstSequence = details.firstSequence;
  }
}

/** The code of an error status. @returns `http_error` for a status that the contract does not have. */
export function codeOfStatus(status: number): WebhooksErrorCode {
  return (statusCodes as Record<number, WebhooksErrorCode>)[status] ?? "http_error";
}

/** Reads an answer as the contract's error. @returns undefined when it does not have that shape. */
export function toApiError(answer: unknown): ApiError | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { message, statusCode, error } = answer as Record<string, unknown>;
  if (typeof message !== "string" || typeof statusCode !== "number" || typeof error !== "string") return undefined;
  return { message, statusCode, error };
}
