/** Brings a request into the form that the validator copes with. */
import type { IncomingHttpHeaders } from "node:http";
import type { Request, RequestHandler } from "express";
import { type Contract, parametersOf } from "./contract.ts";
import { badRequest, HttpError } from "./errors.ts";
import { displayName } from "./validation-message.ts";

const maxUrlLength = 8_192;

/** Refuses what no client of the contract needs. Node itself refuses a request line and headers above 16 KiB together. */
export const shortUrl: RequestHandler = (request, _response, next) => {
  if (request.originalUrl.length > maxUrlLength) throw new HttpError(414, "The URL must be at most 8 KiB.");
  next();
};

/**
 * Brings a request into the form that the validator copes with. This is one middleware, since each costs a request about a microsecond.
 *
 * @throws {HttpError} 400 for a query that the validator would misread
 */
export function plainForm(contract: Contract): RequestHandler {
  const integers = integerParameters(contract);
  return (request, _response, next) => {
    // HEAD is answered as GET; Node leaves the body out. The validator takes it for a method that the path does not have.
    if (request.method === "HEAD") {
      heads.add(request);
      request.method = "GET";
    }
    plainMediaTypes(request.headers);
    // Without a query there is nothing to parse. Express parses it again each time that it is read.
    const start = request.url.indexOf("?");
    if (start >= 0) {
      assertEncoded(request.url.slice(start + 1));
      assertPlainQuery(request.query, integers);
    }
    next();
  };
}

const heads = new WeakSet<object>();

/** Whether a request that is answered as GET came as HEAD. */
export const isHead = (request: object): boolean => heads.has(request);

const json = "application/json";
/** What a client accepts that wants a stream of events. */
export const eventStream = "text/event-stream";

/**
 * Leaves two media types: JSON in UTF-8 and anything else. The validator compiles its schemas again for each spelling of the
 * content type and keeps them all, so a client could fill the memory. For each type that a client accepts it compiles a pattern,
 * which takes 5 ms for 14 KB of them. Answers are JSON whatever is accepted, but for streams of events.
 */
function plainMediaTypes(headers: IncomingHttpHeaders): void {
  const { accept, "content-type": contentType } = headers;
  if (accept !== undefined) headers.accept = prefersEvents(accept) ? eventStream : json;
  if (contentType !== undefined)
    headers["content-type"] = isJson(contentType) ? "application/json" : "application/octet-stream";
}

/** Whether a client names a stream of events, and JSON not before it. */
function prefersEvents(accept: string): boolean {
  if (!accept.toLowerCase().includes(eventStream)) return false;
  const named = accept
    .toLowerCase()
    .split(",")
    .map((part) => {
      const [type = "", ...parameters] = part.split(";").map((text) => text.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
    })
    .filter(({ type, quality }) => (type === json || type === eventStream) && quality > 0);
  return named.sort((a, b) => b.quality - a.quality)[0]?.type === eventStream;
}

function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType.toLowerCase().split(";");
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("charset="));
  return type?.trim() === "application/json" && [undefined, "charset=utf-8", 'charset="utf-8"'].includes(charset);
}

/** Express reads no more of a query. */
const mostParameters = 1_000;

/**
 * Refuses what would not arrive as it was sent: Express reads `%zz` as text, ends at a `#`, and ignores what comes after many parameters. Every
 * other character may be percent-encoded or not. `+` is a space, as HTML forms and `URLSearchParams` write it.
 */
function assertEncoded(query: string): void {
  if (query.split("&", mostParameters + 1).length > mostParameters)
    throw badRequest(`The query must have at most ${mostParameters.toLocaleString("en")} parameters.`);
  if (!/[%#]/.test(query)) return;
  for (const part of query.split("&")) {
    const [name = ""] = part.split("=", 1);
    if (!part.includes("#") && isDecodable(part)) continue;
    const field = isDecodable(name) ? decodeURIComponent(name) : name;
    throw badRequest(`${displayName(field)} must be validly percent-encoded.`);
  }
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const integer = /^-?(0|[1-9][0-9]*)$/;

/**
 * Refuses parameters such as `[name]=1`, which the validator silently drops; the contract has none with brackets. Refuses whole numbers
 * that are not written as such, or that JavaScript cannot hold. The validator takes `1e1`, ` 1` and even `1e400`, which becomes an infinity
 * that passes its bounds. What is empty, or there twice, is left to the validator.
 */
function assertPlainQuery(query: Request["query"], integers: ReadonlySet<string | undefined>): void {
  const bracketed = Object.keys(query).find((name) => name.includes("["));
  if (bracketed !== undefined) throw badRequest(`${displayName(bracketed)} is not a known query parameter.`);
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== "string" || value === "" || !integers.has(name)) continue;
    if (!integer.test(value)) throw badRequest(`${name} must be an integer.`);
    if (!Number.isSafeInteger(Number(value))) throw badRequest(`${name} must be an integer of at most 16 digits.`);
  }
}

/** The names of the parameters in queries that are integers. */
function integerParameters(contract: Contract): ReadonlySet<string | undefined> {
  const integers = parametersOf(contract).filter(
    ({ in: place, schema }) => place === "query" && schema?.type === "integer",
  );
  return new Set(integers.map(({ name }) => name));
}
