/** The scenario with orval's fetch client. */
import { readFileSync } from "node:fs";
import type { AddressActivityHeaders, AddressActivityNotification, WebhookCreate } from "./client/client.js";
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from "./client/client.js";

const { BASE_URL = "", API_KEY = "", NOTIFICATION = "", HEADERS = "" } = process.env;
// The client asks for paths; where they are, and the key, is for the program's fetch to know.
const plainFetch = fetch;
globalThis.fetch = (path, init) => {
  const headers = new Headers(init?.headers);
  headers.set("x-service-api-key", API_KEY);
  return plainFetch(new URL(String(path), BASE_URL), { ...init, headers });
};

const body = (name: string, chainId = "43112"): WebhookCreate => ({
  url: "https://example.com/hooks",
  chainId,
  eventType: "address_activity",
  metadata: {
    addresses: ["0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85"],
    includeLogs: true,
    conditions: { field: "transaction.value", op: "in", value: ["1", "2"] },
  },
  name,
  finality: "finalized",
});

const created: string[] = [];
for (const name of ["one", "two", "three", "four", "five"]) {
  const answer = await createWebhook(body(name));
  if (answer.status !== 201) throw new Error(answer.data.message);
  created.push(answer.data.id);
}
const id = created[0] ?? "";
const read = await getWebhook(id);
if (read.status !== 200) throw new Error(read.data.message);
const updated = await updateWebhook(id, { name: "renamed", status: "inactive" });
if (updated.status !== 200) throw new Error(updated.data.message);

const pages: string[][] = [];
let pageToken: string | undefined;
do {
  const page = await listWebhooks({ pageSize: 2, pageToken });
  if (page.status !== 200) throw new Error(page.data.message);
  pages.push(page.data.webhooks.map((webhook) => webhook.id));
  pageToken = page.data.nextPageToken;
} while (pageToken);

const badRequest = await createWebhook(body("nowhere", "999999"));
if (badRequest.status !== 400) throw new Error("It was not refused.");
const deleted = await deleteWebhook(id);
if (deleted.status !== 200) throw new Error(deleted.data.message);
const gone = await getWebhook(id);
if (gone.status !== 404) throw new Error("It is still there.");

const { event }: AddressActivityNotification = JSON.parse(readFileSync(NOTIFICATION, "utf8")).value;
const log = event.logs?.[0];
if (log === undefined) throw new Error("The notification has no log.");
const headers: AddressActivityHeaders = JSON.parse(readFileSync(HEADERS, "utf8"));
const { name, createdAt, metadata, finality } = read.data;
console.log(
  JSON.stringify({
    created,
    read: {
      id: read.data.id,
      name,
      createdAt,
      address: metadata.addresses[0],
      conditions: metadata.conditions,
      finality,
    },
    updated: { id: updated.data.id, name: updated.data.name, status: updated.data.status },
    pages,
    badRequest: badRequest.data,
    deleted: { id: deleted.data.id, status: deleted.data.status },
    gone: gone.data,
    notification: {
      txHash: event.transaction.txHash,
      blockTimestamp: event.transaction.blockTimestamp,
      topics: [log.topic0, log.topic3],
    },
    headers: { id: headers["webhook-id"], sequence: headers["webhook-sequence"] },
  }),
);
