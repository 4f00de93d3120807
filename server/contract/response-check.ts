/**
 * Holds the answers of somebody else's handlers to the contract. The validator checks what `response.json` sends with a status below
 * 500. This makes everything go that way, and checks the rest: the service's own errors, and the headers that the contract requires.
 */
import type { Request, RequestHandler, Response } from "express";
import { type Contract, operationsOf, type ResponseObject, resolved } from "./contract.ts";
import { HttpError, reasonPhrases } from "./errors.ts";
import { operationOf } from "./operations.ts";

/** Of each operation the statuses it may answer with, and of each the headers it must have. */
type DeclaredResponses = ReadonlyMap<string, ReadonlyMap<number, readonly string[]>>;

const unchecked = new WeakMap<Response, Response["send"]>();

/** Sends an error that the contract's own mapper wrote, which needs no check. */
export function sendUnchecked(response: Response, body: string): void {
  const send = unchecked.get(response) ?? response.send;
  send.call(response, body);
}

/** Belongs before the validator, which wraps `json` once more. */
export function checkResponses(contract: Contract): RequestHandler {
  const declared = declaredResponses(contract);
  return (request, response, next) => {
    guard(declared, request, response);
    next();
  };
}

/** Headers that are components themselves are none that must be there. */
function declaredResponses(contract: Contract): DeclaredResponses {
  const requiredHeaders = (response: ResponseObject) =>
    Object.entries(resolved(contract, response).headers ?? {}).flatMap(([name, { required }]) =>
      required ? [name] : [],
    );
  return new Map(
    operationsOf(contract).map(({ operationId, responses = {} }) => [
      operationId,
      new Map(Object.entries(responses).map(([status, response]) => [Number(status), requiredHeaders(response)])),
    ]),
  );
}

function guard(declared: DeclaredResponses, request: Request, response: Response): void {
  const { json, send, write, end, writeHead } = response;
  const release = () => Object.assign(response, { json, send, write, end, writeHead });
  const refuse = (cause: string) => {
    release();
    return new HttpError(500, "The service failed to answer as the contract says.", { cause: new Error(cause) });
  };
  unchecked.set(response, (body) => release().send(body));
  response.json = (body) => {
    const fault = responseFault(declared, request, response, body);
    if (fault) throw refuse(fault);
    return release().json(body);
  };
  response.send = (body) => {
    const parsed = parse(body);
    if (parsed === undefined) throw refuse(`${place(request)} answered with a body that is no JSON.`);
    return response.json(parsed);
  };
  const refuseToSend = () => {
    throw refuse(`${place(request)} answered without response.json, so nothing could check it.`);
  };
  Object.assign(response, { write: refuseToSend, end: refuseToSend, writeHead: refuseToSend });
}

function responseFault(
  declared: DeclaredResponses,
  request: Request,
  response: Response,
  body: unknown,
): string | undefined {
  const status = response.statusCode;
  const headers = declared.get(operationOf(request) ?? "")?.get(status);
  if (!headers) return `${place(request)} answered with the status ${status}, which the contract does not have there.`;
  if (status >= 400 && !isApiError(body, status))
    return `${place(request)} answered ${status} with a body that is not the contract's error of this status.`;
  const missing = headers.find((name) => !response.hasHeader(name));
  return missing && `${place(request)} answered ${status} without the header ${missing}.`;
}

/** Its schema cannot say this: the status is the answer's own, and the phrase belongs to the status. */
function isApiError(body: unknown, status: number): boolean {
  if (typeof body !== "object" || body === null || Object.keys(body).length !== 3) return false;
  const { message, statusCode, error } = body as Record<string, unknown>;
  const phrase = (reasonPhrases as Record<number, string>)[status];
  return typeof message === "string" && statusCode === status && error === phrase;
}

const place = (request: Request) => `${request.method} ${request.path}`;

function parse(body: unknown): unknown {
  if (typeof body === "object" && body !== null && !Buffer.isBuffer(body)) return body;
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
}
