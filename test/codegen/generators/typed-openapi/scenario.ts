/** The scenario with the client of typed-openapi, and a fetcher of the program's own. */
import { readFileSync } from "node:fs";
import { createApiClient, type Schemas } from "./client/client.js";

const { BASE_URL = "", API_KEY = "", NOTIFICATION = "", HEADERS = "" } = process.env;
const api = createApiClient(
  {
    fetch: ({ method, url, urlSearchParams, parameters }) => {
      if (urlSearchParams) url.search = urlSearchParams.toString();
      const headers = { "x-service-api-key": API_KEY, "content-type": "application/json" };
      const body = parameters?.body === undefined ? null : JSON.stringify(parameters.body);
      return fetch(url, { method: method.toUpperCase(), headers, body });
    },
  },
  BASE_URL,
);

const body = (name: string, chainId = "43112"): Schemas.WebhookCreate => ({
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
  created.push((await api.post("/v1/webhooks", { header: {}, body: body(name) })).id);
const path = { id: created[0] ?? "" };
const read = await api.get("/v1/webhooks/{id}", { path });
const updated = await api.patch("/v1/webhooks/{id}", { path, body: { name: "renamed", status: "inactive" } });

const pages: string[][] = [];
let pageToken: string | undefined;
do {
  const query = { pageSize: 2, ...(pageToken !== undefined && { pageToken }) };
  const page = await api.get("/v1/webhooks", { query });
  pages.push(page.webhooks.map(({ id }) => id));
  pageToken = page.nextPageToken;
} while (pageToken);

const badRequest = await api.post("/v1/webhooks", { header: {}, body: body("nowhere", "999999"), withResponse: true });
if (badRequest.status !== 400) throw new Error("It was not refused.");
const deleted = await api.delete("/v1/webhooks/{id}", { path });
const gone = await api.get("/v1/webhooks/{id}", { path, withResponse: true });
if (gone.status !== 404) throw new Error("It is still there.");

const { event }: Schemas.AddressActivityNotification = JSON.parse(readFileSync(NOTIFICATION, "utf8")).value;
const log = event.logs?.[0];
if (log === undefined) throw new Error("The notification has no log.");
const headers: Schemas.AddressActivityHeaders = JSON.parse(readFileSync(HEADERS, "utf8"));
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
    badRequest: badRequest.data,
    deleted: { id: deleted.id, status: deleted.status },
    gone: gone.data,
    notification: {
      txHash: event.transaction.txHash,
      blockTimestamp: event.transaction.blockTimestamp,
      topics: [log.topic0, log.topic3],
    },
    headers: { id: headers["webhook-id"], sequence: headers["webhook-sequence"] },
  }),
);
