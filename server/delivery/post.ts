/** Builds a signed POST from a notification and sends it. */
import type { Dispatcher } from "undici";
import { notificationText } from "../matching/event.ts";
import { refusalOf, type TargetPolicy } from "../targets.ts";
import type { EndpointSettings, EndpointTarget } from "./endpoint-settings.ts";
import { type Exchange, exchange, type OnEnd } from "./exchange.ts";
import { headerList } from "./headers.ts";
import type { QueuedNotification } from "./queued-notification.ts";
import { signedValues } from "./signature.ts";

/** What is sent. A test has the sequence 0. */
export type Message = Pick<QueuedNotification, "messageId" | "sequence" | "eventText"> &
  Partial<Pick<QueuedNotification, "attemptsMade" | "trigger">>;

/** Where to send a message, and with which keys. */
export type Addressee = { readonly webhookId: string } & Readonly<Pick<EndpointSettings, "target" | "keys">>;

/** Starts to send one message. Never throws. `onEnd` may be called before it returns. */
export type Post = (addressee: Addressee, message: Message, onEnd: OnEnd) => Exchange;

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
  return ({ webhookId, target, keys }, { messageId, sequence, eventText }, onEnd) => {
    if (isRefused(target)) {
      onEnd({ errorClass: "blocked_address", durationMs: 0 });
      return { bytes: 0, abort: () => {} };
    }
    const body = Buffer.from(notificationText({ webhookId, messageId, eventText }));
    const { id, timestamp, signature } = signedValues(messageId, body, keys, now());
    const headers = headerList({ id, timestamp, signature, sequence: String(sequence) });
    return exchange(dispatcher, target, { headers, body }, timeoutMs, onEnd);
  };
}
