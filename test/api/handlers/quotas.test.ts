/** An account has no more webhooks and addresses than its quotas say, however many requests ask at once. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readLimits } from "../../../server/settings/limits.ts";
import { createKey } from "../../../server/store/accounts/keys.ts";
import { listAccounts, setQuotas } from "../../../server/store/accounts/quotas.ts";
import { type Api, address, newWebhook, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi({
    limits: readLimits({ WEBHOOK_QUOTA: "3", ADDRESS_QUOTA: "10", ABI_QUOTA: "500", MAX_CONCURRENT_REQUESTS: "1000" }),
  });
});
afterAll(() => api.close());

let account = "";
let key = "";
let accounts = 0;
beforeEach(async () => {
  accounts += 1;
  account = `account ${accounts}`;
  ({ key } = await createKey(api.pool, { account, scopes: ["read", "write"] }));
});

const addresses = (from: number, count: number) => Array.from({ length: count }, (_, n) => address(from + n));
const create = (count = 1) =>
  api.call("POST", "/v1/webhooks", { key, body: newWebhook({ metadata: { addresses: addresses(1, count) } }) });
const add = (id: string, from: number, count: number) =>
  api.call("PATCH", `/v1/webhooks/${id}/addresses`, { key, body: { addresses: addresses(from, count) } });

test("of creations side by side as many succeed as the quota allows", async () => {
  const replies = await Promise.all(Array.from({ length: 8 }, () => create()));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(3);
  for (const reply of replies.filter(({ status }) => status !== 201))
    assertError(reply, 403, "The account may have at most 3 webhooks; remove some, or ask the operator for more.");
  expect((await api.call("GET", "/v1/webhooks", { key })).body.webhooks).toHaveLength(3);
});

test("of additions side by side, to several webhooks, as many succeed as the quota allows, and each wholly or not at all", async () => {
  const ids = [(await create()).body.id, (await create()).body.id];
  const replies = await Promise.all(Array.from({ length: 6 }, (_, n) => add(ids[n % 2], 100 * (n + 1), 3)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
  for (const reply of replies.filter(({ status }) => status !== 200))
    assertError(reply, 403, "The account may have at most 10 addresses; remove some, or ask the operator for more.");
  const totals = await Promise.all(ids.map((id) => api.call("GET", `/v1/webhooks/${id}/addresses`, { key })));
  expect(totals.reduce((sum, { body }) => sum + body.totalAddresses, 0)).toBe(8);
});

test("the events of an account's webhooks have a quota of bytes together, freed by a deletion", async () => {
  const event = { type: "event", name: "E".repeat(200), inputs: [] };
  const decode = () =>
    api.call("POST", "/v1/webhooks", {
      key,
      body: newWebhook({ metadata: { addresses: addresses(1, 1), abi: [event] } }),
    });
  const [first] = [await decode(), await decode()];
  assertError(
    await decode(),
    403,
    "metadata.abi must leave the account with at most 500 bytes of events in all its webhooks; remove some, or ask the operator for more.",
  );
  await api.call("DELETE", `/v1/webhooks/${first?.body.id}`, { key });
  expect((await decode()).status).toBe(201);
});

test("a webhook with more addresses than the account may have is not created", async () => {
  assertError(await create(11), 403);
  expect((await api.call("GET", "/v1/webhooks", { key })).body.webhooks).toEqual([]);
});

test("removals free quota, and addresses already watched use none", async () => {
  const { id } = (await create(10)).body;
  expect((await add(id, 1, 10)).status).toBe(200);
  assertError(await add(id, 11, 1), 403);
  await api.call("DELETE", `/v1/webhooks/${id}/addresses`, { key, body: { addresses: [address(1)] } });
  expect((await add(id, 11, 1)).status).toBe(200);
  await api.call("DELETE", `/v1/webhooks/${id}`, { key });
  expect((await create(10)).status).toBe(201);
});

test("an account's own quotas override the configured ones until they are reset", async () => {
  await setQuotas(api.pool, account, { webhooks: 1, addresses: 12 });
  expect((await create(12)).status).toBe(201);
  assertError(await create(), 403, /at most 1 webhooks;/);
  await setQuotas(api.pool, account, { webhooks: null, addresses: 20 });
  expect((await create()).status).toBe(201);
});

test("an account's counts follow every change, including many webhooks in one statement", async () => {
  const { id } = (await create(2)).body;
  await add(id, 1, 5);
  await api.call("DELETE", `/v1/webhooks/${id}/addresses`, { key, body: { addresses: [address(1)] } });
  await api.pool.query(
    `INSERT INTO webhooks SELECT (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid()))).*
     FROM webhooks w, generate_series(1, 3) WHERE w.id = $1`,
    [id],
  );
  const has = async () => (await listAccounts(api.pool)).find((one) => one.account === account);
  expect(await has()).toMatchObject({ webhooks: 4, addresses: 16 });
  await api.call("DELETE", `/v1/webhooks/${id}`, { key });
  expect(await has()).toMatchObject({ webhooks: 3, addresses: 12 });
});
