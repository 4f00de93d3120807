/**
 * Builds a signed POST from a notification or a batch and sends it. Large bodies are encoded and signed piece by piece, at the turns of their
 * accounts. Each attempt is a part of its block's trace.
 */
import { createHmac, type Hmac } from "node:crypto";
import type { Tracing } from "../../base/tracing.ts";
import { decodingLimits } from "../../matching/abi.ts";
import { atOnce, batchText, notificationText, partCharacters } from "../../matching/event.ts";
import { glacierText, glacierTextInParts } from "../../matching/glacier.ts";
import { batchIdOf } from "../../matching/message-id.ts";
import type { WebhookOptions } from "../../matching/new-webhook.ts";
import { operationalText } from "../../operational/forms.ts";
import { refusalOf, type TargetPolicy } from "../../targets/targets.ts";
import type { EndpointSettings, EndpointTarget, SigningKey } from "../endpoint/endpoint.ts";
import { ownTextInParts, type QueuedNotification } from "../queued-notification.ts";
import type { Dialer } from "./dialer.ts";
import { beginExchange, type Exchange, type OnEnd } from "./exchange.ts";
import {
  glacierHeaders,
  headerList,
  hideValues,
  signatureOf,
  signedPrefix,
  signedValues,
  timestampOf,
  validKeys,
} from "./headers.ts";

/** What is sent. A test has the sequence 0. */
type PostedMessage = Pick<QueuedNotification, "messageId" | "sequence" | "eventText"> &
  Partial<Pick<QueuedNotification, "attemptsMade" | "trigger" | "ownText">>;

/** Where to send a message, and with which keys and headers. */
type Addressee = {
  readonly webhookId: string;
  readonly batch?: WebhookOptions["batch"] | undefined;
  /** Shares what takes long. */
  readonly account?: object;
  /** By which logs are decoded that are not yet. */
  readonly abi?: WebhookOptions["abi"] | undefined;
  /** Whose form the body has. It excludes `batch`. */
  readonly compatibility?: WebhookOptions["compatibility"] | undefined;
} & Readonly<Pick<EndpointSettings, "target" | "keys" | "sharedKeys" | "headers" | "operational">>;

/** Starts to send messages in one POST: exactly one, unless the webhook has batches. Never throws. `onEnd` may be called before it returns. */
export type Post = (addressee: Addressee, messages: readonly PostedMessage[], onEnd: OnEnd) => Exchange;

/** @param options.now the database's time, in ms since the epoch @param options.timeoutMs for the whole exchange */
export function createPost(options: {
  dialer: Dialer;
  policy: TargetPolicy;
  timeoutMs: number;
  now: () => number;
  tracing?: Tracing | undefined;
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
    { id, text, addressee }: { id: string; text: LargeBody["text"]; addressee: Addressee },
    { sequence, characters }: { sequence: string; characters: number },
    onEnd: OnEnd,
  ): Exchange => {
    let begun: Exchange | undefined;
    let isAborted = false;
    const { account = addressee, keys, sharedKeys, headers: own } = addressee;
    const work = { account, text, id, keys, sharedKeys, now };
    const cancel = largeBodies.prepare(work, ({ body, timestamp, signatures, more }) => {
      if (isAborted) return;
      const headers = [...headerList({ id, timestamp, signature: signatures, sequence }), ...more, ...own];
      begun = beginExchange(dialer, target, { headers, body }, timeoutMs, onEnd);
    });
    return {
      bytes: characters,
      isBegun: () => begun !== undefined,
      abort() {
        if (isAborted) return;
        isAborted = true;
        cancel();
        if (begun) begun.abort();
        else onEnd(undefined);
      },
    };
  };
  const post: Post = (addressee, messages, onOutcome) => {
    const { target, keys, sharedKeys, headers: own } = addressee;
    const onEnd = withoutValues(own, onOutcome);
    if (isRefused(target)) {
      onEnd({ errorClass: "blocked_address", durationMs: 0 });
      return { bytes: 0, abort: () => {} };
    }
    const { webhookId, batch, abi, compatibility, operational } = addressee;
    const [first] = messages;
    if (!first) throw new Error("there is nothing to send");
    const { messageId } = first;
    const sequence = String(first.sequence);
    const text = operational
      ? operationalText(operational, first, own)
      : compatibility
        ? inGlaciersForm({ webhookId, messageId, eventText: first.eventText })
        : inUsualForm(addressee, messages);
    const ownId = batch ? batchIdOf(messages.map((message) => message.messageId)) : messageId;
    const characters = typeof text === "string" ? text.length : charactersOf(messages, abi);
    if (typeof text !== "string" || characters > pieceCharacters)
      return postLarge(target, { id: ownId, text, addressee }, { sequence, characters }, onEnd);
    const body = Buffer.from(text);
    const nowMs = now();
    const { id, timestamp, signature } = signedValues(ownId, body, keys, nowMs);
    const headers = headerList({ id, timestamp, signature, sequence });
    if (compatibility) {
      const hashes = validKeys(sharedKeys, nowMs).map(({ key }) => createHmac("sha256", key).update(body));
      headers.push(...glacierHeaderList(hashes));
    }
    headers.push(...own);
    return beginExchange(dialer, target, { headers, body }, timeoutMs, onEnd);
  };
  return options.tracing ? traced(post, options.tracing) : post;
}

/** Hides what an endpoint repeats of the webhook's own headers: what it answered is on record, and nobody may read a value there. */
function withoutValues(own: readonly string[], onEnd: OnEnd): OnEnd {
  if (own.length === 0) return onEnd;
  return (outcome) =>
    onEnd(outcome?.body === undefined ? outcome : { ...outcome, body: hideValues(own, outcome.body) });
}

/** The body, or what makes a long one part by part: 188,000 characters take 4 ms. */
function inGlaciersForm(notification: Parameters<typeof glacierText>[0]): LargeBody["text"] {
  const isLong = notification.eventText.length > partCharacters;
  return isLong ? glacierTextInParts(notification) : glacierText(notification);
}

/** The body, or what decodes a long one part by part. */
function inUsualForm(
  { webhookId, batch, abi }: Pick<Addressee, "webhookId" | "batch" | "abi">,
  messages: readonly PostedMessage[],
): LargeBody["text"] {
  const bodyOf = (own: readonly Pick<PostedMessage, "messageId" | "eventText">[]) =>
    batch ? batchText(webhookId, own) : own.map((one) => notificationText({ webhookId, ...one })).join("");
  if (!abi) return bodyOf(messages);
  function* inParts(): Generator<undefined, string> {
    const own: Pick<PostedMessage, "messageId" | "eventText">[] = [];
    for (const message of messages)
      own.push({ messageId: message.messageId, eventText: yield* ownTextInParts(message, abi) });
    return bodyOf(own);
  }
  const toDecode = messages.reduce((sum, { ownText, eventText }) => sum + (ownText ? 0 : eventText.length), 0);
  return toDecode > partCharacters ? inParts() : atOnce(inParts());
}

/** About how many characters messages will have, of which some are not decoded yet. */
function charactersOf(messages: readonly PostedMessage[], abi: Addressee["abi"]): number {
  return messages.reduce((sum, { eventText, ownText }) => {
    const decoded = abi ? Math.min(eventText.length, decodingLimits.notification.text) : 0;
    return sum + (ownText?.length ?? eventText.length + decoded);
  }, 0);
}

/** An event's JSON begins with its transaction, and that with its block. */
const searchedCharacters = 400;

/** @returns a `post` that also adds each attempt to its block's trace. Tests, with the sequence 0, belong to no block. */
function traced(post: Post, tracing: Tracing): Post {
  return (endpoint, messages, onEnd) => {
    const from = performance.now();
    const ofBlocks = messages.flatMap((message) => {
      const blockHash = /"blockHash":"(0x[0-9a-f]{64})"/.exec(message.eventText.slice(0, searchedCharacters))?.[1];
      return message.sequence === 0 || blockHash === undefined ? [] : [{ blockHash, message }];
    });
    if (ofBlocks.length === 0) return post(endpoint, messages, onEnd);
    return post(endpoint, messages, (outcome) => {
      const error = outcome ? outcome.errorClass : "cut_off";
      for (const { blockHash, message } of ofBlocks)
        tracing.record({
          ...{ name: "deliver", blockHash, isClient: true, from, to: performance.now(), error },
          attributes: {
            ...attributesOf(endpoint, message),
            ...(outcome?.status !== undefined && { "http.response.status_code": outcome.status }),
            ...(error !== undefined && { "error.type": error }),
          },
        });
      onEnd(outcome);
    });
  };
}

function attributesOf(
  { webhookId, target }: Addressee,
  { messageId, sequence, attemptsMade = 0, trigger = "schedule" }: PostedMessage,
) {
  return {
    "messaging.message.id": messageId,
    "chain_webhooks.webhook_id": webhookId,
    "chain_webhooks.sequence": sequence,
    "chain_webhooks.attempt": attemptsMade + 1,
    "chain_webhooks.trigger": trigger,
    "http.request.method": "POST",
    // The path may contain a secret of the receiver's.
    "server.address": target.hostname,
  };
}

/** In characters: about a millisecond. A text without more is encoded and signed in one piece. */
const pieceCharacters = 262_144;

/** @property more further headers, names and values alternately */
type PreparedBody = { body: Buffer; timestamp: string; signatures: string; more: string[] };

/** What to encode and sign. */
type LargeBody = {
  /** Who waits for the others' turns. */
  account: object;
  /** The text, or what makes it part by part. */
  text: string | Generator<undefined, string>;
  /** What the message is signed as. */
  id: string;
  keys: readonly SigningKey[];
  /** Sign the body alone. */
  sharedKeys: readonly SigningKey[];
  /** The database's time, in ms since the epoch. */
  now: () => number;
};

/**
 * Makes, encodes and signs large bodies piece by piece, one piece in a pass of the event loop. In one piece, 22 MB would stop the process for
 * 40 ms on a quiet machine, and for a second on a busy one. Accounts with large bodies take turns, so that one waits for the others' next
 * pieces, and not for all that another one has.
 */
class LargeBodies {
  /** What each account has to prepare, in order; the accounts in the order of their turns. */
  readonly #waiting = new Map<object, Generator<undefined, void>[]>();
  #isScheduled = false;

  /** @param onPrepared called in a later pass @returns what ends the preparation before that */
  prepare(body: LargeBody, onPrepared: (prepared: PreparedBody) => void): () => void {
    const preparation = pieceByPiece(body, onPrepared);
    const own = this.#waiting.get(body.account);
    if (own) own.push(preparation);
    else this.#waiting.set(body.account, [preparation]);
    this.#schedule();
    return () => void preparation.return();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => this.#prepareNext());
  }

  /** Prepares one piece, of the account whose turn it is. */
  #prepareNext(): void {
    this.#isScheduled = false;
    const [[account, own] = []] = this.#waiting;
    if (!account || !own) return;
    this.#waiting.delete(account);
    if (own[0]?.next().done) own.shift();
    // After the others.
    if (own.length > 0) this.#waiting.set(account, own);
    this.#schedule();
  }
}

function* pieceByPiece(
  { text: given, id, keys, sharedKeys, now }: LargeBody,
  onPrepared: (prepared: PreparedBody) => void,
): Generator<undefined, void> {
  const text = typeof given === "string" ? given : yield* given;
  let bytes = 0;
  for (const piece of piecesOf(text)) {
    bytes += Buffer.byteLength(piece);
    yield;
  }
  const body = Buffer.allocUnsafeSlow(bytes);
  // Receivers refuse what was signed long ago, and the body may have waited for its turns.
  const nowMs = now();
  const timestamp = timestampOf(nowMs);
  const prefix = signedPrefix(id, timestamp);
  const hashes: Hmac[] = validKeys(keys, nowMs).map(({ key }) => createHmac("sha256", key).update(prefix));
  const sharedHashes: Hmac[] = validKeys(sharedKeys, nowMs).map(({ key }) => createHmac("sha256", key));
  let at = 0;
  for (const piece of piecesOf(text)) {
    const end = at + body.write(piece, at);
    for (const hash of [...hashes, ...sharedHashes]) hash.update(body.subarray(at, end));
    at = end;
    yield;
  }
  onPrepared({ body, timestamp, signatures: hashes.map(signatureOf).join(" "), more: glacierHeaderList(sharedHashes) });
}

const glacierHeaderList = (hashes: readonly Hmac[]) =>
  glacierHeaders(hashes.map((hash) => hash.digest("base64"))).flat();

/** Cuts no character in two: those outside the basic plane are two in a string. */
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const last = text.charCodeAt(at + pieceCharacters - 1);
    const end = at + pieceCharacters - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
    yield text.slice(at, end);
    at = end;
  }
}
