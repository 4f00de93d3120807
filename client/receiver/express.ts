/** A receiver for Express, Connect and plain `node:http`, typed by what it uses of them, so that none is imported. */
import { toBytes } from "./bytes.ts";
import { createReceiver, mostBodyMiB, type ReceiverOptions, readBounded, UnreadableBodyError } from "./receive.ts";

/** What is used of a request; those of Express and `node:http` have it. */
export type IncomingRequest = {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What a body parser left; a `Buffer` or text by `express.raw` or `express.text`. */
  readonly body?: unknown;
  /** Whether someone has read from the stream. */
  readonly readableDidRead?: boolean;
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
};

/** What is used of a response; those of Express and `node:http` have it. */
export type OutgoingResponse = {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body?: string): unknown;
};

/**
 * Makes a handler for Express or `node:http`. It takes single notifications and batches. It answers 204 when `onNotification` resolved, 400 to what does not
 * verify, 405 to another method than POST, 413 to a body that is too large, and 500 when `onNotification` failed; it
 * never throws and never calls `next`.
 *
 * It reads the raw body itself, or takes what `express.raw` or `express.text` read. Behind `express.json` the raw body is
 * lost: mount it before that, or every notification is answered with 500.
 * @throws NotificationError `invalid_secret`, immediately.
 * @example
 * const app = express();
 * app.post("/hooks", createExpressReceiver({ secret, onNotification: async (notification) => save(notification) }));
 * app.use(express.json());
 */
export function createExpressReceiver(
  options: ReceiverOptions,
): (request: IncomingRequest, response: OutgoingResponse) => Promise<void> {
  const receive = createReceiver(options);
  return async (request, response) => {
    const readBody = (maxBytes: number) => readRawBody(request, maxBytes);
    const answer = await receive({ method: request.method, headers: request.headers, readBody });
    response.statusCode = answer.status;
    // What was not read of a body that is too large would be taken for the next request.
    if (answer.status === 413) response.setHeader("Connection", "close");
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
    response.end(answer.body);
  };
}

async function readRawBody(request: IncomingRequest, maxBytes: number): Promise<Uint8Array | undefined> {
  const parsed = toBytes(request.body);
  if (parsed) return parsed.byteLength > maxBytes ? undefined : parsed;
  if (request.readableDidRead ?? request.body !== undefined) {
    throw new UnreadableBodyError(
      `The raw body was already read by a parser such as express.json; mount the receiver before it, or give its route express.raw({ type: 'application/json', limit: '${mostBodyMiB}mb' }).`,
    );
  }
  if (Number(request.headers["content-length"]) > maxBytes) return undefined;
  // Not for await: leaving such a loop destroys the connection, and with it the answer.
  const chunks = request[Symbol.asyncIterator]();
  return readBounded(() => chunks.next(), maxBytes);
}
