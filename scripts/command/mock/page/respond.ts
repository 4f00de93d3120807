/**
 * What stands around the mock's answers where there is no HTTP server: it refuses what the service refuses, in the same order and words. Of the
 * server's enforcement it uses what needs neither a socket nor the compiler of schemas.
 */
import type { Request as ExpressRequest, Response as ExpressResponse } from "express";
import { checks, contractPart } from "../../../../generated/mock-contract.js";
import { operationTable } from "../../../../generated/operations.ts";
import { storeErrorAsHttp } from "../../../../server/api/store-errors.ts";
import { bodyChecksBy, firstFault } from "../../../../server/contract/body/check.ts";
import { assertJson, parseBy } from "../../../../server/contract/body/json-body.ts";
import { type Contract, operationsOf, resolved } from "../../../../server/contract/contract.ts";
import {
  badRequest,
  bodyRefusals,
  errorBody,
  HttpError,
  maxBytes,
  maxPackedBytes,
  methodNotAllowed,
  pathNotFound,
} from "../../../../server/contract/errors.ts";
import { findOperation, pathMeant, pathParameters } from "../../../../server/contract/operations.ts";
import { eventStream, plainForm } from "../../../../server/contract/request-form.ts";
import { type ServerSentEvent, streamText } from "../../../../server/contract/response-check.ts";
import { authenticate, keySchemeOf, needsKey } from "../../../../server/contract/security.ts";
import { type ValidationFault, validationMessage } from "../../../../server/contract/validation-message.ts";
import { type AnswerByState, operationsById, type ValidRequest } from "../answer.ts";
import { bodyLimit, type ControlRoutes, isControlPath, noObject, notJson, tooLarge } from "../control/routes.ts";

/** What the mock in a page knows of the contract. */
export const pageContract = contractPart as Contract;

type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  schema: Checked & { type?: string; default?: unknown };
};
type Checked = { "x-check"?: number };

/** What is read of a request, as Express has it. */
type Plain = {
  method: string;
  url: string;
  path: string;
  headers: Record<string, string>;
  query: Record<string, string | string[]>;
};

/** @param target the path and the query, as they were sent */
export type Respond = (request: Request, target: string) => Promise<Response>;

export function createRespond(answer: AnswerByState, control: ControlRoutes): Respond {
  const validate = createValidation();
  const meant = pathMeant(pageContract);
  const contract: Respond = async (request, target) => {
    const plain = plainRequest(request, target);
    const always = /^\/v1(\/|$)/.test(plain.path) ? noStore : {};
    try {
      const valid = await validate(plain, request);
      const wantsEvents = plain.headers.accept === eventStream;
      const found = await answer(valid, { isRepeated: false, gone: request.signal, wantsEvents });
      if (!found) return Response.error();
      // Once the answer is on its way.
      if (found.afterwards) setTimeout(found.afterwards, 0);
      const { status, headers, body, events } = found.answer;
      if (events) return streamed(request, events, always);
      return json(request, status, { ...always, ...headers }, body);
    } catch (error) {
      if (error instanceof BrokenBody) return Response.error();
      const known = error instanceof UnknownPath ? pathNotFound(meant(plain.path)) : explained(error);
      return json(request, known.status, { ...always, ...known.headers }, errorBody(known));
    }
  };
  return async (request, target) => {
    const path = target.split("?", 1)[0] ?? "";
    return isControlPath(path) ? controlled(control, request, path) : contract(request, target);
  };
}

const noStore = { "cache-control": "no-store" };

class UnknownPath extends Error {}

/** The body is not packed as its header says. */
class Unreadable extends Error {}

/** The client could not send its body whole: over HTTP its connection would be cut. */
class BrokenBody extends Error {}

async function bytesOf(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await request.arrayBuffer());
  } catch (cause) {
    throw new BrokenBody("The body could not be read", { cause });
  }
}

function explained(error: unknown): HttpError {
  if (error instanceof Unreadable) return bodyRefusals.unreadable();
  const known = error instanceof HttpError ? error : storeErrorAsHttp(error);
  return known ?? new HttpError(500, `The mock failed: ${error instanceof Error ? error.message : String(error)}.`);
}

function json(request: Request, status: number, headers: Record<string, string>, body: unknown): Response {
  const type = { "content-type": "application/json; charset=utf-8" };
  const text = request.method === "HEAD" ? null : JSON.stringify(body);
  return new Response(text, { status, headers: { ...type, ...headers } });
}

function streamed(
  { method }: Request,
  events: AsyncIterable<readonly ServerSentEvent[]>,
  headers: Record<string, string>,
): Response {
  const type = { "content-type": `${eventStream}; charset=utf-8` };
  if (method === "HEAD") return new Response(null, { headers: { ...type, ...headers } });
  const iterator = events[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(streamText(value)));
    },
    cancel: () => void iterator.return?.(),
  });
  return new Response(body, { headers: { ...type, ...headers } });
}

async function controlled(control: ControlRoutes, request: Request, path: string): Promise<Response> {
  try {
    const sent = await bytesOf(request);
    const type = request.headers.get("content-type") ?? "";
    if (sent.length > 0 && !/^application\/json\s*(;|$)/i.test(type)) throw notJson();
    const encoding = request.headers.get("content-encoding")?.toLowerCase() ?? "identity";
    const bytes = encoding === "identity" ? sent : await unpacked(sent, { encoding, limit: bodyLimit });
    if (!bytes || bytes.length > bodyLimit) throw tooLarge();
    if (/;\s*charset=(?!"?utf-8"?\s*(;|$))/i.test(type)) throw noObject();
    const body = bytes.length === 0 ? undefined : parsedObject(new TextDecoder().decode(bytes));
    return json(request, 200, noStore, await control(request.method, path, body));
  } catch (error) {
    if (error instanceof BrokenBody) return Response.error();
    const { status, message } = explained(error instanceof Unreadable ? noObject() : error);
    return json(request, status, noStore, { message });
  }
}

function parsedObject(text: string): unknown {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw noObject(text);
  }
  if (typeof parsed !== "object" || parsed === null) throw noObject();
  return parsed;
}

function plainRequest({ method, headers }: Request, target: string): Plain {
  const [path = "", ...query] = target.split("?");
  return {
    ...{ method, url: target, path, headers: Object.fromEntries(headers) },
    query: query.length === 0 ? {} : readQuery(query.join("?")),
  };
}

function readQuery(text: string): Plain["query"] {
  const query: Plain["query"] = Object.create(null);
  // It drops one question mark at the beginning, which would be a second one of the URL's.
  for (const [name, value] of new URLSearchParams(`?${text}`)) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}

function createValidation(): (plain: Plain, request: Request) => Promise<ValidRequest> {
  const operations = operationsById(pageContract);
  const pathParametersOf = pathParameters(pageContract);
  const keyed = authenticate(
    (key) => (key === "" ? undefined : { scopes: ["read", "write"] }),
    keySchemeOf(pageContract),
  );
  const intoPlainForm = plainForm(pageContract);
  const bodies = bodyChecksBy(pageContract, checkOf);

  return async (plain, request) => {
    const asked = plain as unknown as ExpressRequest;
    // Those two only read the request; of the answer they know nothing.
    const passed = () => undefined;
    if (needsKey(asked)) await keyed(asked, {} as ExpressResponse, passed);
    await intoPlainForm(asked, {} as ExpressResponse, passed);
    const { method, path: target, headers, query } = plain;
    const found = findOperation(method, target);
    const operation = operations.get(found?.operationId ?? "");
    if (!found || !operation) throw refusedPath(target);
    const path = pathParametersOf(plain, found);
    if (!path) throw badRequest(validationMessage([{ path: "/path", message: "" }]));
    const read = readParameters(parametersOf(operation.path, operation.operationId), { query, headers, path });
    const check = bodies.get(operation.operationId);
    const body = check && (await readBody(request, headers));
    check?.(body);
    return { operation, method, target, path, query: read, headers, body };
  };
}

function checkOf(schema: object) {
  const check = checks[(schema as Checked)["x-check"] ?? -1];
  if (!check) throw new Error("The contract of the mock has no check of this schema.");
  return check;
}

const parametersByOperation = new Map<string, Parameter[]>();

/** Those of the path and of the operation. */
function parametersOf(path: string, operationId: string): Parameter[] {
  const known = parametersByOperation.get(operationId);
  if (known) return known;
  const item = pageContract.paths[path] ?? {};
  const operation = Object.values(item).find((one) => one.operationId === operationId);
  const all = [...((item as { parameters?: object[] }).parameters ?? []), ...(operation?.parameters ?? [])];
  const found = all.map((parameter) => resolved(pageContract, parameter) as Parameter);
  parametersByOperation.set(operationId, found);
  return found;
}

const methods = ["DELETE", "GET", "PATCH", "POST", "PUT"];

function refusedPath(path: string): Error {
  const [found] = methods.flatMap((method) => findOperation(method, path) ?? []);
  if (!found) return new UnknownPath();
  const item = pageContract.paths[operationTable[found.operationId].path] ?? {};
  // In the order in which the server lists them.
  const allowed = Object.keys(item).filter((name) => methods.includes(name.toUpperCase()));
  return methodNotAllowed(allowed.reverse().join(", ").toUpperCase());
}

type Given = Pick<Plain, "query" | "headers"> & { path: Record<string, string> };

/** @returns the query, with numbers for what is one, and the contract's defaults @throws {HttpError} 400 */
function readParameters(parameters: readonly Parameter[], { query, headers, path }: Given): ValidRequest["query"] {
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  for (const [name, value] of Object.entries(query)) {
    const fault = (message: string) => badRequest(validationMessage([{ path: `/query/${name}`, message }]));
    if (!inQuery.some((parameter) => parameter.name === name)) throw fault("Unknown query parameter");
    if (value === "") throw fault("Empty value");
  }
  const read: Record<string, unknown> = {};
  const faults: ValidationFault[] = [];
  for (const { name, in: place, required = false, schema } of parameters) {
    const known = place === "path" ? path : place === "query" ? query : headers;
    const given = known[place === "header" ? name.toLowerCase() : name];
    const field =
      place === "path" ? `/params/${name}` : place === "query" ? `/query/${name}` : `/headers/${name.toLowerCase()}`;
    const value = typeof given === "string" && schema.type === "integer" ? Number(given) : given;
    if (value === undefined) {
      if (required) faults.push({ path: field, message: "", errorCode: "required" });
      if (place === "query" && schema.default !== undefined) read[name] = schema.default;
      continue;
    }
    const check = checkOf(schema);
    if (!check(value)) faults.push(...firstFault(check, field));
    if (place === "query") read[name] = value;
  }
  if (faults.length > 0) throw badRequest(validationMessage(faults));
  return read;
}

/** @throws {HttpError} 400, 413 or 415 */
async function readBody(request: Request, headers: Plain["headers"]): Promise<unknown> {
  const sent = await bytesOf(request);
  assertJson(sent.length === 0, headers);
  const encoding = headers["content-encoding"]?.toLowerCase() ?? "identity";
  const isPacked = encoding !== "identity";
  if (isPacked && !isPacking(encoding)) throw bodyRefusals.unknownEncoding();
  if (isPacked && sent.length > maxPackedBytes) throw bodyRefusals.tooLargePacked();
  const bytes = isPacked ? await unpacked(sent, { encoding, limit: maxBytes }) : sent;
  if (!bytes || bytes.length > maxBytes) throw bodyRefusals.tooLarge();
  return parseBy(bytes, () => {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return undefined;
    }
  });
}

const isPacking = (encoding: string) => encoding === "gzip" || encoding === "deflate";

/**
 * No more is unpacked than the limit: a thousand times what was sent may be in it.
 *
 * @returns nothing for what is longer @throws {Unreadable}
 */
async function unpacked(
  packed: Uint8Array<ArrayBuffer>,
  { encoding, limit }: { encoding: string; limit: number },
): Promise<Uint8Array | undefined> {
  if (!isPacking(encoding)) throw new Unreadable();
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream(encoding as CompressionFormat));
  const reader = stream.getReader();
  const bytes = new Uint8Array(limit);
  for (let length = 0; ; ) {
    const { done, value } = await reader.read().catch(() => {
      throw new Unreadable();
    });
    if (done) return bytes.subarray(0, length);
    if (length + value.length > limit) return void reader.cancel().catch(() => undefined);
    bytes.set(value, length);
    length += value.length;
  }
}

/** Finds an answer among the contract's examples, as Prism does in Node. */
export async function findExample(
  { method, path }: { method: string; path: string },
  { code, exampleKey }: { code: number; exampleKey: string },
) {
  const id = findOperation(method, path)?.operationId;
  const response = operationsOf(pageContract).find(({ operationId }) => operationId === id)?.responses?.[String(code)];
  type Exampled = { $ref?: string; example?: unknown };
  type Described = {
    headers?: Record<string, Exampled & { required?: boolean }>;
    content?: { "application/json"?: { examples?: Record<string, { $ref?: string; value?: unknown }> } };
  };
  const { headers = {}, content } = resolved(pageContract, response ?? {}) as Described;
  const example = content?.["application/json"]?.examples?.[exampleKey];
  const shown = Object.entries(headers).flatMap(([name, header]) => {
    const value = resolved(pageContract, header).example;
    return value === undefined ? [] : [[name, String(value)]];
  });
  const { value } = resolved(pageContract, example ?? {}) as { value?: unknown };
  return {
    statusCode: code,
    headers: Object.fromEntries(shown) as Record<string, string>,
    body: structuredClone(value),
  };
}
