/** Makes a notification into a signed POST and sends it. */
import type { Dispatcher } from "undici";
import { notificationText } from "../matching/event.ts";
import { refusalOf, type TargetPolicy } from "../targets.ts";
import type { Endpoint, Task } from "./endpoint.ts";
import { type Exchange, exchange, type OnEnd } from "./exchange.ts";
import { signatureHeaders } from "./signature.ts";

/** Names and values in turn, as undici keeps them; it takes apart what is an object. */
const sameHeaders = ["content-type", "application/json", "user-agent", "chain-webhooks/1"];

/** What is sent. A test has the sequence 0. */
export type Message = Pick<Task, "messageId" | "sequence" | "text"> & Partial<Pick<Task, "attempts" | "trigger">>;

/** Begins to send one message. Never throws; `onEnd` may be called before it returns. */
export type Post = (
  endpoint: Pick<Endpoint, "webhookId" | "target" | "keys">,
  message: Message,
  onEnd: OnEnd,
) => Exchange;

/** @param options.now the database's time, in ms since the epoch @param options.timeoutMs for the whole exchange */
export function createPost(options: {
  dispatcher: Dispatcher;
  policy: TargetPolicy;
  timeoutMs: number;
  now: () => number;
}): Post {
  const { dispatcher, policy, timeoutMs, now } = options;
  /** Whether a target may be dialled at all, asked once for each: what a url looked like when it was created is not taken for granted. */
  const refused = new WeakMap<Endpoint["target"], boolean>();
  const isRefused = (target: Endpoint["target"]): boolean => {
    const known = refused.get(target);
    if (known !== undefined) return known;
    const found = refusalOf(target.origin, policy) !== undefined;
    refused.set(target, found);
    return found;
  };
  return ({ webhookId, target, keys }, { messageId, sequence, text }, onEnd) => {
    if (isRefused(target)) {
      onEnd({ errorClass: "blocked_address", durationMs: 0 });
      return { bytes: 0, abort: () => {} };
    }
    const body = Buffer.from(notificationText({ webhookId, messageId, eventText: text }));
    const headers = [...sameHeaders, "webhook-sequence", String(sequence)];
    const signed = signatureHeaders(messageId, body, keys, now());
    for (const name in signed) headers.push(name, signed[name] ?? "");
    return exchange(dispatcher, target, { headers, body }, timeoutMs, onEnd);
  };
}
