/** A UUID may be written in any letter case (RFC 9562): every operation takes it so, and answers with it in lower case. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { operationTable } from "../../generated/operations.ts";
import { type Api, address, newWebhook, startApi } from "../support/api.ts";
import { record } from "../support/sent.ts";

let api: Api;
let path: Record<string, string>;
beforeAll(async () => {
  api = await startApi();
  const { body } = await api.call("POST", "/v1/webhooks", { body: newWebhook() });
  const [messageId = ""] = await record(api.pool, body.id, 1);
  const range = { fromBlock: "1", toBlock: "2", includeEarlier: true };
  const replay = await api.call("POST", `/v1/webhooks/${body.id}/replays`, { body: range });
  path = { id: body.id, messageId, replayId: replay.body.id, changeId: "3c6c2a4e-7d0b-4f0a-9a64-0d3f5a1b8e21" };
});
afterAll(() => api.close());

const bodies: Record<string, unknown> = {
  updateWebhook: {},
  addWebhookAddresses: { addresses: [address(2)] },
  removeWebhookAddresses: { addresses: [address(2)] },
  changeWebhookAddresses: { add: [address(2)] },
  createReplay: { fromBlock: "1", toBlock: "2", includeEarlier: true },
};

const operations = Object.entries(operationTable).filter(
  // A test waits for an endpoint, an explanation for a node, and nobody delivers or follows here.
  ([operation, { path: template }]) => template.includes("{") && !/^(testWebhook|explainWebhook)$/.test(operation),
);
// What deletes the webhook comes last.
const inOrder = operations.sort(([a], [b]) => Number(a === "deleteWebhook") - Number(b === "deleteWebhook"));

test.each(inOrder)(
  "%s takes identifiers in upper case and answers in lower case",
  async (operation, { method, path: template }) => {
    const upper = template.replace(/{(\w+)}/g, (_, name: string) => path[name]?.toUpperCase() ?? "");
    const reply = await api.call(method.toUpperCase(), upper, { body: bodies[operation] });
    expect([operation, reply.status]).toEqual([operation, expect.toSatisfy((status: number) => status < 300)]);
    const answered = `${JSON.stringify(reply.body)} ${reply.headers.get("location")}`;
    for (const value of Object.values(path)) expect(answered).not.toContain(value.toUpperCase());
  },
);

test("an unknown identifier of mixed case is reported in lower case", async () => {
  const { status, body } = await api.call("GET", "/v1/webhooks/6D1bbe40-2a4b-4c0e-8f0a-5E7F5B1D2C3A");
  expect([status, body.message]).toEqual([404, "There is no webhook 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a."]);
});
