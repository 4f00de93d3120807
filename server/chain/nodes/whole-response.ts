/** One POST to a node, whose response is received whole. */
import { isAscii } from "node:buffer";
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { Agent, buildConnector, type Dispatcher, interceptors, request as send } from "undici";
import { withoutFinalDot } from "../../targets/targets.ts";

/** A response with its body as text; undefined if that is longer than wanted. */
export type WholeResponse = ResponseHead & { text: string | undefined };

type ResponseHead = { status: number; headers: Dispatcher.ResponseData["headers"] };

/** As many as `fetch` follows. */
const maxRedirections = 20;
const connect = buildConnector({});
/** Connects to nodes. The global dispatcher may be that of Node's own undici, and undici leaves a name's final dot in SNI. */
export const nodeConnections = new Agent({
  connect: ({ hostname, ...to }, onConnect) =>
    connect({ ...to, hostname, ...(isIP(hostname) === 0 && { servername: withoutFinalDot(hostname) }) }, onConnect),
});
const dispatcher = nodeConnections.compose(interceptors.redirect({ maxRedirections }));

/**
 * Sends a request. `fetch` takes 0.3 ms longer, and a new block waits for two of them.
 *
 * @param request.body JSON
 * @param options.most the longest text, in bytes. A longer response ends with its connection
 * @throws what undici and decoding throw, or the signal's reason
 */
export async function post(
  url: string,
  request: { headers: Record<string, string>; body: string },
  { most, signal }: { most: number; signal: AbortSignal },
): Promise<WholeResponse> {
  signal.throwIfAborted();
  const { statusCode: status, headers, body } = await send(url, { method: "POST", ...request, dispatcher, signal });
  const received = await receive(body, most);
  const bytes = received && (await decoded(received, { status, headers }, most));
  return { status, headers, text: bytes && textOf(bytes) };
}

/** @returns undefined if it is longer; then nobody reads the rest */
async function receive(body: Readable, most: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the body, and with it the connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @returns undefined if there would be more than `most` bytes. An error whose body cannot be decoded has none: its status says enough */
async function decoded(bytes: Buffer, { status, headers }: ResponseHead, most: number): Promise<Buffer | undefined> {
  const encoding = headers["content-encoding"];
  if (encoding === undefined || encoding === "identity" || bytes.length === 0) return bytes;
  try {
    if (!/^(x-)?gzip$/i.test(String(encoding))) throw new Error(`the response has the content encoding ${encoding}`);
    return await promisify(gunzip)(bytes, { maxOutputLength: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return undefined;
    if (status >= 400) return Buffer.alloc(0);
    throw error;
  }
}

/** Decoded in one piece: twice as fast as chunk by chunk. Nodes respond in ASCII, which needs no decoding. */
const textOf = (bytes: Buffer) => bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
