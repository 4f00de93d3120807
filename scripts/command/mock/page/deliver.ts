/** Makes the mock's POSTs where there are no sockets: signed as the service signs them, and given to a function. */
import { signNotification } from "../../../../client/receiver/signature.ts";
import { errorClassOf } from "../../../../server/delivery/send/dialer.ts";
import type { Outcome } from "../../../../server/delivery/send/exchange.ts";
import { headersOf } from "../../../../server/delivery/send/headers.ts";
import { batchText, notificationText } from "../../../../server/matching/event.ts";
import { batchIdOf } from "../../../../server/matching/message-id.ts";
import { defaultPeriods } from "../../../../server/settings/periods.ts";
import type { MockWebhook } from "../state/records.ts";
import type { Message, Transport } from "../state/sender.ts";
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
    async post(webhook, messages, secrets) {
      if (!deliver) return { errorClass: "blocked_address", durationMs: 0 };
      const aborted = ending.signal;
      const startedAt = performance.now();
      const ended = (outcome: Omit<Outcome, "durationMs">): Outcome | undefined =>
        aborted.aborted ? undefined : { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
      const late = AbortSignal.timeout(defaultPeriods.timeoutMs);
      const signal = AbortSignal.any([aborted, late]);
      try {
        const request = await signedRequest(webhook, messages, secrets, signal);
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
  secrets: readonly string[],
  signal: AbortSignal,
): Promise<Request> {
  const { id: webhookId, url, metadata } = record;
  const [first] = messages;
  if (!first) throw new Error("there is nothing to send");
  const body = metadata.batch ? batchText(webhookId, messages) : notificationText({ webhookId, ...first });
  const id = metadata.batch ? batchIdOf(messages.map(({ messageId }) => messageId)) : first.messageId;
  const timestamp = Math.floor(Date.now() / 1000);
  const signatures = await Promise.all(secrets.map((secret) => signNotification({ id, timestamp, body, secret })));
  const values = {
    id,
    timestamp: String(timestamp),
    signature: signatures.join(" "),
    sequence: String(first.sequence),
  };
  return new Request(url, { method: "POST", headers: headersOf(values), body, redirect: "manual", signal });
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
