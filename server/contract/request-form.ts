/** Brings a request into the form that the validator copes with. */
import type { RequestHandler } from "express";
import { shownName } from "./display-name.ts";
import { badRequest, HttpError } from "./errors.ts";

const longestUrl = 8_192;

/** Refuses what no client of the contract needs. Node itself refuses a request line and headers above 16 KiB together. */
export const shortUrl: RequestHandler = (request, _response, next) => {
  if (request.originalUrl.length > longestUrl) throw new HttpError(414, "The URL must be at most 8 KiB.");
  next();
};

/** HEAD is answered as GET; Node leaves the body out. The validator takes it for a method that the path does not have. */
export const headAsGet: RequestHandler = (request, _response, next) => {
  if (request.method === "HEAD") request.method = "GET";
  next();
};

/**
 * Leaves two media types: JSON in UTF-8 and anything else. The validator compiles its schemas anew for each spelling of the
 * content type and keeps them all, so that a client could fill the memory. For each type that a client accepts it compiles a pattern,
 * which takes 5 ms for 14 KB of them; answers are JSON whatever is accepted.
 */
export const plainMediaTypes: RequestHandler = (request, _response, next) => {
  const given = request.headers["content-type"];
  if (request.headers.accept !== undefined) request.headers.accept = "application/json";
  if (given !== undefined)
    request.headers["content-type"] = isJson(given) ? "application/json" : "application/octet-stream";
  next();
};

function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType.toLowerCase().split(";");
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("charset="));
  return type?.trim() === "application/json" && [undefined, "charset=utf-8", 'charset="utf-8"'].includes(charset);
}

/** The validator drops parameters such as `[name]=1` unseen; the contract has none with brackets. */
export const noBrackets: RequestHandler = (request, _response, next) => {
  // Without a query there is nothing to parse.
  const bracketed = request.url.includes("?") && Object.keys(request.query).find((name) => name.includes("["));
  if (typeof bracketed === "string") throw badRequest(`${shownName(bracketed)} is not a known query parameter.`);
  next();
};
