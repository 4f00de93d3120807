/** The scenario with openapi-zod-client's client, which checks with zod what it sends and what it reads. */
import { readFileSync } from "node:fs";
import { isErrorFromAlias } from "@zodios/core";
import type { z } from "zod";
import { createApiClient, schemas, api as shape } from "./client/client.js";

const { BASE_URL = "", API_KEY = "", NOTIFICATION = "", HEADERS = "" } = process.env;
const api = createApiClient(BASE_URL, { axiosConfig: { headers: { "x-service-api-key": API_KEY } } });

const body = (name: string, chainId = "43112"): z.input<typeof schemas.WebhookCreate> => ({
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

async function refused(
  alias: "createWebhook" | "getWebhook",
  asked: Promise<unknown>,
): Promise<z.infer<typeof schemas.ApiError>> {
  try {
    await asked;
  } catch (error) {
    if (isErrorFromAlias(shape.api, alias, error)) return error.response.data;
    throw error;
  }
  throw new Error("It was not refused.");
}

const created: string[] = [];
for (const name of ["one", "two", "three", "four", "five"]) created.push((await api.createWebhook(body(name))).id);
const params = { id: created[0] ?? "" };
const read = await api.getWebhook({ params });
const updated = await api.updateWebhook({ name: "renamed", status: "inactive" }, { params });

const pages: string[][] = [];
let pageToken: string | undefined;
do {
  const page = await api.listWebhooks({ queries: { pageSize: 2, pageToken } });
  pages.push(page.webhooks.map(({ id }) => id));
  pageToken = page.nextPageToken;
} while (pageToken);

const badRequest = await refused("createWebhook", api.createWebhook(body("nowhere", "999999")));
const deleted = await api.deleteWebhook(undefined, { params });
const gone = await refused("getWebhook", api.getWebhook({ params }));

const { event } = schemas.AddressActivityNotification.parse(JSON.parse(readFileSync(NOTIFICATION, "utf8")).value);
const log = event.logs?.[0];
if (log === undefined) throw new Error("The notification has no log.");
const headers = schemas.AddressActivityHeaders.parse(JSON.parse(readFileSync(HEADERS, "utf8")));
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
