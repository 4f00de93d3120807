/** Brings a request into the form that the validator copes with. */
import type { RequestHandler } from "express";
import { type Contract, operationsOf, resolved } from "./contract.ts";
import { badRequest, HttpError } from "./errors.ts";
import { displayName } from "./validation-message.ts";

const maxUrlLength = 8_192;

/** Refuses what no client of the contract needs. Node itself refuses a request line and headers above 16 KiB together. */
export const shortUrl: RequestHandler = (request, _response, next) => {
  if (request.originalUrl.length > maxUrlLength) throw new HttpError(414, "The URL must be at most 8 KiB.");
  next();
};

/** HEAD is answered as GET; Node leaves the body out. The validator takes it for a method that the path does not have. */
export const headAsGet: RequestHandler = (request, _response, next) => {
  if (request.method === "HEAD") request.method = "GET";
  next();
};

/**
 * Leaves two media types: JSON in UTF-8 and anything else. The validator compiles its schemas again for each spelling of the
 * content type and keeps them all, so a client could fill the memory. For each type that a client accepts it compiles a pattern,
 * which takes 5 ms for 14 KB of them. Answers are JSON whatever is accepted.
 */
export const plainMediaTypes: RequestHandler = (request, _response, next) => {
  const { accept, "content-type": contentType } = request.headers;
  if (accept !== undefined) request.headers.accept = "application/json";
  if (contentType !== undefined)
    request.headers["content-type"] = isJson(contentType) ? "application/json" : "application/octet-stream";
  next();
};

function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType.toLowerCase().split(";");
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("charset="));
  return type?.trim() === "application/json" && [undefined, "charset=utf-8", 'charset="utf-8"'].includes(charset);
}

/** The validator silently drops parameters such as `[name]=1`. The contract has none with brackets. */
export const noBrackets: RequestHandler = (request, _response, next) => {
  // Without a query there is nothing to parse.
  const bracketed = request.url.includes("?") && Object.keys(request.query).find((name) => name.includes("["));
  if (typeof bracketed === "string") throw badRequest(`${displayName(bracketed)} is not a known query parameter.`);
  next();
};

const integer = /^-?(0|[1-9][0-9]*)$/;

/**
 * Refuses whole numbers in a query that are not written as such, or that JavaScript cannot hold. The validator takes `1e1`, ` 1` and
 * even `1e400`, which becomes an infinity that passes its bounds. What is empty, or there twice, is left to the validator.
 */
export function plainIntegers(contract: Contract): RequestHandler {
  const parameters = operationsOf(contract)
    .flatMap((operation) => operation.parameters ?? [])
    .map((parameter) => resolved(contract, parameter));
  const integers = parameters.filter((parameter) => parameter.in === "query" && parameter.schema?.type === "integer");
  const names = new Set(integers.map(({ name }) => name));
  return (request, _response, next) => {
    // Express parses the query again each time that it is read.
    for (const [name, value] of Object.entries(request.url.includes("?") ? request.query : {})) {
      if (typeof value !== "string" || value === "" || !names.has(name)) continue;
      if (!integer.test(value)) throw badRequest(`${name} must be an integer.`);
      if (!Number.isSafeInteger(Number(value))) throw badRequest(`${name} must be an integer of at most 16 digits.`);
    }
    next();
  };
}
