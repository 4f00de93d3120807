/** Builds a signed POST from a notification or a batch and sends it. */
import { batchText, notificationText } from "../matching/event.ts";
import { batchIdOf } from "../matching/message-id.ts";
import type { WebhookOptions } from "../matching/new-webhook.ts";
import { refusalOf, type TargetPolicy } from "../targets/targets.ts";
import type { Batch } from "./batch.ts";
import type { Dialer } from "./dialer.ts";
import type { EndpointSettings, EndpointTarget } from "./endpoint-settings.ts";
import { type Exchange, exchange, type OnEnd } from "./exchange.ts";
import { headerList } from "./headers.ts";
import { LargeBodies, pieceCharacters } from "./large-body.ts";
import { ownTextOf, type QueuedNotification } from "./queued-notification.ts";
import { signedPrefix, signedValues, timestampOf } from "./signature.ts";

/** What is sent. A test has the sequence 0. */
export type Message = Pick<QueuedNotification, "messageId" | "sequence" | "eventText"> &
  Partial<Pick<QueuedNotification, "attemptsMade" | "trigger" | "ownText">>;

/** Where to send a message, and with which keys. */
export type Addressee = {
  readonly webhookId: string;
  readonly batch?: Batch | undefined;
  /** Shares what takes long. */
  readonly account?: object;
  /** By which logs are decoded that are not yet. */
  readonly abi?: WebhookOptions["abi"] | undefined;
} & Readonly<Pick<EndpointSettings, "target" | "keys">>;

/** Starts to send messages in one POST: exactly one, unless the webhook has batches. Never throws. `onEnd` may be called before it returns. */
export type Post = (addressee: Addressee, messages: readonly Message[], onEnd: OnEnd) => Exchange;

/** @param options.now the database's time, in ms since the epoch @param options.timeoutMs for the whole exchange */
export function createPost(options: {
  dialer: Dialer;
  policy: TargetPolicy;
  timeoutMs: number;
  now: () => number;
}): Post {
  const { dialer, policy, timeoutMs, now } = options;
  /** Whether a target may be called. We check again, and once for each, since the policy may have changed after the url was created. */
  const refused = new WeakMap<EndpointTarget, boolean>();
  const isRefused = (target: EndpointTarget): boolean => {
    const known = refused.get(target);
    if (known !== undefined) return known;
    const found = refusalOf(target.origin, policy) !== undefined;
    refused.set(target, found);
    return found;
  };
  const largeBodies = new LargeBodies();
  /** The exchange begins when the body is ready. */
  const postLarge = (
    target: EndpointTarget,
    { id, text, keys, account }: { id: string; text: string; keys: Addressee["keys"]; account: object },
    sequence: string,
    onEnd: OnEnd,
  ): Exchange => {
    const nowMs = now();
    const timestamp = timestampOf(nowMs);
    let begun: Exchange | undefined;
    let isAborted = false;
    const work = { account, text, prefix: signedPrefix(id, timestamp), keys, nowMs };
    const cancel = largeBodies.prepare(work, ({ body, signatures }) => {
      if (isAborted) return;
      const headers = headerList({ id, timestamp, signature: signatures, sequence });
      begun = exchange(dialer, target, { headers, body }, timeoutMs, onEnd);
    });
    return {
      bytes: text.length,
      abort() {
        if (isAborted) return;
        isAborted = true;
        cancel();
        if (begun) begun.abort();
        else onEnd(undefined);
      },
    };
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
    const ownId = batch ? batchIdOf(messages.map((message) => message.messageId)) : messageId;
    const sign = { id: ownId, text, keys, account: addressee.account ?? addressee };
    if (text.length > pieceCharacters) return postLarge(target, sign, String(sequence), onEnd);
    const body = Buffer.from(text);
    const { id, timestamp, signature } = signedValues(ownId, body, keys, now());
    const headers = headerList({ id, timestamp, signature, sequence: String(sequence) });
    return exchange(dialer, target, { headers, body }, timeoutMs, onEnd);
  };
}
