/** Headers of a webhook's own, as its record shows them and as what they may be; test/delivery/own-headers.test.ts has what is sent. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { newKey, parseKeyring } from "../../../server/settings/keyring.ts";
import { type Api, address, newWebhook, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi({ keyring: parseKeyring(newKey()) });
});
afterAll(() => api.close());

const create = (changes: Record<string, unknown> = {}) =>
  api.call("POST", "/v1/webhooks", { body: newWebhook(changes) });
const change = (id: string, body: object | string) => api.call("PATCH", `/v1/webhooks/${id}`, { body });
const value = "Bearer 4f1b7c2a9d8e";
const headers = { Authorization: value, "X-Route": "deposits" };

test("the record shows the names while there are some, wherever it is shown, and no value", async () => {
  const { status, body } = await create({ headers });
  expect(status).toBe(201);
  expect(body.headerNames).toEqual(["Authorization", "X-Route"]);
  expect(body).not.toHaveProperty("headers");
  const path = `/v1/webhooks/${body.id}`;
  expect((await api.call("GET", path)).body).toEqual(body);
  expect((await api.call("GET", "/v1/webhooks?pageSize=1")).body.webhooks).toEqual([body]);
  expect((await change(body.id, { name: "other" })).body.headerNames).toEqual(body.headerNames);
  const changed = await change(body.id, { headers: { "x-api-key": "abc" } });
  expect(changed.body.headerNames).toEqual(["x-api-key"]);
  const added = await api.call("PATCH", `${path}/addresses`, { body: { addresses: [address(7)] } });
  expect(added.body.headerNames).toEqual(["x-api-key"]);
  for (const none of [{}, null]) {
    await change(body.id, { headers });
    expect((await change(body.id, { headers: none })).body).not.toHaveProperty("headerNames");
    expect((await api.call("GET", path)).body).not.toHaveProperty("headerNames");
    expect((await create({ headers: none })).body).not.toHaveProperty("headerNames");
  }
  expect((await api.call("DELETE", path)).status).toBe(200);
});

test("neither the database nor the log has a value in clear, nor the answer that an Idempotency-Key keeps", async () => {
  const call = { body: newWebhook({ headers }), headers: { "idempotency-key": "headers" } };
  const { body } = await api.call("POST", "/v1/webhooks", call);
  expect((await api.call("POST", "/v1/webhooks", call)).body).toEqual(body);
  await change(body.id, { headers });
  const { rows: tables } = await api.pool.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'",
  );
  let found = 0;
  for (const { name } of tables) {
    const { rows } = await api.pool.query<{ text: string }>(`SELECT row_to_json(t)::text AS text FROM "${name}" t`);
    found += rows.length;
    for (const { text } of rows)
      for (const form of [value, Buffer.from(value).toString("hex")]) expect(text, name).not.toContain(form);
  }
  expect(found).toBeGreaterThan(10);
  expect(api.logged.join("\n")).toContain(body.id);
  expect(api.logged.join("\n")).not.toContain(value);
});

test("an Idempotency-Key with another value is a conflict", async () => {
  const send = (headers: object) =>
    api.call("POST", "/v1/webhooks", { body: newWebhook({ headers }), headers: { "idempotency-key": "values" } });
  const { body } = await send({ a: "1", b: "2" });
  expect((await send({ b: "2", a: "1" })).body).toEqual(body);
  assertError(await send({ a: "1", b: "3" }), 409);
  assertError(await send({ a: "1" }), 409);
});

const named = "headers must be an object whose names have 1 to 64 letters, digits and !#$%&'*+-.^_`|~.";
const valued = "headers.x must be visible ASCII characters, with spaces only between them.";
const reserved = (name: string) =>
  [{ [name]: "x" }, `headers.${name} must be absent: the service sends it itself, or HTTP needs it.`] as const;
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, "x"]));

test.each<readonly [given: unknown, message: string]>([
  [{ "": "x" }, named],
  [{ "a b": "x" }, named],
  [{ "a:b": "x" }, named],
  [{ "a\r\nb": "x" }, named],
  [{ "a\n": "x" }, named],
  [{ ü: "x" }, named],
  [{ ["x".repeat(65)]: "x" }, named],
  [{ x: "" }, valued],
  [{ x: " a" }, valued],
  [{ x: "a " }, valued],
  [{ x: "a\tb" }, valued],
  [{ x: "a\r\nhost: evil" }, valued],
  [{ x: "a\n" }, valued],
  [{ x: "a\u0000" }, valued],
  [{ x: "ä" }, valued],
  [{ x: "a\u007f" }, valued],
  [{ x: "x".repeat(1_025) }, "headers.x must have at most 1024 characters."],
  [{ x: 7 }, "headers.x must be a string."],
  [{ x: null }, "headers.x must be a string."],
  [{ x: ["a"] }, "headers.x must be a string."],
  [many(11), "headers must have at most 10 properties."],
  ["x: y", "headers must be an object or a null."],
  [[["x", "y"]], "headers must be an object or a null."],
  [{ "X-Key": "1", "x-key": "1" }, "headers.x-key must be absent where headers.X-Key is given."],
  [
    Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, "x".repeat(1_024)])),
    "headers must have at most 4096 characters in names and values together.",
  ],
  ...["Host", "content-type", "Content-Length", "CONTENT-ENCODING", "connection", "Keep-Alive", "te", "Trailer"].map(
    reserved,
  ),
  ...["transfer-encoding", "Upgrade", "expect", "Date", "User-Agent", "Proxy-Authorization", "proxy-x"].map(reserved),
  ...["webhook-id", "Webhook-Signature", "webhook-anything", "x-signature", "X-Signature-Previous"].map(reserved),
  ...["traceparent", "tracestate", "baggage", "Accept-Encoding", "http2-settings"].map(reserved),
])("what is wrong is refused, in number %#", async (given, message) => {
  assertError(await create({ headers: given }), 400, message);
  const { id } = (await create({ headers: { kept: "as it was" } })).body;
  assertError(await change(id, { headers: given, name: "not done" }), 400, message);
  expect((await api.call("GET", `/v1/webhooks/${id}`)).body).toMatchObject({ headerNames: ["kept"], name: "" });
  const preview = { ...newWebhook({ headers: given }), url: undefined, eventType: undefined, blockNumber: "100" };
  assertError(await api.call("POST", "/v1/webhooks/preview", { body: preview }), 400, message);
});

test.each([
  { ["x".repeat(64)]: "y".repeat(1_024) },
  many(10),
  Object.fromEntries(["a", "b", "c"].map((name) => [name, "x".repeat(1_024)])),
  { "!#$%&'*+-.^_`|~0aZ": "a b!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" },
  { Cookie: "a=b; c=d", "X-Forwarded-For": "192.0.2.1", accept: "*/*" },
])("what may be is taken, in number %#", async (given) => {
  const { status, body } = await create({ headers: given });
  expect([status, body.headerNames]).toEqual([201, Object.keys(given)]);
});

test("names that objects have anyway are names like others", async () => {
  const text = '{"__proto__":"1","constructor":"2","toString":"3"}';
  const body = JSON.stringify(newWebhook()).replace(/}$/, `,"headers":${text}}`);
  const created = (await api.call("POST", "/v1/webhooks", { body })).body;
  expect(created.headerNames).toEqual(["__proto__", "constructor", "toString"]);
  const changed = await change(created.id, '{"headers":{"__proto__":"4"}}');
  expect(changed.body.headerNames).toEqual(["__proto__"]);
});

test("a webhook without a url takes none, and may be told that it has none", async () => {
  const feed = { url: undefined, delivery: "feed" };
  assertError(await create({ ...feed, headers }), 400, "headers must be absent with delivery feed.");
  const { id } = (await create({ ...feed, headers: {} })).body;
  assertError(await change(id, { headers }), 400, "headers must be absent: the webhook has the delivery feed.");
  for (const none of [{}, null]) expect((await change(id, { headers: none })).status).toBe(200);
});

test("a webhook in Glacier's form takes them", async () => {
  const { status, body } = await create({ compatibility: "glacier", headers });
  expect([status, body.headerNames]).toEqual([201, Object.keys(headers)]);
});

test("another account can neither see nor change them", async () => {
  const { id } = (await create({ headers })).body;
  const theirs = { key: api.keys.stranger, body: { headers: { stolen: "x" } } };
  assertError(await api.call("PATCH", `/v1/webhooks/${id}`, theirs), 404);
  assertError(await api.call("PATCH", `/v1/webhooks/${id}`, { ...theirs, key: api.keys.read }), 403);
  expect((await api.call("GET", `/v1/webhooks/${id}`)).body.headerNames).toEqual(Object.keys(headers));
});
