/**
 * Holds the answers of handlers that are not ours to the contract. The validator sees what is sent by `response.json` with a
 * status below 500; this sees to it that everything goes that way, and checks what the validator does not: errors of the
 * service itself, and the headers that the contract requires.
 */
import type { Request, RequestHandler, Response } from "express";
import type { Contract } from "./contract.ts";
import { type DeclaredResponses, declaredResponses } from "./declared-responses.ts";
import { HttpError, reasonPhrases } from "./errors.ts";
import { operationOf } from "./operation-of-path.ts";

const unchecked = new WeakMap<Response, Response["send"]>();

/** Sends a body that needs no check, since it is an error that the contract's own mapper wrote. */
export function sendUnchecked(response: Response, body: string): void {
  const send = unchecked.get(response) ?? response.send;
  send.call(response, body);
}

/** Stands before the validator, which wraps `json` once more. */
export function checkResponses(contract: Contract): RequestHandler {
  const declared = declaredResponses(contract);
  return (request, response, next) => {
    guard(declared, request, response);
    next();
  };
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
  const notThisWay = () => {
    throw refuse(`${place(request)} answered without response.json, so that nothing could check it.`);
  };
  Object.assign(response, { write: notThisWay, end: notThisWay, writeHead: notThisWay });
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

/** Beyond its schema: the status is the answer's own, and the phrase the one that belongs to it. */
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
