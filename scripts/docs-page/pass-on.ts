/**
 * Passes the API's requests on to a running server, so that the page's console, served from elsewhere, can call it: the
 * browser sees one origin, and the server need not open itself to the pages of others (CORS).
 */
import express, { type RequestHandler } from "express";
import type { Dispatcher } from "undici";
import { errorBody } from "../../server/http/errors.ts";
import { forward } from "../notifications/forward.ts";
import { whyNoAnswer } from "../notifications/send.ts";

// Longer than testWebhook takes, which waits for an endpoint.
const timeoutMs = 30_000;

/** @param server where the API is; a path in it is kept */
export function passOn(server: URL): RequestHandler[] {
  const base = server.href.replace(/\/+$/, "");
  const wholeBody = express.raw({ type: () => true, limit: "2mb" });
  const passing: RequestHandler = async (request, response) => {
    const body = Buffer.isBuffer(request.body) ? request.body : new Uint8Array();
    const how = { method: request.method as Dispatcher.HttpMethod, signal: AbortSignal.timeout(timeoutMs) };
    try {
      const came = await forward(base + request.originalUrl, request.rawHeaders, body, how);
      response.writeHead(came.status, came.headers).end(came.body);
    } catch (error) {
      const late = error instanceof Error && error.name === "TimeoutError";
      const why = late ? `no whole answer within ${timeoutMs / 1000} s` : whyNoAnswer(error);
      response.status(502).json(errorBody({ status: 502, message: `${base} did not answer: ${why}.` }));
    }
  };
  return [wholeBody, passing];
}
