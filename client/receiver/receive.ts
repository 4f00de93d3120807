/** What both receivers do with a request, whatever the framework: read it within bounds, verify, hand over, answer. */
import { concatBytes, toBytes } from "./bytes.ts";
import { NotificationError } from "./errors.ts";
import { type NotificationHeaders, readAttemptMs, readSequence } from "./headers.ts";
import { decodeSecrets } from "./signature.ts";
import { type AddressActivityNotification, checkAge, verifyNotifications } from "./verify.ts";

/** The attempt that brought a notification, for a handler. */
export type NotificationAttempt = {
  /**
   * The notification's number among those of its webhook, from 1 without gaps; 0 for a test, whose event is an example and
   * did not happen. The signature does not cover it.
   */
  sequence: number;
  /** When the service made this attempt. */
  attemptAt: Date;
};

type Secrets = string | readonly string[];

/** How to receive notifications. */
export type ReceiverOptions = {
  /**
   * The webhook's secret, `whsec_` and base64; several when one endpoint serves several webhooks.
   *
   * A function is called for each notification. Give one where the secret is not there yet when the module is loaded, as in a build of Next.js or
   * a deployment to Firebase, or where it changes meanwhile. What it returns wrongly is answered 500, so that the service retries.
   */
  secret: Secrets | (() => Secrets | undefined | Promise<Secrets | undefined>);
  /**
   * Handles a verified notification; a promise is awaited. The service waits 10 s for the answer, so take long work off
   * this path. When it throws, the service sends the notification again. The same notification can come more than once.
   *
   * Of a batch it is called with each, one after the other in the order of their sequence. When it throws, the rest is left, and the
   * service sends the whole batch again, those that were handled too.
   */
  onNotification: (notification: AddressActivityNotification, attempt: NotificationAttempt) => unknown;
  /** Called with the error behind each answer 500: one of `onNotification`, or a wrong configuration of the receiver. */
  onError?: (error: unknown) => unknown;
  /**
   * The largest body taken, in bytes; 32 MiB unless given. The service sends a transaction with all of its logs, whoever made them: the most that
   * 16.7 million gas pay for (EIP-7825) is 8 MB, without the fields of `includeTransfers` and `abi`. What the receiver refuses is never
   * delivered.
   */
  maxBodyBytes?: number;
  /** How far a timestamp may be off, in seconds; 300 unless given. */
  toleranceSeconds?: number;
};

/** An answer to the service, as any framework can send it. */
export type Answer = { status: number; headers: Record<string, string>; body: string | undefined };

/** The parts of a request. `readBody` returns undefined when the body is larger than `maxBytes`. */
export type Delivery = {
  method: string | undefined;
  headers: NotificationHeaders;
  readBody: (maxBytes: number) => Promise<Uint8Array | undefined>;
};

/** The body could not be read because of how the receiver is set up, not because of the sender. */
export class UnreadableBodyError extends Error {
  override readonly name = "UnreadableBodyError";
}

/** The largest body taken, unless another is given. */
export const mostBodyMiB = 32;

type Verified = { notifications: readonly AddressActivityNotification[]; attempt: NotificationAttempt };

/** Makes the function that answers deliveries; it never throws. @throws NotificationError `invalid_secret`, immediately unless `secret` is a function. */
export function createReceiver(options: ReceiverOptions): (delivery: Delivery) => Promise<Answer> {
  const { secret, onNotification, onError, maxBodyBytes = mostBodyMiB * 2 ** 20, toleranceSeconds = 300 } = options;
  if (typeof secret !== "function") decodeSecrets(secret);

  const verify = async ({ method, headers, readBody }: Delivery): Promise<Answer | Verified> => {
    if (method !== "POST") return refuse(405, "method_not_allowed", "Only POST is taken.", { Allow: "POST" });
    const body = await readBody(maxBodyBytes);
    if (!body) return refuse(413, "body_too_large", `The body is larger than ${maxBodyBytes} bytes.`);
    // Nobody's secret is looked up for what cannot be a fresh notification, whoever sends it.
    if (typeof secret === "function") checkAge(headers, { toleranceSeconds });
    const secrets = (typeof secret === "function" ? await secret() : secret) ?? "";
    const notifications = await verifyNotifications(body, headers, secrets, { toleranceSeconds });
    const attempt = { sequence: readSequence(headers), attemptAt: new Date(readAttemptMs(headers)) };
    return { notifications, attempt };
  };
  const failed = async (error: unknown): Promise<Answer> => {
    try {
      await onError?.(error);
    } catch {
      // The service must get its answer even so.
    }
    return refuse(500, "not_handled", "The receiver failed to handle the notification; send it again.");
  };
  return async (delivery) => {
    let verified: Answer | Verified;
    try {
      verified = await verify(delivery);
    } catch (error) {
      const isSenders = error instanceof NotificationError && error.code !== "invalid_secret";
      return isSenders ? refuse(400, error.code, error.message) : failed(error);
    }
    if (!("notifications" in verified)) return verified;
    const { notifications, attempt } = verified;
    try {
      // Those of a batch are consecutive. A test has the sequence 0, and comes alone.
      for (const [index, notification] of notifications.entries())
        await onNotification(notification, { ...attempt, sequence: attempt.sequence + index });
      return { status: 204, headers: {}, body: undefined };
    } catch (error) {
      return failed(error);
    }
  };
}

function refuse(status: number, code: string, message: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ code, message }),
  };
}

/**
 * Reads a stream, chunk by chunk, and stops asking for more beyond the bound.
 * @returns undefined when there were more bytes than `maxBytes`.
 * @throws NotificationError `invalid_body` when the stream breaks off.
 */
export async function readBounded(
  next: () => Promise<{ done?: boolean | undefined; value?: unknown }>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await next().catch((cause: unknown) => {
      throw new NotificationError("invalid_body", "The body broke off.", { cause });
    });
    if (done) return concatBytes(chunks);
    const chunk = toBytes(value) ?? new Uint8Array();
    size += chunk.byteLength;
    // Asked this way round, a bound that is not a number lets nothing pass.
    if (!(size <= maxBytes)) return undefined;
    chunks.push(chunk);
  }
}
