/** A creation that is sent again with its Idempotency-Key happens once. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, address, newWebhook, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const create = (idempotencyKey: string, body: unknown = newWebhook(), key = api.keys.both) =>
  api.call("POST", "/v1/webhooks", { key, body, headers: { "Idempotency-Key": idempotencyKey } });
const count = async () => (await api.pool.query("SELECT count(*) FROM webhooks")).rows[0].count;

test("the same key and body give the same answer and create nothing more", async () => {
  const first = await create("a");
  const before = await count();
  await api.call("PATCH", `/v1/webhooks/${first.body.id}`, { body: { name: "changed meanwhile" } });
  const { url, ...rest } = newWebhook();
  const again = await create("a", { ...rest, url });
  expect(again.status).toBe(201);
  expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
  expect(again.headers.get("location")).toBe(first.headers.get("location"));
  expect(await count()).toBe(before);
});

test("the same key with another body is a 409", async () => {
  await create("b");
  const message = "The Idempotency-Key was used with another body within the last 24 hours.";
  assertError(await create("b", newWebhook({ name: "other" })), 409, message);
  assertError(await create("b", newWebhook({ metadata: { addresses: [address(1), address(1)] } })), 409, message);
});

test("accounts do not share keys", async () => {
  const ours = await create("c");
  const theirs = await create("c", newWebhook(), api.keys.stranger);
  expect(theirs.status).toBe(201);
  expect(theirs.body.id).not.toBe(ours.body.id);
});

test("ten requests of one key at the same time create one webhook", async () => {
  const before = await count();
  const replies = await Promise.all(Array.from({ length: 10 }, () => create("d")));
  expect(new Set(replies.map((reply) => `${reply.status} ${reply.body.id}`)).size).toBe(1);
  expect(await count()).toBe(before + 1);
});

test("a refused request is not remembered", async () => {
  assertError(await create("e", newWebhook({ chainId: "10" })), 502);
  expect((await create("e")).status).toBe(201);
});

test("after 24 hours a key is free again", async () => {
  const first = await create("f");
  await api.pool.query("UPDATE idempotency_keys SET created_at = created_at - interval '25 hours' WHERE key = 'f'");
  const [one, two] = await Promise.all([
    create("f", newWebhook({ name: "new" })),
    create("f", newWebhook({ name: "new" })),
  ]);
  expect(one.status).toBe(201);
  expect(one.body.id).toBe(two.body.id);
  expect(one.body.id).not.toBe(first.body.id);
});

test("a repeated creation of a deleted webhook gets a 409 and creates nothing", async () => {
  const first = await create("g");
  await api.call("DELETE", `/v1/webhooks/${first.body.id}`);
  const before = await count();
  const message = "The webhook created with this Idempotency-Key was deleted; use another key to create one.";
  assertError(await create("g"), 409, message);
  assertError(await create("g"), 409, message);
  assertError(await create("g", newWebhook({ name: "other" })), 409, /another body/);
  expect(await count()).toBe(before);
  await api.pool.query("UPDATE idempotency_keys SET created_at = created_at - interval '25 hours' WHERE key = 'g'");
  expect((await create("g")).status).toBe(201);
});

test("an account's daily limit of keys does not affect other accounts", async () => {
  await api.pool.query(
    `INSERT INTO idempotency_keys (account_id, key, body_hash, created_at)
     SELECT id, 'used-' || n, '', now() - make_interval(hours => n % 24) FROM accounts, generate_series(1, 10000) n WHERE name = 'ours'`,
  );
  const keyed = { body: newWebhook(), headers: { "idempotency-key": "one-too-many" } };
  assertError(
    await api.call("POST", "/v1/webhooks", keyed),
    403,
    /^The account may use at most 10,000 Idempotency-Keys/,
  );
  expect((await api.call("POST", "/v1/webhooks", { ...keyed, key: api.keys.stranger })).status).toBe(201);
  expect((await api.call("POST", "/v1/webhooks", { body: newWebhook() })).status).toBe(201);
});
