/** Sends a notification or a batch as the service does: signed, one POST, no redirects, 10 seconds for the whole exchange. */
import { createHmac } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { type Dispatcher, request } from "undici";
import { type AddressActivityNotification, signNotification } from "../../../client/receiver/index.ts";
import type { components } from "../../../generated/types.ts";
import { glacierHeaders, headersOf } from "../../../server/delivery/send/headers.ts";
import { batchIdOf } from "../../../server/matching/message-id.ts";
import { defaultPeriods } from "../../../server/settings/periods.ts";

const { timeoutMs } = defaultPeriods;

/** A notification to send, and how. */
export type OutgoingNotification = {
  to: string;
  /** Several are a batch, and so is a list of one. */
  notification:
    | AddressActivityNotification
    | readonly AddressActivityNotification[]
    | components["schemas"]["GlacierNotification"];
  /** Its number among those of its webhook, from 1; of a batch, that of the first. */
  sequence: number;
  /** `whsec_` and base64. */
  secret: string;
  /** In hex: signs Glacier's form, besides the other. */
  sharedSecret?: string | undefined;
  /** Ends the exchange early. */
  signal?: AbortSignal;
  /** What dials; undefined dials any address. */
  dispatcher?: Dispatcher;
};

/** The outcome of a notification. */
export type SendOutcome = {
  /** Whether the endpoint accepted it, with a 2xx answer. */
  accepted: boolean;
  /** Such as `204 No Content`, or why no answer came. */
  description: string;
  durationMs: number;
};

/** Signs and sends a notification. Never throws for what the endpoint does. */
export async function sendNotification(outgoing: OutgoingNotification): Promise<SendOutcome> {
  const { to, notification, sequence, secret, sharedSecret, signal, dispatcher } = outgoing;
  const id =
    "messageId" in notification ? notification.messageId : batchIdOf(notification.map(({ messageId }) => messageId));
  const timestamp = Math.floor(Date.now() / 1000);
  const body = JSON.stringify(notification);
  const signature = await signNotification({ id, timestamp, body, secret });
  const shared = sharedSecret && createHmac("sha256", Buffer.from(sharedSecret, "hex")).update(body).digest("base64");
  const headers = {
    ...headersOf({ id, timestamp: String(timestamp), signature, sequence: String(sequence) }),
    ...(shared && Object.fromEntries(glacierHeaders([shared]))),
  };
  const startedAt = performance.now();
  const ended = (accepted: boolean, description: string) => {
    return { accepted, description, durationMs: Math.round(performance.now() - startedAt) };
  };
  try {
    const how = { method: "POST", headers, body, signal: deadline(signal) } as const;
    const answer = await request(to, { ...how, ...(dispatcher && { dispatcher }) });
    await answer.body.dump();
    const { statusCode } = answer;
    return ended(statusCode >= 200 && statusCode < 300, `${statusCode} ${STATUS_CODES[statusCode] ?? ""}`.trim());
  } catch (error) {
    return ended(false, whyNoAnswer(error));
  }
}

/** A signal that ends an exchange after the service's 10 seconds, or when another one does. */
export function deadline(signal?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([timeout, signal]) : timeout;
}

/** Says in a few words why an exchange brought no answer. */
export function whyNoAnswer(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no whole answer within ${timeoutMs / 1000} s`;
  if (error.name === "AbortError") return "ended early";
  const code = "code" in error ? String(error.code) : "";
  const phrase = phrases[code];
  return phrase ? `${phrase} (${code})` : error.message || code;
}

const phrases: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection broke off",
  UND_ERR_SOCKET: "the connection broke off",
  ENOTFOUND: "there is no such host",
};
