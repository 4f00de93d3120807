/** The scenario with the client of @hey-api/openapi-ts. */
import { readFileSync } from "node:fs";
import { client } from "./client/client.gen.js";
import type { AddressActivityHeaders, AddressActivityWebhookPayload, ApiError, WebhookCreate } from "./client/index.js";
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from "./client/index.js";

const { BASE_URL = "", API_KEY = "", NOTIFICATION = "", HEADERS = "" } = process.env;
client.setConfig({ baseUrl: BASE_URL, auth: API_KEY });

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

function refused({ error }: { error?: ApiError }): ApiError {
  if (error === undefined) throw new Error("It was not refused.");
  return error;
}

const created: string[] = [];
for (const name of ["one", "two", "three", "four", "five"])
  created.push((await createWebhook({ body: body(name), throwOnError: true })).data.id);
const path = { id: created[0] ?? "" };
const { data: read } = await getWebhook({ path, throwOnError: true });
const { data: updated } = await updateWebhook({
  path,
  body: { name: "renamed", status: "inactive" },
  throwOnError: true,
});

const pages: string[][] = [];
let pageToken: string | undefined;
do {
  const { data: page } = await listWebhooks({ query: { pageSize: 2, pageToken }, throwOnError: true });
  pages.push(page.webhooks.map(({ id }) => id));
  pageToken = page.nextPageToken;
} while (pageToken);

const badRequest = refused(await createWebhook({ body: body("nowhere", "999999") }));
const { data: deleted } = await deleteWebhook({ path, throwOnError: true });
const gone = refused(await getWebhook({ path }));

const { event }: AddressActivityWebhookPayload = JSON.parse(readFileSync(NOTIFICATION, "utf8")).value;
const log = event.logs?.[0];
if (log === undefined) throw new Error("The notification has no log.");
const headers: AddressActivityHeaders = JSON.parse(readFileSync(HEADERS, "utf8"));
console.log(
  JSON.stringify({
    created,
    read: {
      id: read.id,
      name: read.name,
      createdAt: read.createdAt,
      address: read.metadata.addresses[0],
      conditions: read.metadata.conditions,
      finality: read.finality,
    },
    updated: { id: updated.id, name: updated.name, status: updated.status },
    pages,
    badRequest,
    deleted: { id: deleted.id, status: deleted.status },
    gone,
    notification: {
      txHash: event.transaction.txHash,
      blockTimestamp: event.transaction.blockTimestamp,
      topics: [log.topic0, log.topic3],
    },
    headers: { id: headers["webhook-id"], sequence: headers["webhook-sequence"] },
  }),
);
