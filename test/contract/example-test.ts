/** Sends a test as the contract says: the contract's example, signed, and what came of it. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { type AddressActivityNotification, signNotification } from "../../client/receiver/index.ts";
import type { components } from "../../generated/types.ts";
import { headersOf } from "../../server/delivery/headers.ts";
import { type Stored, secretsOf } from "./example-store.ts";

const file = new URL("../../openapi/examples/notification.native-transfer.json", import.meta.url);
const { value: example } = JSON.parse(readFileSync(file, "utf8")) as { value: AddressActivityNotification };

/** Sends it. */
export async function sendTest(stored: Stored): Promise<components["schemas"]["TestResult"]> {
  const { id: webhookId, url, chainId, includeLogs } = stored.record;
  const [messageId, sentAt] = [randomUUID(), Date.now()];
  const transaction = { ...example.event.transaction, chainId };
  const event = { transaction, ...(includeLogs && { logs: [] }) };
  const body = JSON.stringify({ ...example, webhookId, messageId, event } satisfies AddressActivityNotification);
  const timestamp = Math.floor(sentAt / 1000);
  const signing = secretsOf(stored).map((secret) => signNotification({ id: messageId, timestamp, body, secret }));
  const signature = (await Promise.all(signing)).join(" ");
  const headers = headersOf({ id: messageId, timestamp: String(timestamp), signature, sequence: "0" });
  const request = { method: "POST", headers, body, redirect: "manual", signal: AbortSignal.timeout(10_000) } as const;
  const result = { messageId, sentAt };
  try {
    const answer = await fetch(url, request);
    const { ok: delivered, status: responseStatus } = answer;
    const body = (await answer.text()).slice(0, 1024);
    const why = { ...(body && { responseBody: body }), ...(!delivered && { errorClass: "bad_status" as const }) };
    return { ...result, delivered, durationMs: Date.now() - sentAt, responseStatus, ...why };
  } catch {
    return { ...result, delivered: false, durationMs: Date.now() - sentAt, errorClass: "connection_refused" };
  }
}
