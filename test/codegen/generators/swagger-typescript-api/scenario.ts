/** The scenario with the client of swagger-typescript-api. */
import { readFileSync } from "node:fs";
import type { AddressActivityHeaders, AddressActivityNotification, ApiError, WebhookCreate } from "./client/Api.js";
import { Api, EventType, WebhookStatus } from "./client/Api.js";

const { BASE_URL = "", API_KEY = "", NOTIFICATION = "", HEADERS = "" } = process.env;
const { v1 } = new Api({ baseUrl: BASE_URL, baseApiParams: { headers: { "x-service-api-key": API_KEY } } });

const body = (name: string, chainId = "43112"): WebhookCreate => ({
  url: "https://example.com/hooks",
  chainId,
  eventType: EventType.AddressActivity,
  metadata: {
    addresses: ["0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85"],
    includeLogs: true,
    conditions: { field: "transaction.value", op: "in", value: ["1", "2"] },
  },
  name,
  finality: "finalized",
});

/** What the client throws is the answer, with the error's body as `error`. */
const refused = (asked: Promise<unknown>): Promise<ApiError> =>
  asked.then(
    () => Promise.reject(new Error("It was not refused.")),
    (answer: { error: ApiError }) => answer.error,
  );

const created: string[] = [];
for (const name of ["one", "two", "three", "four", "five"]) created.push((await v1.createWebhook(body(name))).data.id);
const id = created[0] ?? "";
const { data: read } = await v1.getWebhook(id);
const { data: updated } = await v1.updateWebhook(id, { name: "renamed", status: WebhookStatus.Inactive });

const pages: string[][] = [];
let pageToken: string | undefined;
do {
  const { data: page } = await v1.listWebhooks({ pageSize: 2, ...(pageToken !== undefined && { pageToken }) });
  pages.push(page.webhooks.map((webhook) => webhook.id));
  pageToken = page.nextPageToken;
} while (pageToken);

const badRequest = await refused(v1.createWebhook(body("nowhere", "999999")));
const { data: deleted } = await v1.deleteWebhook(id);
const gone = await refused(v1.getWebhook(id));

const { event }: AddressActivityNotification = JSON.parse(readFileSync(NOTIFICATION, "utf8")).value;
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
