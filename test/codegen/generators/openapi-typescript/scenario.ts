/** The scenario with openapi-fetch on the types of openapi-typescript. */
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { components, paths, webhooks } from "./client/schema.js";

type Notified = webhooks["addressActivity"]["post"];
type Notification = Notified["requestBody"]["content"]["application/json"];

const { BASE_URL = "", API_KEY = "", NOTIFICATION = "", HEADERS = "" } = process.env;
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { "x-service-api-key": API_KEY } });

function expected<T>(answer: { data?: T; error?: components["schemas"]["ApiError"] }): T {
  if (answer.data === undefined) throw new Error(answer.error?.message ?? "An answer without a body.");
  return answer.data;
}

function refused(answer: { error?: components["schemas"]["ApiError"] }): components["schemas"]["ApiError"] {
  if (answer.error === undefined) throw new Error("It was not refused.");
  return answer.error;
}

const body = (name: string, chainId = "43112"): components["schemas"]["WebhookCreate"] => ({
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
for (const name of ["one", "two", "three", "four", "five"])
  created.push(expected(await client.POST("/v1/webhooks", { body: body(name) })).id);
const path = { id: created[0] ?? "" };
const read = expected(await client.GET("/v1/webhooks/{id}", { params: { path } }));
const updated = expected(
  await client.PATCH("/v1/webhooks/{id}", { params: { path }, body: { name: "renamed", status: "inactive" } }),
);

const pages: string[][] = [];
let pageToken: string | undefined;
do {
  const query = { pageSize: 2, ...(pageToken !== undefined && { pageToken }) };
  const page = expected(await client.GET("/v1/webhooks", { params: { query } }));
  pages.push(page.webhooks.map(({ id }) => id));
  pageToken = page.nextPageToken;
} while (pageToken);

const badRequest = refused(await client.POST("/v1/webhooks", { body: body("nowhere", "999999") }));
const deleted = expected(await client.DELETE("/v1/webhooks/{id}", { params: { path } }));
const gone = refused(await client.GET("/v1/webhooks/{id}", { params: { path } }));

const { event }: Notification = JSON.parse(readFileSync(NOTIFICATION, "utf8")).value;
const log = event.logs?.[0];
if (log === undefined) throw new Error("The notification has no log.");
const headers: Notified["parameters"]["header"] = JSON.parse(readFileSync(HEADERS, "utf8"));
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
