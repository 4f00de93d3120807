/** Reads the signed headers of a notification from whatever a framework offers as headers. */
import { glacierHeader, notificationHeader } from "../../generated/notification-header.ts";
import { NotificationError } from "./errors.ts";

/** A `Headers` instance, or a plain object with names in any letter case, such as Node's `request.headers`. */
export type NotificationHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What the signature is over besides the body, and the signatures. */
export type SignedHeaders = {
  /** The notification's id. */
  id: string;
  /** In seconds since the epoch, as sent. */
  timestamp: string;
  /** One or more signatures, a space between. */
  signature: string;
};

/** @throws NotificationError `missing_header` for the first of the three that is absent or empty. */
export function readSignedHeaders(headers: NotificationHeaders): SignedHeaders {
  return {
    id: readHeader(headers, notificationHeader.id),
    timestamp: readHeader(headers, notificationHeader.timestamp),
    signature: readHeader(headers, notificationHeader.signature),
  };
}

/**
 * The number of a notification among those of its webhook; 0 for a test. It is not covered by the signature.
 * @throws NotificationError `missing_header` or `invalid_sequence`.
 */
export function readSequence(headers: NotificationHeaders): number {
  const text = readHeader(headers, notificationHeader.sequence);
  const sequence = /^(0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(sequence)) return sequence;
  throw new NotificationError("invalid_sequence", `The header ${notificationHeader.sequence} must be a whole number.`);
}

/** The time of an attempt, in milliseconds since the epoch. @throws NotificationError `missing_header` or `invalid_timestamp`. */
export function readAttemptMs(headers: NotificationHeaders): number {
  const text = readHeader(headers, notificationHeader.timestamp);
  // Twelve digits reach beyond the year 30000, and stay a valid Date.
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000;
  throw new NotificationError(
    "invalid_timestamp",
    `The header ${notificationHeader.timestamp} must be seconds since the epoch.`,
  );
}

/** Whether it is a notification in Glacier's form. */
export function isInGlaciersForm(headers: NotificationHeaders): boolean {
  return headerIn(headers, glacierHeader.signature) != null;
}

function headerIn(headers: NotificationHeaders, name: string) {
  return isHeaders(headers) ? headers.get(name) : findIgnoringCase(headers, name);
}

function readHeader(headers: NotificationHeaders, name: string): string {
  const value = headerIn(headers, name);
  const text = typeof value === "string" ? value : (value?.join(", ") ?? "");
  if (text === "") throw new NotificationError("missing_header", `The header ${name} is missing.`);
  return text;
}

function isHeaders(headers: NotificationHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === "function";
}

function findIgnoringCase(headers: Readonly<Record<string, string | readonly string[] | undefined>>, name: string) {
  return Object.entries(headers).find(([key, value]) => value !== undefined && key.toLowerCase() === name)?.[1];
}
