/** Makes a notification into a signed POST and sends it. */
import type { Dispatcher } from "undici";
import { notificationText } from "../matching/event.ts";
import { refuseLiteralPrivate } from "./dialer.ts";
import type { Endpoint } from "./endpoint.ts";
import { errorClassOf } from "./error-class.ts";
import { exchange, type Outcome } from "./exchange.ts";
import { signatureHeaders } from "./signature.ts";

/** What is sent. A test has the sequence 0. */
export type Message = { messageId: string; sequence: number; text: string };

/**
 * Sends one message. Never throws.
 *
 * @param signal ends the exchange at once
 * @returns the outcome, undefined when the signal ended it: then nobody knows whether it arrived
 */
export type Post = (
  endpoint: Pick<Endpoint, "webhookId" | "url" | "keys">,
  message: Message,
  signal: AbortSignal,
) => Promise<Outcome | undefined>;

/** @param options.now the database's time, in ms since the epoch @param options.timeoutMs for the whole exchange */
export function createPost(options: {
  dispatcher: Dispatcher;
  allowPrivateTargets: boolean;
  timeoutMs: number;
  now: () => number;
}): Post {
  const { dispatcher, allowPrivateTargets, timeoutMs, now } = options;
  return async ({ webhookId, url, keys }, { messageId, sequence, text }, signal) => {
    try {
      if (!allowPrivateTargets) refuseLiteralPrivate(url);
    } catch (error) {
      return { errorClass: errorClassOf(error), durationMs: 0 };
    }
    const body = Buffer.from(notificationText({ webhookId, messageId, eventText: text }));
    const headers = {
      "content-type": "application/json",
      "user-agent": "chain-webhooks/1",
      ...signatureHeaders(messageId, body, keys, now()),
      "webhook-sequence": String(sequence),
    };
    return exchange(dispatcher, url, { headers, body }, { timeoutMs, signal });
  };
}
