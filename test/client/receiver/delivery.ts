/** A signed delivery as the service would send it, for tests to send or to spoil. */
import { signNotification } from "../../../client/receiver/index.ts";
import { sentHeaders } from "../../support/sent-headers.ts";
import { notification } from "../examples.ts";

export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
export const otherSecret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/** A body and its headers, as they are sent. */
export type SignedDelivery = { body: string; headers: ReturnType<typeof sentHeaders> };

/**
 * Signs a body, the contract's example unless another is given, under its own `messageId`, now.
 * @param timestamp in seconds since the epoch.
 */
export async function deliver(
  payload: unknown = notification,
  { timestamp = Math.floor(Date.now() / 1000), signWith = secret, id = notification.messageId } = {},
): Promise<SignedDelivery> {
  const body = typeof payload === "string" ? payload : JSON.stringify(payload);
  const signature = await signNotification({ id, timestamp, body, secret: signWith });
  return { body, headers: sentHeaders({ id, timestamp: String(timestamp), signature, sequence: "42" }) };
}
