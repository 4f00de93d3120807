/** Builds a signed POST from a notification or a batch and sends it. */
import type { Dispatcher } from "undici";
import { batchText, notificationText } from "../matching/event.ts";
import { batchIdOf } from "../matching/message-id.ts";
import type { WebhookOptions } from "../new-webhook.ts";
import { refusalOf, type TargetPolicy } from "../targets.ts";
import type { Batch } from "./batch.ts";
import type { EndpointSettings, EndpointTarget } from "./endpoint-settings.ts";
import { type Exchange, exchange, type OnEnd } from "./exchange.ts";
import { headerList } from "./headers.ts";
import { ownTextOf, type QueuedNotification } from "./queued-notification.ts";
import { signedValues } from "./signature.ts";

/** What is sent. A test has the sequence 0. */
export type Message = Pick<QueuedNotification, "messageId" | "sequence" | "eventText"> &
  Partial<Pick<QueuedNotification, "attemptsMade" | "trigger" | "ownText">>;

/** Where to send a message, and with which keys. */
export type Addressee = {
  readonly webhookId: string;
  readonly batch?: Batch | undefined;
  /** By which logs are decoded that are not yet. */
  readonly abi?: WebhookOptions["abi"] | undefined;
} & Readonly<Pick<EndpointSettings, "target" | "keys">>;

/** Starts to send messages in one POST: exactly one, unless the webhook has batches. Never throws. `onEnd` may be called before it returns. */
export type Post = (addressee: Addressee, messages: readonly Message[], onEnd: OnEnd) => Exchange;

/** @param options.now the database's time, in ms since the epoch @param options.timeoutMs for the whole exchange */
export function createPost(options: {
  dispatcher: Dispatcher;
  policy: TargetPolicy;
  timeoutMs: number;
  now: () => number;
}): Post {
  const { dispatcher, policy, timeoutMs, now } = options;
  /** Whether a target may be called. We check again, and once for each, since the policy may have changed after the url was created. */
  const refused = new WeakMap<EndpointTarget, boolean>();
  const isRefused = (target: EndpointTarget): boolean => {
    const known = refused.get(target);
    if (known !== undefined) return known;
    const found = refusalOf(target.origin, policy) !== undefined;
    refused.set(target, found);
    return found;
  };
  return (addressee, messages, onEnd) => {
    const { target, keys } = addressee;
    if (isRefused(target)) {
      onEnd({ errorClass: "blocked_address", durationMs: 0 });
      return { bytes: 0, abort: () => {} };
    }
    const { webhookId, batch, abi } = addressee;
    const [first] = messages;
    if (!first) throw new Error("there is nothing to send");
    const { messageId, sequence } = first;
    const own = messages.map((message) => ({ messageId: message.messageId, eventText: ownTextOf(message, abi) }));
    const text = batch ? batchText(webhookId, own) : own.map((one) => notificationText({ webhookId, ...one })).join("");
    const body = Buffer.from(text);
    const ownId = batch ? batchIdOf(messages.map((message) => message.messageId)) : messageId;
    const { id, timestamp, signature } = signedValues(ownId, body, keys, now());
    const headers = headerList({ id, timestamp, signature, sequence: String(sequence) });
    return exchange(dispatcher, target, { headers, body }, timeoutMs, onEnd);
  };
}
