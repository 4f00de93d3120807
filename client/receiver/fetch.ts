/** A receiver for whatever speaks `Request` and `Response`: edge runtimes, Deno, Bun, Hono, Next.js routes. */
import { createReceiver, type ReceiverOptions, readBounded, UnreadableBodyError } from "./receive.ts";

/**
 * Makes a handler from `Request` to `Response`. It takes single notifications and batches. It answers 204 when `onNotification` resolved, 400 to what does not
 * verify, 405 to another method than POST, 413 to a body that is too large, and 500 when `onNotification` failed; it
 * never throws.
 * @throws NotificationError `invalid_secret`, immediately unless `secret` is a function.
 * @example
 * const receive = createFetchReceiver({ secret, onNotification: async (notification) => save(notification) });
 * export default { fetch: receive };
 */
export function createFetchReceiver(options: ReceiverOptions): (request: Request) => Promise<Response> {
  const receive = createReceiver(options);
  return async (request) => {
    const readBody = async (maxBytes: number) => {
      if (Number(request.headers.get("content-length")) > maxBytes) return undefined;
      if (request.bodyUsed) {
        throw new UnreadableBodyError(
          "The request's body was already read; give it to the receiver first, or give the receiver a clone.",
        );
      }
      const reader = request.body?.getReader();
      if (!reader) return new Uint8Array();
      const body = await readBounded(() => reader.read(), maxBytes);
      // Not awaited: some runtimes resolve it only when the sender has gone.
      if (!body) reader.cancel().catch(() => {});
      return body;
    };
    const { status, headers, body } = await receive({ method: request.method, headers: request.headers, readBody });
    return new Response(body ?? null, { status, headers });
  };
}
