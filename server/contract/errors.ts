/** The errors that the API answers with, all in the contract's one shape. */
import type { components } from "../../generated/types.ts";

/** Reason phrases of RFC 9110 and RFC 6585: the one table of the statuses that the API can fail with. */
export const reasonPhrases = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
} as const;

/** A status that the API can fail with. */
export type ErrorStatus = keyof typeof reasonPhrases;

/** A failure that the client is told of as it is: `message` is one sentence that names the field and what it must be. */
export class HttpError extends Error {
  override name = "HttpError";
  readonly status: ErrorStatus;
  /** Response headers that go with it. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ErrorStatus,
    message: string,
    options: { headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = status;
    this.headers = options.headers ?? {};
  }
}

/** For a request that is not as the contract describes it. */
export function badRequest(message: string): HttpError {
  return new HttpError(400, message);
}

/** For a body that is of another type than JSON. */
export function unsupportedMediaType(): HttpError {
  return new HttpError(415, "The header content-type must be application/json.");
}

/** For a service that cannot answer now but soon will. @param reason a clause, without a full stop */
export function unavailable(reason: string, cause?: unknown): HttpError {
  const seconds = 5;
  const headers = { "retry-after": String(seconds) };
  return new HttpError(503, `${reason}; try again in ${seconds} seconds.`, { headers, cause });
}

/** The body of an error. */
export function errorBody({
  status,
  message,
}: Pick<HttpError, "status" | "message">): components["schemas"]["ApiError"] {
  return { message, statusCode: status, error: reasonPhrases[status] };
}
