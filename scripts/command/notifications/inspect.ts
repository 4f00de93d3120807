/** Looks at a request that should be a notification: what it holds, and whether it can be trusted. */
import { NotificationError, type NotificationHeaders, verifyNotification } from "../../../client/receiver/index.ts";
import type { AddressActivityNotification } from "../../../client/receiver/verify.ts";
import validate from "../../../generated/validate-notification.js";

/** What was found. */
export type Inspected = {
  /** Undefined when the body is no notification. */
  notification: AddressActivityNotification | undefined;
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
  const notification = parse(body);
  if (secret === undefined) {
    const verdict = notification ? "NOT VERIFIED, since there is no --secret" : "NOT A NOTIFICATION";
    return { notification, acceptable: notification !== undefined, verdict };
  }
  try {
    await verifyNotification(body, headers, secret);
    return { notification, acceptable: true, verdict: "verified" };
  } catch (error) {
    if (!(error instanceof NotificationError)) throw error;
    return { notification, acceptable: false, verdict: `NOT VERIFIED: ${error.message}` };
  }
}

function parse(body: Uint8Array): AddressActivityNotification | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return isNotification(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isNotification(value: unknown): value is AddressActivityNotification {
  return validate(value);
}
