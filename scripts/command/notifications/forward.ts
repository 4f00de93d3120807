/** Passes a request on as it came, and brings back the answer as it came. */
import type { IncomingHttpHeaders } from "node:http";
import { type Dispatcher, request } from "undici";
import { deadline } from "./send.ts";

/** An answer, ready for `writeHead` and `end`. */
export type ForwardedAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** What belongs to a connection, not to what is sent over it (RFC 9110, 7.6.1); `host` and the length are set again. */
const ofTheConnection = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** How a request is passed on: as a POST, of which a whole answer is awaited for 10 seconds, unless it says otherwise. */
export type Passing = { method?: Dispatcher.HttpMethod; signal?: AbortSignal };

/**
 * Sends to a URL.
 *
 * @param rawHeaders names and values in turn, as Node has them
 * @throws when no whole answer comes in time
 */
export async function forward(
  to: string,
  rawHeaders: readonly string[],
  body: Uint8Array,
  { method = "POST", signal = deadline() }: Passing = {},
): Promise<ForwardedAnswer> {
  const headers: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (!ofTheConnection.has(name.toLowerCase())) headers.push(name, value);
  }
  const answer = await request(to, { method, headers, body, signal });
  const kept = Object.entries(answer.headers).filter(([name]) => !ofTheConnection.has(name));
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(kept),
    body: Buffer.from(await answer.body.arrayBuffer()),
  };
}
