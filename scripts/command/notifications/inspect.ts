/** Looks at a request that should be a notification or a batch: what it holds, and whether it can be trusted. */
import { NotificationError, type NotificationHeaders, verifyNotifications } from "../../../client/receiver/index.ts";
import type { AddressActivityNotification } from "../../../client/receiver/verify.ts";
import validate from "../../../generated/validate-notification.js";

/** What was found. */
export type Inspected = {
  /** Empty when the body is no notification and no batch. */
  notifications: readonly AddressActivityNotification[];
  /** False for a signature that does not verify and for a body that is no notification. */
  acceptable: boolean;
  /** `verified`, or in capitals and a sentence that it is not, and why. */
  verdict: string;
};

/** @param secret undefined where nothing can be verified; the body is looked at even so */
export async function inspect(
  body: Uint8Array,
  headers: NotificationHeaders,
  secret: string | undefined,
): Promise<Inspected> {
  const notifications = parse(body);
  const isOne = notifications.length > 0;
  if (secret === undefined) {
    const verdict = isOne ? "NOT VERIFIED, since there is no --secret" : "NOT A NOTIFICATION";
    return { notifications, acceptable: isOne, verdict };
  }
  try {
    await verifyNotifications(body, headers, secret);
    return { notifications, acceptable: true, verdict: "verified" };
  } catch (error) {
    if (!(error instanceof NotificationError)) throw error;
    return { notifications, acceptable: false, verdict: `NOT VERIFIED: ${error.message}` };
  }
}

function parse(body: Uint8Array): AddressActivityNotification[] {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    const all: unknown[] = Array.isArray(value) ? value : [value];
    return all.every(isNotification) ? all : [];
  } catch {
    return [];
  }
}

function isNotification(value: unknown): value is AddressActivityNotification {
  return validate(value);
}
