/** Receivers for `node:http`, and for Express and whatever else is built on it. Typed by what they use of these, so that none is imported. */
import { toBytes } from "./bytes.ts";
import { createReceiver, mostBodyMiB, type ReceiverOptions, readBounded, UnreadableBodyError } from "./receive.ts";

/** What is used of a request; those of Express and `node:http` have it. */
export type IncomingRequest = {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What a body parser left; a `Buffer` or text by `express.raw` or `express.text`. */
  readonly body?: unknown;
  /**
   * The bytes of a parsed body, where they were kept: by Google and Firebase functions, by Nest with `rawBody: true`, by a parser's
   * `verify`.
   */
  readonly rawBody?: unknown;
  /** Whether someone has read from the stream. */
  readonly readableDidRead?: boolean;
  on?(event: "error", listener: (error: unknown) => void): unknown;
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
};

/** What is used of a response; those of Express and `node:http` have it. */
export type OutgoingResponse = {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body?: string): unknown;
  on?(event: "error", listener: (error: unknown) => void): unknown;
};

/**
 * Makes a handler for `node:http`. It takes single notifications and batches. It answers 204 when `onNotification` resolved, 400 to what does not
 * verify, 405 to another method than POST, 413 to a body that is too large, and 500 when `onNotification` failed; it
 * never throws. It takes any path: a server with several must choose first.
 *
 * It reads the raw body itself, or takes the bytes that a platform has kept in `rawBody`.
 * @throws NotificationError `invalid_secret`, immediately unless `secret` is a function.
 * @example
 * createServer(createNodeReceiver({ secret, onNotification: async (notification) => save(notification) })).listen(4000);
 */
export function createNodeReceiver(
  options: ReceiverOptions,
): (request: IncomingRequest, response: OutgoingResponse) => Promise<void> {
  const receive = createReceiver(options);
  return async (request, response) => {
    // The service may hang up at any time. What that breaks off is answered 400, or no longer.
    for (const stream of [request, response]) stream.on?.("error", () => {});
    const readBody = (maxBytes: number) => readRawBody(request, maxBytes);
    const answer = await receive({ method: request.method, headers: request.headers, readBody });
    response.statusCode = answer.status;
    // What was not read of a body that is too large would be taken for the next request.
    if (answer.status === 413) response.setHeader("Connection", "close");
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
    response.end(answer.body);
  };
}

/**
 * Makes a handler for Express: that of `createNodeReceiver`, which never calls `next`.
 *
 * It reads the raw body itself, or takes what `express.raw` or `express.text` read, or the bytes that are kept in `rawBody`. Behind `express.json`
 * alone the raw body is lost, and every notification is answered with 500: mount it before that, or let the parser keep the bytes.
 * @throws NotificationError `invalid_secret`, immediately unless `secret` is a function.
 * @example
 * const app = express();
 * app.post("/hooks", createExpressReceiver({ secret, onNotification: async (notification) => save(notification) }));
 * app.use(express.json());
 */
export function createExpressReceiver(
  options: ReceiverOptions,
): (request: IncomingRequest, response: OutgoingResponse) => Promise<void> {
  return createNodeReceiver(options);
}

/** @param keeper what a parser has left something on: the request, but in Koa */
export async function readRawBody(
  request: IncomingRequest,
  maxBytes: number,
  keeper: Pick<IncomingRequest, "body" | "rawBody"> = request,
): Promise<Uint8Array | undefined> {
  const kept = toBytes(keeper.rawBody) ?? toBytes(keeper.body);
  if (kept) return kept.byteLength > maxBytes ? undefined : kept;
  if (request.readableDidRead ?? keeper.body !== undefined) {
    throw new UnreadableBodyError(
      `The raw body was already read by a parser such as express.json; mount the receiver before it, or give its route express.raw({ type: 'application/json', limit: '${mostBodyMiB}mb' }). Or let the parser keep the bytes: express.json({ limit: '${mostBodyMiB}mb', verify: (request, response, bytes) => Object.assign(request, { rawBody: bytes }) }).`,
    );
  }
  if (Number(request.headers["content-length"]) > maxBytes) return undefined;
  // Not for await: leaving such a loop destroys the connection, and with it the answer.
  const chunks = request[Symbol.asyncIterator]();
  return readBounded(() => chunks.next(), maxBytes);
}
