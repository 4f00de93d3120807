/** Page tokens: where the next page begins, in a form that clients have no reason to look into. */

import { badRequest } from "../contract/errors.ts";
import type { ListPosition } from "../store/webhooks/webhooks.ts";

const encode = (text: string) => Buffer.from(text).toString("base64url");

function decode(token: string, form: RegExp): RegExpExecArray {
  const text = Buffer.from(token, "base64url").toString("latin1");
  const match = encode(text) === token ? form.exec(text) : null;
  if (!match) throw badRequest("pageToken must be the nextPageToken of the page before.");
  return match;
}

const webhookPosition = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const address = /^0x[0-9a-f]{40}$/;
const sequence = /^\d{1,15}$/;

/** The token for the webhooks behind this one. */
export function webhookPageToken({ createdAt, id }: { createdAt: number; id: string }): string {
  return encode(`${createdAt}.${id}`);
}

/** @throws {HttpError} 400 for what is no such token */
export function parseWebhookPageToken(token: string | undefined): ListPosition | undefined {
  if (token === undefined) return undefined;
  const [, createdAt, id = ""] = decode(token, webhookPosition);
  return { createdAt: new Date(Number(createdAt)), id };
}

/** The token for the addresses behind this one. */
export const addressPageToken = encode;

/** @throws {HttpError} 400 for what is no such token */
export function parseAddressPageToken(token: string | undefined): string | undefined {
  return token === undefined ? undefined : decode(token, address)[0];
}

/** The token for the notifications behind this sequence. */
export const notificationPageToken = (sequence: number): string => encode(String(sequence));

/** @throws {HttpError} 400 for what is no such token */
export function parseNotificationPageToken(token: string | undefined): number | undefined {
  return token === undefined ? undefined : Number(decode(token, sequence)[0]);
}
