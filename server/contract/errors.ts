/** The errors that the API answers with, all in the contract's one shape. */
import type { OperationId } from "../../generated/operations.ts";
import type { components, operations } from "../../generated/types.ts";
import { ServiceError } from "../base/errors.ts";

/** The statuses that the contract declares. */
export type DeclaredStatus = { [K in OperationId]: keyof operations[K]["responses"] }[OperationId];
/** The statuses of success among them. */
export type Success = Extract<DeclaredStatus, 200 | 201 | 202>;

/** Reason phrases of RFC 9110 and RFC 6585: for what the contract declares, and what is refused before an operation is known. */
export const reasonPhrases = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
} as const satisfies Record<Exclude<DeclaredStatus, Success>, string> & Record<number, string>;

/** A status that the API can fail with. */
export type ErrorStatus = keyof typeof reasonPhrases;

type Headers = Readonly<Record<string, string>>;

/** What a client reads of a failure. `message` is one sentence that names the field and what it must be. */
export type Failure = { status: ErrorStatus; message: string; headers?: Headers };

/** A failure whose message the client reads as it is. */
export class HttpError extends ServiceError implements Failure {
  override readonly name = "HttpError";
  readonly status: ErrorStatus;
  /** Response headers that belong to it. */
  readonly headers: Headers;

  constructor(status: ErrorStatus, message: string, options: { headers?: Headers; cause?: unknown } = {}) {
    super("request_failed", message, { cause: options.cause });
    this.status = status;
    this.headers = options.headers ?? {};
  }
}

/** For a request that is not as the contract describes it. */
export function badRequest(message: string): HttpError {
  return new HttpError(400, message);
}

/** Of a body. */
export const maxBytes = 1_048_576;
/**
 * Unpacking takes time in proportion to the packed bytes: 6 ms for a mebibyte of random addresses, four times as long as parsing them
 * (Node 20). The largest useful body has 260 KB when packed.
 */
export const maxPackedBytes = 327_680;

/** For a body that is not read to its end. */
export const bodyRefusals = {
  tooLarge: () => new HttpError(413, "The body must be at most 1 MiB."),
  tooLargePacked: () => new HttpError(413, "The body must be at most 320 KiB while it is compressed."),
  unknownEncoding: () => new HttpError(415, "The header content-encoding must be gzip or deflate, or be left out."),
  unreadable: () => badRequest("The body must be readable as its headers say."),
};

/** For a path that does not exist. @param meant what the client probably meant, such as `/v1/webhooks` */
export function pathNotFound(meant?: string): HttpError {
  if (meant === undefined) return new HttpError(404, "The path does not exist; GET /docs lists those that do.");
  return new HttpError(404, `The path does not exist; did you mean ${meant}? GET /docs lists those that do.`);
}

/** For an operation of the contract that nothing answers. */
export function notImplemented(operationId: string): HttpError {
  return new HttpError(501, `The service does not implement ${operationId}.`);
}

/** For a method that the path does not have. @param methods those that it has; HEAD is one wherever GET is */
export function methodNotAllowed(methods: string): HttpError {
  const allow = methods.replace(/\bGET\b/, "GET, HEAD");
  return new HttpError(405, `The method must be ${allow.includes(",") ? "one of " : ""}${allow}.`, {
    headers: { allow },
  });
}

/** For a service that cannot answer now but soon will. @param reason a clause, without a full stop */
export function unavailable(reason: string, cause?: unknown): HttpError {
  const { message, headers } = retryLater(reason, 5);
  return new HttpError(503, message, { headers, cause });
}

/** For a feed that is read after a sequence whose next notification was dropped. @param first the sequence of the next one that is kept */
export function noLongerKept(first: number): HttpError {
  return new HttpError(
    410,
    `after must be at least ${first - 1}: the next notification that is kept has the sequence ${first}.`,
    { headers: { "webhook-first-sequence": String(first) } },
  );
}

/** The error for a place in a feed that has begun again since. @param newest its greatest sequence, 0 for none */
export function notOfThisFeed(newest: number): HttpError {
  return new HttpError(410, `after must be at most ${newest}: the feed was created again since, and begins with 1.`, {
    headers: { "webhook-first-sequence": "1" },
  });
}

/** The message and the header that ask a client to wait. @param reason a clause, without a full stop */
export function retryLater(
  reason: string,
  seconds: number,
): { message: string; headers: Record<"retry-after", string> } {
  const message = `${reason}; try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
  return { message, headers: { "retry-after": String(seconds) } };
}

/** The body of an error. */
export function errorBody({ status, message }: Failure): components["schemas"]["ApiError"] {
  return { message, statusCode: status, error: reasonPhrases[status] };
}
