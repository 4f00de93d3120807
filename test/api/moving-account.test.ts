/** What the API answers to an account that moves to another cell: nothing that could be misread, and no write is lost. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { operationTable } from "../../generated/operations.ts";
import { type Api, address, newWebhook, startApi } from "../support/api.ts";

let api: Api;
let id: string;
beforeAll(async () => {
  api = await startApi();
  ({
    body: { id },
  } = await api.call("POST", "/v1/webhooks", { body: newWebhook() }));
  await api.call("PUT", "/v1/operational-webhook", { body: {} });
});
afterAll(() => api.close());

const setState = (state: string | null) =>
  api.pool.query("UPDATE accounts SET move_state = $1 WHERE name = 'ours'", [state]);

const missing = "0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10";
const bodies: Record<string, unknown> = {
  createWebhook: newWebhook(),
  updateWebhook: { name: "changed" },
  addWebhookAddresses: { addresses: [address(7)] },
  removeWebhookAddresses: { addresses: [address(1)] },
  changeWebhookAddresses: { add: [address(7)] },
  putOperationalWebhook: {},
  createReplay: { fromBlock: "1", toBlock: "2", includeEarlier: true },
};

const queries: Record<string, string> = { explainWebhook: `?txHash=0x${"1".repeat(64)}` };

/** Every operation that needs a key. */
const operations = Object.entries(operationTable)
  .filter(([, { path }]) => /^\/v1\/(?:webhooks|operational-webhook)/.test(path))
  .map(([name, { method, path }]) => ({
    name,
    method: method.toUpperCase(),
    path: (path as string).replace("{id}", "ID").replace(/\{\w+\}/, missing) + (queries[name] ?? ""),
  }));

async function answerTo({ name, method, path }: (typeof operations)[number], key?: string) {
  const body = bodies[name];
  return api.call(method, path.replace("ID", id), { ...(body !== undefined && { body }), ...(key && { key }) });
}

/** A test changes nothing that moves: it is sent now or never. Nobody follows here, who could explain. */
test.each(operations.filter(({ name }) => !/^(testWebhook|testOperationalWebhook|explainWebhook)$/.test(name)))(
  "$name is refused for a while if it changes something, and answers if it reads",
  async (operation) => {
    await setState("leaving");
    const { status, headers, body } = await answerTo(operation);
    const isRead = operation.method === "GET" || operation.name === "previewWebhook";
    if (isRead) expect(status).not.toBe(401);
    else {
      expect(body).toEqual({
        statusCode: 503,
        error: "Service Unavailable",
        message: "The account is moving to another cell; try again in 5 seconds.",
      });
      expect(headers.get("retry-after")).toBe("5");
    }
  },
);

test.each(["left", "arriving"])(
  "every operation of an account that is %s answers 503, and a stranger's 404",
  async (state) => {
    await setState(state);
    for (const operation of operations) {
      expect((await answerTo(operation)).status, operation.name).toBe(503);
      const stranger = await answerTo(operation, api.keys.stranger);
      if (operation.path.includes("ID")) expect(stranger.status, operation.name).toBe(404);
    }
    expect((await api.call("GET", "/v1/chains")).status).toBe(200);
  },
);

test("what was refused has changed nothing", async () => {
  await setState(null);
  const { body } = await api.call("GET", "/v1/webhooks");
  expect(body.webhooks).toMatchObject([{ id, name: newWebhook().name ?? "", addressCount: 1, status: "active" }]);
});
