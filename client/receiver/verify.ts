/** From the bytes and headers of a request to a notification that can be trusted. */
import type { components } from "../../generated/types.ts";
import validate from "../../generated/validate-notification.js";
import { toBytes } from "./bytes.ts";
import { NotificationError } from "./errors.ts";
import {
  isInGlaciersForm,
  type NotificationHeaders,
  readAttemptMs,
  readSignedHeaders,
  type SignedHeaders,
} from "./headers.ts";
import { decodeSecrets, isSigned } from "./signature.ts";

/** A notification as the contract has it. It may hold fields that these types do not know yet. */
export type AddressActivityNotification = components["schemas"]["AddressActivityNotification"];

/** An operational event as the contract has it. It may have a `type` and fields that these types do not know yet. */
export type OperationalEvent = components["schemas"]["OperationalEvent"];

/** How strictly to take a notification's time. */
export type VerifyOptions = {
  /** How far the timestamp may be off, in seconds, before or after; 300 unless given. */
  toleranceSeconds?: number;
  /** The present, a `Date` or milliseconds since the epoch; the clock's unless given. */
  now?: Date | number;
};

/**
 * Verifies a notification: first its age and signature, over the body as received, and only then its shape.
 * @param rawBody the body exactly as received. Parsed and written again, JSON differs and does not verify.
 * @param headers a `Headers` instance, or a plain object such as Node's `request.headers`.
 * @param secret the webhook's secret, `whsec_` and base64; several when one endpoint serves several webhooks.
 * @returns the notification. It may arrive more than once, with the same `messageId`.
 * @throws NotificationError whose `code` says what is wrong.
 * @example
 * const notification = await verifyNotification(await request.text(), request.headers, secret);
 * console.log(notification.event.transaction.txHash);
 */
export async function verifyNotification(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: NotificationHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<AddressActivityNotification> {
  const { signed, value } = await verified(rawBody, headers, secret, options);
  if (Array.isArray(value))
    throw new NotificationError("invalid_body", "The body is a batch of notifications; use verifyNotifications.");
  return theOne(value, signed);
}

/**
 * Verifies a batch, as webhooks with `metadata.batch` get them, like `verifyNotification` does a single notification. A single one passes too,
 * so that one endpoint can serve webhooks of both kinds.
 * @returns the notifications, in the order of their sequence. Each may arrive more than once, with the same `messageId`, and the second
 * time in another batch.
 * @throws NotificationError whose `code` says what is wrong. Then nothing of the batch can be trusted.
 * @example
 * for (const { messageId, event } of await verifyNotifications(await request.text(), request.headers, secret))
 *   console.log(messageId, event.transaction.txHash);
 */
export async function verifyNotifications(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: NotificationHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<AddressActivityNotification[]> {
  const { signed, value } = await verified(rawBody, headers, secret, options);
  if (!Array.isArray(value)) return [theOne(value, signed)];
  if (value.length === 0) throw new NotificationError("invalid_body", "The body has no notification.");
  return value.map((each: unknown, index) => checked(each, `body.${index}`));
}

/**
 * Verifies an operational event in the format `signed`, like `verifyNotification` does a notification.
 * @param secret the operational webhook's secret; several while one endpoint has several.
 * @returns the event. It may arrive more than once, with the same `messageId`. Ignore a `type` that you do not know.
 * @throws NotificationError whose `code` says what is wrong.
 * @example
 * const { type, data, message } = await verifyOperationalEvent(await request.text(), request.headers, secret);
 * if (type === "webhook.deactivated") alert(data.webhookId, message);
 */
export async function verifyOperationalEvent(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: NotificationHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<OperationalEvent> {
  const { signed, value } = await verified(rawBody, headers, secret, options);
  if (!isOperationalEvent(value)) throw new NotificationError("invalid_body", "The body is not an operational event.");
  return assertSigned(value, signed);
}

/** Only what every event has: one of a type that is not known yet passes. */
function isOperationalEvent(value: unknown): value is OperationalEvent {
  const { messageId, type, createdAt, subject, message, data } = (value ?? {}) as Record<string, unknown>;
  return (
    [messageId, type, subject, message].every((text) => typeof text === "string") &&
    typeof createdAt === "number" &&
    typeof data === "object" &&
    data !== null
  );
}

/** What somebody with a secret of the receiver has sent. */
async function verified(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: NotificationHeaders,
  secret: string | readonly string[],
  options: VerifyOptions,
): Promise<{ signed: SignedHeaders; value: unknown }> {
  const keys = decodeSecrets(secret);
  const signed = checkAge(headers, options);
  const body = toBytes(rawBody);
  if (!body) throw new NotificationError("invalid_body", "The body must be given raw, as text or bytes, not parsed.");
  if (!(await isSigned(signed, body, keys))) {
    throw new NotificationError(
      "invalid_signature",
      "No signature of the notification is by a secret of the receiver.",
    );
  }
  const value = parse(body);
  return { signed, value: isInGlaciersForm(headers) ? withTopics(value) : value };
}

/** Glacier's form leaves out what the usual one has as null. All else of it is valid in the usual form. */
function withTopics(value: unknown): unknown {
  const { logs } = (value as { event?: { logs?: unknown } } | null)?.event ?? {};
  for (const log of Array.isArray(logs) ? logs : []) {
    if (typeof log !== "object" || log === null) continue;
    if (log.topic0 === "") log.topic0 = null;
    for (const topic of ["topic1", "topic2", "topic3"]) log[topic] ??= null;
  }
  return value;
}

function theOne(value: unknown, signed: SignedHeaders): AddressActivityNotification {
  return assertSigned(checked(value, "body"), signed);
}

/** @throws NotificationError unless the body is of the message that is signed */
function assertSigned<Message extends { messageId: string }>(message: Message, { id }: SignedHeaders): Message {
  if (message.messageId === id) return message;
  throw new NotificationError("message_id_mismatch", "The body's messageId is not the one in the header webhook-id.");
}

/** @returns what is signed @throws NotificationError where a header is missing or malformed, or the notification is too old or too new */
export function checkAge(
  headers: NotificationHeaders,
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions,
): SignedHeaders {
  const signed = readSignedHeaders(headers);
  const ageSeconds = Math.floor(Number(now) / 1000) - readAttemptMs(headers) / 1000;
  // Asked this way round, a tolerance or a present that is not a number lets nothing pass.
  if (Math.abs(ageSeconds) <= toleranceSeconds) return signed;
  throw ageSeconds < 0
    ? new NotificationError("timestamp_too_new", "The notification's timestamp is too far in the future.")
    : new NotificationError("timestamp_too_old", "The notification's timestamp is too far in the past.");
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw new NotificationError("invalid_body", "The body is not JSON in UTF-8.", { cause });
  }
}

function checked(value: unknown, place: string): AddressActivityNotification {
  if (isNotification(value)) return value;
  const [error] = validate.errors ?? [];
  const where = error?.instancePath ? `${place}${error.instancePath.replaceAll("/", ".")}` : place;
  throw new NotificationError("invalid_body", `The ${where} ${error?.message ?? "is not a notification"}.`);
}

function isNotification(value: unknown): value is AddressActivityNotification {
  return validate(value);
}
