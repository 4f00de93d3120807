/**
 * Holds the answers of somebody else's handlers to the contract. The validator checks what `response.json` sends with a status below
 * 500. This makes everything go that way, and checks the rest: the service's own errors, and the headers that the contract requires.
 */
import type { Request, RequestHandler, Response } from "express";
import { type Contract, operationsOf, type ResponseObject, resolved } from "./contract.ts";
import { HttpError, reasonPhrases } from "./errors.ts";
import { operationOf } from "./operations.ts";
import { eventStream, isHead } from "./request-form.ts";

/** Of each operation the statuses it may answer with, and of each the headers it must have. */
type DeclaredResponses = ReadonlyMap<string, ReadonlyMap<number, readonly string[]>>;

const unchecked = new WeakMap<Response, Response["send"]>();
/** Lets a response be written to as if nothing checked it. */
const restored = new WeakMap<Response, () => void>();

/** Sends an error that the contract's own mapper wrote, which needs no check. */
export function sendUnchecked(response: Response, body: string): void {
  const send = unchecked.get(response) ?? response.send;
  send.call(response, body);
}

/** One event of a stream. Its data is one line, such as JSON. */
export type ServerSentEvent = { id: string; data: string };

/** Events as a stream has them. */
export function streamText(events: readonly ServerSentEvent[]): string {
  return events.map(({ id, data }) => `id: ${id}\ndata: ${data}\n\n`).join("");
}

/** How often a stream says something, so that nobody on the way takes it for dead. */
const commentMs = 15_000;
const comment = ":\n\n";

/**
 * Sends a stream of events. It asks for the next ones when the connection has taken those before, so it reads nothing ahead for a slow client.
 * Their data is held to the contract by who makes it.
 */
export function sendEvents(response: Response, events: AsyncIterable<readonly ServerSentEvent[]>): void {
  restored.get(response)?.();
  response.status(200).set({ "content-type": `${eventStream}; charset=utf-8`, "x-accel-buffering": "no" });
  // The client may have left while the first events were read.
  if (isHead(response.req) || response.closed) {
    response.end();
    return;
  }
  let isClosed = false;
  let goOn = () => {};
  // At once, since a client waits for the first byte.
  response.write(comment);
  const commenting = setInterval(() => response.writableNeedDrain || response.write(comment), commentMs);
  response.once("close", () => {
    isClosed = true;
    clearInterval(commenting);
    goOn();
  });
  const send = (text: string) =>
    new Promise<void>((resolve) => {
      goOn = resolve;
      response.write(text, () => resolve());
    });
  const sendAll = async (): Promise<void> => {
    for await (const some of events) {
      if (isClosed) return;
      await send(streamText(some));
    }
  };
  void sendAll().then(
    () => response.end(),
    () => response.destroy(),
  );
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
  const restore = () => Object.assign(response, { json, send, write, end, writeHead });
  restored.set(response, restore);
  const refuse = (cause: string) => {
    restore();
    return new HttpError(500, "The service failed to answer as the contract says.", { cause: new Error(cause) });
  };
  unchecked.set(response, (body) => restore().send(body));
  response.json = (body) => {
    const fault = responseFault(declared, request, response, body);
    if (fault) throw refuse(fault);
    return restore().json(body);
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
