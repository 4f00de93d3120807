/** Sends a test as the contract says: its example, signed, and the outcome. */
import { createHash, createHmac, randomUUID } from "node:crypto";
import glacier from "chain-webhooks/examples/glacier-notification.token-transfers.json" with { type: "json" };
import notification from "chain-webhooks/examples/notification.native-transfer.json" with { type: "json" };
import withTransfers from "chain-webhooks/examples/notification.token-transfers.json" with { type: "json" };
import { signNotification } from "chain-webhooks/receiver";
import type { components } from "chain-webhooks/types";
import { assertHasUrl } from "chain-webhooks-tools/server";
import { type Signing, type Stored, secretsOf } from "./store.ts";

/** @param shared what also signs the notifications of webhooks with a `compatibility` */
export async function sendTest(stored: Stored, shared: Signing): Promise<components["schemas"]["TestResult"]> {
  const { record } = stored;
  assertHasUrl(record, "A test");
  const { id: webhookId, url, chainId, includeLogs, includeInternalTxs, finality, metadata, compatibility } = record;
  const usual = metadata.includeTransfers ? withTransfers : notification;
  const { value: example } = compatibility ? glacier : usual;
  const messageId = randomUUID();
  const transaction = {
    ...{ ...example.event.transaction, chainId },
    ...(includeInternalTxs && { internalTransactions: [] }),
  };
  const logs = "logs" in example.event ? example.event.logs : [];
  const sent = {
    ...example,
    webhookId,
    messageId,
    event: { ...depthOf(finality), transaction, ...(includeLogs && { logs }) },
  };
  const [id, body] = metadata.batch
    ? [batchIdOf(messageId), JSON.stringify([sent])]
    : [messageId, JSON.stringify(compatibility ? sorted(sent) : sent)];
  return post(stored, { url, id, messageId, body, more: compatibility ? glaciersSignatures(body, shared) : {} });
}

type Sent = { url: string; id: string; messageId: string; body: string; more?: Record<string, string> };

/** Signs a body, sends it once, and returns the outcome. @param sent.id the `webhook-id` */
export async function post(
  sender: Signing & Pick<Stored, "headers">,
  { url, id, messageId, body, more = {} }: Sent,
): Promise<components["schemas"]["TestResult"]> {
  const sentAt = Date.now();
  const timestamp = Math.floor(sentAt / 1000);
  const signing = secretsOf(sender).map((secret) => signNotification({ id, timestamp, body, secret }));
  const headers = {
    ...Object.fromEntries(sender.headers),
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": (await Promise.all(signing)).join(" "),
    "webhook-sequence": "0",
    ...more,
  };
  const request = { method: "POST", headers, body, redirect: "manual", signal: AbortSignal.timeout(10_000) } as const;
  const result = { messageId, sentAt };
  try {
    const answer = await fetch(url, request);
    const { ok: delivered, status: responseStatus } = answer;
    const body = Buffer.from(await answer.arrayBuffer())
      .subarray(0, 1024)
      .toString();
    const why = { ...(body && { responseBody: body }), ...(!delivered && { errorClass: "bad_status" as const }) };
    return { ...result, delivered, durationMs: Date.now() - sentAt, responseStatus, ...why };
  } catch (error) {
    return { ...result, delivered: false, durationMs: Date.now() - sentAt, errorClass: classOf(error as Error) };
  }
}

/** For canonical JSON (RFC 8785). */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, inner]) => [name, sorted(inner)]));
}

function glaciersSignatures(body: string, shared: Signing): Record<string, string> {
  const names = ["x-signature", "x-signature-previous"];
  const signatures = secretsOf(shared).map((secret) =>
    createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
      .update(body)
      .digest("base64"),
  );
  return Object.fromEntries(signatures.map((signature, index) => [names[index], signature]));
}

/** What an event says of how deep its block is. */
function depthOf(finality: Stored["record"]["finality"]): { finalized?: boolean; confirmations?: number } {
  if (finality === undefined) return {};
  if (typeof finality === "object") return { confirmations: Number(finality.confirmations) };
  return finality === "both" ? { confirmations: 0 } : { finalized: true, confirmations: 64 };
}

/** A UUIDv5, so that a batch has the same id whenever it is sent. */
function batchIdOf(messageIds: string): string {
  const digest = createHash("sha1").update(`a namespace of our own ${messageIds}`).digest("hex");
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, "$1-$2-5$3-8$4-$5");
}

function classOf({ name, cause }: Error): components["schemas"]["ErrorClass"] {
  if (name === "TimeoutError") return "timeout";
  const code = String((cause as { code?: unknown } | undefined)?.code);
  if (code === "ECONNREFUSED") return "connection_refused";
  if (/^(ENOTFOUND|EAI_)/.test(code)) return "dns_error";
  return /CERT|TLS|SSL/.test(code) ? "tls_error" : "connection_reset";
}
