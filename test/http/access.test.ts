/** Who may do what: every operation, by key, scope and account. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operationTable } from "../../generated/operations.ts";
import { type Api, address, newWebhook, startApi } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";

type OperationId = keyof typeof operationTable;

/** The scope that each operation asks for, as the contract has it; null where no key is needed. */
const scopeOf: Record<OperationId, "read" | "write" | null> = {
  createWebhook: "write",
  listWebhooks: "read",
  getWebhook: "read",
  updateWebhook: "write",
  deleteWebhook: "write",
  listWebhookAddresses: "read",
  addWebhookAddresses: "write",
  removeWebhookAddresses: "write",
  getWebhookSecret: "write",
  rotateWebhookSecret: "write",
  testWebhook: "write",
  listNotifications: "read",
  getNotification: "read",
  resendNotification: "write",
  createReplay: "write",
  getReplay: "read",
  listChains: null,
};

const bodies: Partial<Record<OperationId, unknown>> = {
  createWebhook: newWebhook(),
  updateWebhook: {},
  addWebhookAddresses: { addresses: [address(2)] },
  removeWebhookAddresses: { addresses: [address(2)] },
  createReplay: { fromBlock: "90", toBlock: "100" },
};

const unknownId = "0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21";
let api: Api;
let id: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const call = (operation: OperationId, key: string) =>
  api.call(operationTable[operation].method.toUpperCase(), pathOf(operation), { key, body: bodies[operation] });
const pathOf = (operation: OperationId) =>
  operationTable[operation].path.replace("{id}", id).replace(/{messageId}|{replayId}/, unknownId);
const operations = Object.keys(operationTable) as OperationId[];
const withKey = operations.filter((operation) => scopeOf[operation] !== null);
const ofOneWebhook = operations.filter((operation) => operationTable[operation].path.includes("{id}"));

beforeAll(async () => {
  id = (await api.call("POST", "/v1/webhooks", { body: newWebhook() })).body.id;
});

describe.each(withKey)("%s", (operation) => {
  test("without a key is a 401, and so it is with an unknown one", async () => {
    const message = "The header x-service-api-key must hold a valid API key.";
    assertError(await call(operation, ""), 401, message);
    assertError(await call(operation, `cwk_${"0".repeat(64)}`), 401, message);
    assertError(await call(operation, "cwk_short"), 401, message);
  });

  test("with a key of the other scope is a 403", async () => {
    const scope = scopeOf[operation];
    const other = scope === "read" ? api.keys.write : api.keys.read;
    assertError(await call(operation, other), 403, `The API key must have the scope ${scope}.`);
  });
});

test.each(ofOneWebhook)(
  "%s of another account's webhook is a 404, as of one that does not exist",
  async (operation) => {
    assertError(await call(operation, api.keys.stranger), 404, `There is no webhook ${id}.`);
  },
);

test("what another account tries changes nothing", async () => {
  const { body } = await api.call("GET", `/v1/webhooks/${id}`);
  expect(body).toMatchObject({ id, status: "active", addressCount: 1 });
  expect((await api.call("GET", "/v1/webhooks", { key: api.keys.stranger })).body).toEqual({ webhooks: [] });
});

test("a key of one scope is enough where no other is asked for", async () => {
  expect((await call("getWebhook", api.keys.read)).status).toBe(200);
  expect((await call("updateWebhook", api.keys.write)).status).toBe(200);
  expect((await call("listChains", "")).status).toBe(200);
});

test("revoked and expired keys are a 401 at once", async () => {
  await api.pool.query("UPDATE api_keys SET revoked_at = now() WHERE scopes = '{read}'");
  assertError(await call("listWebhooks", api.keys.read), 401);
  await api.pool.query("UPDATE api_keys SET expires_at = now() WHERE scopes = '{write}'");
  assertError(await call("updateWebhook", api.keys.write), 401);
});
