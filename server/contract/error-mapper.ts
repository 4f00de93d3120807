/** Turns whatever was thrown, by handlers, the validator or the router, into the contract's errors. */
import type { ErrorRequestHandler, RequestHandler, Response } from "express";
import { error as validator } from "express-openapi-validator";
import { badRequest, errorBody, HttpError, methodNotAllowed, notImplemented, pathNotFound } from "./errors.ts";
import { operationOf } from "./operations.ts";
import { sendUnchecked } from "./response-check.ts";
import { validationMessage } from "./validation-message.ts";

/** Turns an error of your own into one for the client. @returns undefined for an error that it does not know */
export type Translate = (error: unknown) => HttpError | undefined;

/** Called with every answer of 500 and above. `failure.cause` is the error behind it. */
export type OnFailure = (failure: HttpError, response: Response) => void;

/** Thrown for a path that does not exist. The mapper finds out what was meant. */
export class UnknownPath extends Error {}

/** Belongs after the last route. An operation that came this far has no handler. */
export const nothingAnswered: RequestHandler = (request) => {
  const operationId = operationOf(request);
  throw operationId === undefined ? new UnknownPath() : notImplemented(operationId);
};

/** Belongs after the GET of a path that has no other method. */
export const getOnly: RequestHandler = () => {
  throw methodNotAllowed("GET");
};

type PathMeant = (path: string) => string | undefined;

/** Answers with the error. @param meant finds what was probably meant by a path that does not exist */
export function errorMapper(
  onFailure: OnFailure,
  translate?: Translate,
  meant: PathMeant = () => undefined,
): ErrorRequestHandler {
  return (error, request, response, next) => {
    const isUnknownPath = error instanceof UnknownPath || error instanceof validator.NotFound;
    const httpError = isUnknownPath ? pathNotFound(meant(request.path)) : toHttpError(error, translate);
    const { status, headers } = httpError;
    if (status >= 500) onFailure(httpError, response);
    if (response.headersSent) {
      next(error);
      return;
    }
    response.removeHeader("location");
    response.status(status).set(headers).type("application/json");
    sendUnchecked(response, JSON.stringify(errorBody(httpError)));
  };
}

const failed = "The service failed; nothing was changed.";

function toHttpError(error: unknown, translate: Translate = () => undefined): HttpError {
  if (error instanceof HttpError) return error;
  return fromValidator(error) ?? translate(error) ?? fromRouter(error) ?? new HttpError(500, failed, { cause: error });
}

function fromValidator(error: unknown): HttpError | undefined {
  if (error instanceof validator.BadRequest) return badRequest(validationMessage(error.errors));
  if (error instanceof validator.Forbidden) return new HttpError(403, error.message);
  if (error instanceof validator.MethodNotAllowed) return methodNotAllowed(error.headers?.Allow ?? "");
  return undefined;
}

/** The router cannot decode a path. */
function fromRouter(error: unknown): HttpError | undefined {
  return error instanceof URIError ? badRequest("The path must be validly percent-encoded.") : undefined;
}
