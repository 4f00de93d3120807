/** Makes the mock's POSTs where there are no sockets: signed as the service signs them, and given to a function. */
import { encodeBase64 } from "../../../../client/receiver/bytes.ts";
import { signNotification } from "../../../../client/receiver/signature.ts";
import { errorClassOf } from "../../../../server/delivery/send/dialer.ts";
import type { Outcome } from "../../../../server/delivery/send/exchange.ts";
import { glacierHeaders, headersOf } from "../../../../server/delivery/send/headers.ts";
import { batchText, notificationText } from "../../../../server/matching/event.ts";
import { glacierText } from "../../../../server/matching/glacier.ts";
import { batchIdOf } from "../../../../server/matching/message-id.ts";
import { defaultPeriods } from "../../../../server/settings/periods.ts";
import type { MockWebhook } from "../state/records.ts";
import type { Message, Signing, Transport } from "../state/sender.ts";
import type { Deliver } from "../types.ts";

/** As much of an answer is on record. */
const keptCharacters = 1_024;

export function createPageTransport(deliver: Deliver | undefined): Transport {
  let ending = new AbortController();
  const abort = () => {
    ending.abort();
    ending = new AbortController();
  };
  return {
    async post(webhook, messages, signing) {
      if (!deliver) return { errorClass: "blocked_address", durationMs: 0 };
      const aborted = ending.signal;
      const startedAt = performance.now();
      const ended = (outcome: Omit<Outcome, "durationMs">): Outcome | undefined =>
        aborted.aborted ? undefined : { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
      const late = AbortSignal.timeout(defaultPeriods.timeoutMs);
      const signal = AbortSignal.any([aborted, late]);
      try {
        const request = await signedRequest(webhook, messages, signing, signal);
        return ended(await Promise.race([answerOf(deliver, request), whenAborted(signal)]));
      } catch (error) {
        return ended({ errorClass: late.aborted ? "timeout" : errorClassOf(error) });
      }
    },
    abort,
    close: async () => abort(),
  };
}

async function signedRequest(
  { record }: MockWebhook,
  messages: readonly Message[],
  { secrets, sharedSecrets }: Signing,
  signal: AbortSignal,
): Promise<Request> {
  const { id: webhookId, url, metadata, compatibility } = record;
  const [first] = messages;
  if (!first) throw new Error("there is nothing to send");
  const textOf = compatibility ? glacierText : notificationText;
  const body = metadata.batch ? batchText(webhookId, messages) : textOf({ webhookId, ...first });
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
  const headers = { ...headersOf(values), ...Object.fromEntries(glacierHeaders(shared)) };
  return new Request(url, { method: "POST", headers, body, redirect: "manual", signal });
}

/** @param secret in hex @returns the HMAC-SHA-256 in base64 */
async function sharedSignature(body: string, secret: string): Promise<string> {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", Uint8Array.from(Buffer.from(secret, "hex")), hmac, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(body));
  return encodeBase64(new Uint8Array(signature));
}

async function answerOf(deliver: Deliver, request: Request): Promise<Omit<Outcome, "durationMs">> {
  const response = await deliver(request);
  const { status, ok, headers } = response;
  // A page is not shown a redirection.
  if (status === 0) return { errorClass: "invalid_response" };
  const text = (await response.text()).slice(0, keptCharacters).replaceAll("\0", "\uFFFD");
  const retryAfter = headers.get("retry-after");
  return {
    ...(!ok && { errorClass: "bad_status" as const }),
    status,
    ...(text !== "" && { body: text }),
    ...(retryAfter !== null && { retryAfter }),
  };
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
