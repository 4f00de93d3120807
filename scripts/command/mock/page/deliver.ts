/** Makes the mock's POSTs where there are no sockets: signed as the service signs them, and given to a function. */
import { encodeBase64 } from "../../../../client/receiver/bytes.ts";
import { signNotification } from "../../../../client/receiver/signature.ts";
import type { Outcome } from "../../../../server/delivery/send/exchange.ts";
import { glacierHeaders, headersOf, hideValues } from "../../../../server/delivery/send/headers.ts";
import { errorClassOf } from "../../../../server/delivery/send/lookup.ts";
import { batchText, notificationText } from "../../../../server/matching/event.ts";
import { glacierText } from "../../../../server/matching/glacier.ts";
import { batchIdOf } from "../../../../server/matching/message-id.ts";
import { operationalText } from "../../../../server/operational/forms.ts";
import { defaultPeriods } from "../../../../server/settings/periods.ts";
import type { Message, SendableRecord, Signing, Transport } from "../state/sender.ts";
import type { Deliver } from "../types.ts";

/** In bytes, as of an endpoint's answer: no more is read of its body, and the first of them are on record. */
const readAtMost = 16 * 1_024;
const keptAtMost = 1_024;

/** @param say called with what `deliver` threw, which no record has */
export function createPageTransport(deliver: Deliver | undefined, say: (line: string) => void): Transport {
  let ending = new AbortController();
  let isClosed = false;
  const abort = () => {
    ending.abort();
    ending = new AbortController();
  };
  return {
    async post(webhook, messages, signing) {
      // A handler may outlive the mock.
      if (isClosed) return undefined;
      if (!deliver) return { errorClass: "blocked_address", durationMs: 0 };
      const aborted = ending.signal;
      const startedAt = performance.now();
      const ended = (outcome: Omit<Outcome, "durationMs">): Outcome | undefined =>
        aborted.aborted ? undefined : { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
      const late = AbortSignal.timeout(defaultPeriods.timeoutMs);
      const signal = AbortSignal.any([aborted, late]);
      const aborting = whenAborted(signal);
      try {
        const request = await signedRequest(webhook, messages, signing, signal);
        signal.throwIfAborted();
        const response = await Promise.race([deliver(request), aborting]);
        if (!isResponse(response)) {
          say(`deliver answered ${response === null ? "null" : typeof response}, which is no Response`);
          return ended({ errorClass: "invalid_response" });
        }
        const outcome = await outcomeOf(response, aborting);
        const { body } = outcome;
        return ended(body === undefined ? outcome : { ...outcome, body: hideValues(signing.headers.flat(), body) });
      } catch (error) {
        if (!signal.aborted) say(`deliver failed: ${messagesOf(error)}`);
        return ended({ errorClass: classOf(error) });
      }
    },
    abort,
    async close() {
      isClosed = true;
      abort();
    },
  };
}

async function signedRequest(
  { id: webhookId, url, metadata, compatibility, operational }: SendableRecord,
  messages: readonly Message[],
  { secrets, sharedSecrets, headers: own }: Signing,
  signal: AbortSignal,
): Promise<Request> {
  const [first] = messages;
  if (!first) throw new Error("there is nothing to send");
  const textOf = compatibility ? glacierText : notificationText;
  const body = operational
    ? operationalText(operational, first, own.flat())
    : metadata.batch
      ? batchText(webhookId, messages)
      : textOf({ webhookId, ...first });
  const id = metadata.batch ? batchIdOf(messages.map(({ messageId }) => messageId)) : first.messageId;
  const timestamp = Math.floor(Date.now() / 1000);
  const signatures = await Promise.all(secrets.map((secret) => signNotification({ id, timestamp, body, secret })));
  const values = {
    id,
    timestamp: String(timestamp),
    signature: signatures.join(" "),
    sequence: String(first.sequence),
  };
  const shared = compatibility ? await Promise.all(sharedSecrets.map((secret) => sharedSignature(body, secret))) : [];
  const headers = { ...Object.fromEntries(own), ...headersOf(values), ...Object.fromEntries(glacierHeaders(shared)) };
  return new Request(url, { method: "POST", headers, body, redirect: "manual", signal });
}

/** @param secret in hex @returns the HMAC-SHA-256 in base64 */
async function sharedSignature(body: string, secret: string): Promise<string> {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", Uint8Array.from(Buffer.from(secret, "hex")), hmac, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(body));
  return encodeBase64(new Uint8Array(signature));
}

/** Of another realm, or a library's own, it is no instance of this one's class. */
function isResponse(answer: unknown): answer is Response {
  return typeof answer === "object" && answer !== null && "status" in answer && "headers" in answer;
}

/** As of an endpoint, the status decides: whatever becomes of its body, a 2xx is a success. */
async function outcomeOf(response: Response, aborting: Promise<never>): Promise<Omit<Outcome, "durationMs">> {
  const { status, ok, headers, type } = response;
  if (type === "error") return { errorClass: "connection_reset" };
  // A page is not shown a redirection.
  if (status === 0) return { errorClass: "invalid_response" };
  const { text, error } = await beginningOf(response, aborting);
  const retryAfter = headers.get("retry-after");
  return {
    ...(!ok && { errorClass: error === undefined ? ("bad_status" as const) : classOf(error) }),
    status,
    ...(text !== "" && { body: text }),
    ...(retryAfter !== null && { retryAfter }),
  };
}

/** @returns what came of the body, and the error that ended it */
async function beginningOf(response: Response, aborting: Promise<never>): Promise<{ text: string; error?: unknown }> {
  const kept = new Uint8Array(keptAtMost);
  let read = 0;
  const shown = () =>
    new TextDecoder("utf-8", { ignoreBOM: true })
      .decode(kept.subarray(0, Math.min(read, keptAtMost)))
      .replaceAll("\0", "\uFFFD");
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    reader = response.body?.getReader();
    while (reader && read < readAtMost) {
      const { done, value } = await Promise.race([reader.read(), aborting]);
      if (done) return { text: shown() };
      if (read < keptAtMost) kept.set(value.subarray(0, keptAtMost - read), read);
      read += value.length;
    }
    return { text: shown() };
  } catch (error) {
    return { text: shown(), error };
  } finally {
    // What gave the body learns that no more is wanted; what it says to that is of no use.
    reader?.cancel().catch(() => undefined);
  }
}

/** An end by the time limit has a name, and no code. */
const classOf = (error: unknown) =>
  error instanceof DOMException && error.name === "TimeoutError" ? "timeout" : errorClassOf(error);

/** `fetch` says only that it failed, and its cause why. */
function messagesOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function whenAborted(signal: AbortSignal): Promise<never> {
  const aborting = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  // It may be that nothing waits for it.
  aborting.catch(() => undefined);
  return aborting;
}
