/** Turns whatever was thrown, by handlers, the validator or the router, into the contract's errors. */
import type { ErrorRequestHandler, Response } from "express";
import { error as validator } from "express-openapi-validator";
import { badRequest, errorBody, HttpError } from "./errors.ts";
import { allowedMethods, methodNotAllowed, nothingHere } from "./no-such-route.ts";
import { sendUnchecked } from "./response-check.ts";
import { validationMessage } from "./validation-message.ts";

/** Tells what the client is told of an error of one's own; undefined for what is not known. */
export type Translate = (error: unknown) => HttpError | undefined;

/** Told of every failure that is not the client's doing; `cause` tells what happened. */
export type OnFailure = (failure: HttpError, response: Response) => void;

const failed = "The service failed; nothing was changed.";

/** What the client is told of an error. */
export function toHttpError(error: unknown, translate: Translate = () => undefined): HttpError {
  if (error instanceof HttpError) return error;
  return fromValidator(error) ?? translate(error) ?? fromRouter(error) ?? new HttpError(500, failed, { cause: error });
}

function fromValidator(error: unknown): HttpError | undefined {
  if (error instanceof validator.BadRequest) return badRequest(validationMessage(error.errors));
  if (error instanceof validator.Forbidden) return new HttpError(403, error.message);
  if (error instanceof validator.NotFound) return nothingHere();
  if (error instanceof validator.MethodNotAllowed) return methodNotAllowed(allowedMethods(error.headers?.Allow ?? ""));
  return undefined;
}

/** The router cannot decode a path. */
function fromRouter(error: unknown): HttpError | undefined {
  return error instanceof URIError ? badRequest("The path must be validly percent-encoded.") : undefined;
}

/** Answers with the error. */
export function errorMapper(onFailure: OnFailure, translate?: Translate): ErrorRequestHandler {
  return (error, _request, response, next) => {
    const httpError = toHttpError(error, translate);
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
