/** Turns whatever was thrown, by us, the validator, the body parser, the router or the store, into the contract's errors. */
import type { ErrorRequestHandler } from "express";
import { error as validator } from "express-openapi-validator";
import type { Logger } from "pino";
import { isDatabaseAway, StoreError, type StoreErrorCode } from "../store/errors.ts";
import { badRequest, type ErrorStatus, errorBody, HttpError, unavailable } from "./errors.ts";
import { allowedMethods, methodNotAllowed, nothingHere } from "./no-such-route.ts";
import { requestIdOf } from "./request-log.ts";
import { validationMessage } from "./validation-message.ts";

const storeStatus: Record<StoreErrorCode, ErrorStatus> = {
  webhook_not_found: 404,
  notification_not_found: 404,
  replay_not_found: 404,
  replay_out_of_range: 400,
  too_many_replays: 409,
  too_many_addresses: 400,
  idempotency_key_reused: 409,
  chain_not_followed: 502,
  api_key_not_found: 404,
};

const mediaType = "The header content-type must be application/json.";
const failed = "The service failed; nothing was changed.";

/** What the client is told of an error. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof StoreError) return new HttpError(storeStatus[error.code], error.message);
  const refused = fromValidator(error) ?? fromParserOrRouter(error);
  if (refused) return refused;
  if (isDatabaseAway(error)) return unavailable("The database cannot be reached", error);
  return new HttpError(500, failed, { cause: error });
}

function fromValidator(error: unknown): HttpError | undefined {
  if (error instanceof validator.BadRequest) return badRequest(validationMessage(error.errors));
  if (error instanceof validator.Forbidden) return new HttpError(403, error.message);
  if (error instanceof validator.NotFound) return nothingHere();
  if (error instanceof validator.UnsupportedMediaType) return new HttpError(415, mediaType);
  if (error instanceof validator.MethodNotAllowed) return methodNotAllowed(allowedMethods(error.headers?.Allow ?? ""));
  return undefined;
}

function fromParserOrRouter(error: unknown): HttpError | undefined {
  if (!(error instanceof Error && "status" in error)) return undefined;
  const type = "type" in error ? error.type : undefined;
  if (type === "entity.too.large") return new HttpError(413, "The body must be at most 1 MiB.");
  if (type === "encoding.unsupported")
    return new HttpError(415, "The header content-encoding must be gzip, deflate or br, or be left out.");
  if (type === "entity.parse.failed") return badRequest("The body must be a JSON object.");
  if (error.status !== 400) return undefined;
  return badRequest(
    error instanceof URIError
      ? "The path must be validly percent-encoded."
      : "The body must be readable as its headers say.",
  );
}

/** Answers with the error, and logs what is not the client's doing. */
export function errorMapper(log: Logger): ErrorRequestHandler {
  return (error, _request, response, next) => {
    const httpError = toHttpError(error);
    const { status, headers } = httpError;
    if (status >= 500) {
      const entry = { requestId: requestIdOf(response), err: httpError.cause ?? error };
      log[status === 500 ? "error" : "warn"](entry, httpError.message);
    }
    if (response.headersSent) {
      next(error);
      return;
    }
    response.removeHeader("location");
    // Not `json`, which the validator has replaced: it knows only the statuses of the operation.
    response
      .status(status)
      .set(headers)
      .type("application/json")
      .send(JSON.stringify(errorBody(httpError)));
  };
}
