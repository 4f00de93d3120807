/**
 * Passes the API's requests on to a running server, so that the page's console, served from elsewhere, can call it: the
 * browser sees one origin, and the server need not open itself to the pages of others (CORS).
 */
import type { RequestHandler } from "express";
import type { Dispatcher } from "undici";
import { readBounded } from "../../../client/receiver/receive.ts";
import { errorBody, HttpError } from "../../../server/contract/errors.ts";
import { forward } from "../notifications/forward.ts";
import { whyNoAnswer } from "../notifications/send.ts";

// Longer than testWebhook takes, which waits for an endpoint.
const timeoutMs = 30_000;
/** The API takes less. */
const maxBodyBytes = 2 * 1024 * 1024;

/** @param server where the API is; a path in it is kept */
export function passOnRequest(server: URL): RequestHandler {
  const base = server.href.replace(/\/+$/, "");
  return async (request, response) => {
    // Not for await: leaving such a loop destroys the connection, and with it the answer.
    const chunks = request[Symbol.asyncIterator]();
    const body = await readBounded(() => chunks.next(), maxBodyBytes).catch(() => null);
    if (body === null) return void response.destroy();
    if (!body) throw new HttpError(413, "The body must be at most 2 MiB.");
    const how = { method: request.method as Dispatcher.HttpMethod, signal: AbortSignal.timeout(timeoutMs) };
    try {
      const came = await forward(base + request.originalUrl, withoutPage(request.rawHeaders), body, how);
      response.writeHead(came.status, came.headers).end(came.body);
    } catch (error) {
      const late = error instanceof Error && error.name === "TimeoutError";
      const why = late ? `no whole answer within ${timeoutMs / 1000} s` : whyNoAnswer(error);
      response.status(502).json(errorBody({ status: 502, message: `${base} did not answer: ${why}.` }));
    }
  };
}

/**
 * Without what a browser says of the page, which is ours and not the server's, and without the cookies of this host: they may be of other
 * programs, since browsers send them to all ports.
 */
function withoutPage(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => !/^(cookie|origin|referer|sec-.*)$/i.test(rawHeaders[at - (at % 2)] ?? ""));
}
