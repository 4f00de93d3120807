/** Every kind of failure is told in the contract's one shape, in one sentence that says what to do. */
import { gzipSync } from "node:zlib";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createApp } from "../../server/http/app.ts";
import { loadContract } from "../../server/http/contract.ts";
import { type Api, newWebhook, startApi } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const post = (body: unknown, headers?: Record<string, string>) =>
  api.call("POST", "/v1/webhooks", { body, ...(headers && { headers }) });

test.each([
  ['{"url":', "The body must be a JSON object."],
  ['"text"', "The body must be a JSON object."],
  ["[]", "The body must be an object."],
])("a body of %s is a 400", async (body, message) => {
  assertError(await post(body), 400, message);
});

test.each([
  [{}, "url is required; chainId is required; eventType is required; and 1 more fault."],
  [newWebhook({ colour: "red" }), "colour is not a known field."],
  [newWebhook({ metadata: { addresses: [] } }), "metadata.addresses must have at least 1 item."],
  [newWebhook({ metadata: { addresses: ["0x12"] } }), "metadata.addresses.0 must be an address, 0x and 40 hex digits."],
  [newWebhook({ url: 7 }), "url must be a string."],
  [newWebhook({ url: "ftp://example.com" }), "url must be an https URL without user name or password."],
  [newWebhook({ url: "https://user:secret@example.com" }), "url must be an https URL without user name or password."],
  [newWebhook({ eventType: "block" }), "eventType must be address_activity."],
  [newWebhook({ includeLogs: "true" }), "includeLogs must be a boolean."],
  [newWebhook({ name: "x".repeat(201) }), "name must have at most 200 characters."],
  [newWebhook({ name: "a\0b" }), "name must be a text without NUL characters."],
  [newWebhook({ description: "\0" }), "description must be a text without NUL characters."],
  [newWebhook({ chainId: "0x1" }), "chainId must be a chain's identifier in decimal digits."],
  [newWebhook({ metadata: { addresses: null } }), "metadata.addresses must be an array."],
])("%j is a 400 that names the field", async (body, message) => {
  assertError(await post(body), 400, message);
});

test("a misspelt field is named before the one that is missing for it", async () => {
  const { url, ...rest } = newWebhook();
  assertError(await post({ ...rest, ulr: url }), 400, "ulr is not a known field; url is required.");
});

test.each(["__proto__", "constructor", "toString"])("a field named %s is an unknown field", async (name) => {
  const body = `${JSON.stringify(newWebhook()).slice(0, -1)},"${name}":{}}`;
  assertError(await post(body), 400, `${name} is not a known field.`);
});

test("unknown fields are named wherever they are", async () => {
  const nested = newWebhook({ metadata: { addresses: [], blocks: 1 } });
  assertError(
    await post(nested),
    400,
    "metadata.blocks is not a known field; metadata.addresses must have at least 1 item.",
  );
});

test("a flood of faults is answered briefly and soon", async () => {
  const flood = Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`field${n}`, n]));
  const started = performance.now();
  const reply = await post({ ...newWebhook(), ...flood });
  assertError(reply, 400, /^field0 is not .* and 39997 more faults\.$/);
  expect(performance.now() - started).toBeLessThan(2_000);
});

test("the name of an unknown field is cut short", async () => {
  assertError(await post(newWebhook({ ["x".repeat(5_000)]: 1 })), 400, /^x{100}… is not a known field\.$/);
});

test.each([
  ["/v1/webhooks?colour=red", "colour is not a known query parameter."],
  ["/v1/webhooks?page[size]=1", "page[size] is not a known query parameter."],
  ["/v1/webhooks?[x]=1", "[x] is not a known query parameter."],
  ["/v1/webhooks?__proto__=1", "__proto__ is not a known query parameter."],
  ["/v1/webhooks?pageSize=0", "pageSize must be at least 1."],
  ["/v1/webhooks?pageSize=101", "pageSize must be at most 100."],
  ["/v1/webhooks?pageSize=ten", "pageSize must be an integer."],
  ["/v1/webhooks?pageSize=", "pageSize must not be empty."],
  ["/v1/webhooks?pageSize=1&pageSize=2", "pageSize must be an integer."],
  ["/v1/webhooks?status=paused", "status must be one of active, inactive."],
  ["/v1/webhooks?pageToken=a:b", "pageToken must be percent-encoded."],
  ["/v1/webhooks?pageToken=abc", "pageToken must be the nextPageToken of the page before."],
  ["/v1/webhooks/6D1BBE40-2A4B-4C0E-8F0A-5E7F5B1D2C3A", "id must be a UUID in lower case."],
  ["/v1/webhooks/7", "id must be a UUID in lower case."],
  ["/v1/webhooks/%zz", "The path must be validly percent-encoded."],
  ["/v1/webhooks/%00", "id must be a UUID in lower case."],
])("GET %s is a 400", async (path, message) => {
  assertError(await api.call("GET", path), 400, message);
});

test("an Idempotency-Key with other characters is a 400", async () => {
  const reply = await post(newWebhook(), { "Idempotency-Key": "a b" });
  assertError(reply, 400, "idempotency-key must be visible ASCII characters without spaces.");
});

test.each([
  "/",
  "/v2/webhooks",
  "/v1/webhook",
  "/v1/webhooks/",
  "/V1/webhooks",
  "/v1/Webhooks",
  "/v1//webhooks",
  "/v1/%77ebhooks",
])("%s is a 404", async (path) => {
  assertError(await api.call("GET", path), 404);
});

test("a path below /v1/webhooks is a 401 without a key and a 404 with one", async () => {
  assertError(await api.call("GET", "/v1/webhooks/a/b/c", { key: "" }), 401);
  assertError(await api.call("GET", "/v1/webhooks/%zz", { key: "" }), 401);
  assertError(await api.call("GET", "/v1/webhooks/a/b/c"), 404);
});

test("a method that a path does not have is a 405 that lists those it has", async () => {
  const reply = await api.call("PUT", "/v1/webhooks", { body: {} });
  assertError(reply, 405, "The method must be one of GET, HEAD, POST.");
  expect(reply.headers.get("allow")).toBe("GET, HEAD, POST");
  const options = await api.call("OPTIONS", "/v1/chains");
  assertError(options, 405);
  expect(options.headers.get("allow")).toBe("GET, HEAD");
  assertError(await api.call("DELETE", "/docs"), 405);
  assertError(await api.call("POST", "/healthz"), 405);
});

test.each([
  { "content-type": "text/plain" },
  { "content-type": "application/x-www-form-urlencoded" },
  { "content-type": "application/json; charset=latin1" },
  { "content-type": "application/json; charset=utf-16" },
  { "content-type": "application/merge-patch+json" },
  { "content-type": "nonsense" },
])("%j is a 415", async (headers) => {
  assertError(await post(newWebhook(), headers), 415, "The header content-type must be application/json.");
});

test.each(["application/json; charset=UTF-8", "Application/JSON", 'application/json;charset="utf-8"; v=1'])(
  "the content type %s is understood",
  async (type) => {
    expect((await post(newWebhook(), { "content-type": type })).status).toBe(201);
  },
);

test("no content type at all is a 415", async () => {
  assertError(await api.call("POST", "/v1/webhooks"), 415);
});

test("an unknown content encoding is a 415, a broken one a 400, and gzip is understood", async () => {
  assertError(await post(newWebhook(), { "content-encoding": "snappy" }), 415, /gzip, deflate or br/);
  assertError(await post(newWebhook(), { "content-encoding": "gzip" }), 400);
  const response = await fetch(`${api.url}/v1/webhooks`, {
    method: "POST",
    body: gzipSync(JSON.stringify(newWebhook())),
    headers: {
      "x-service-api-key": api.keys.both,
      "content-type": "application/json",
      "content-encoding": "gzip",
    },
  });
  expect(response.status).toBe(201);
});

test("a body over 1 MiB is a 413, also one that only unpacks to it", async () => {
  const large = JSON.stringify({ name: "x".repeat(1_048_576) });
  assertError(await post(large), 413, "The body must be at most 1 MiB.");
  const response = await fetch(`${api.url}/v1/webhooks`, {
    method: "POST",
    body: gzipSync(large),
    headers: { "x-service-api-key": api.keys.both, "content-type": "application/json", "content-encoding": "gzip" },
  });
  expect(response.status).toBe(413);
});

test("a body is not read before the key was looked at", async () => {
  assertError(await api.call("POST", "/v1/webhooks", { key: "", body: "{" }), 401);
});

test("an answer that breaks the contract is a 500 that tells nothing, and is logged", async () => {
  const contract = await loadContract();
  (contract.components.schemas.ChainList as { required: string[] }).required.push("moon");
  const strict = await startApi({ contract });
  const reply = await strict.call("GET", "/v1/chains");
  assertError(reply, 500, "The service failed; nothing was changed.");
  expect(strict.logged.join("")).toContain("must have required property 'moon'");
  await strict.close();
});

test("an invalid contract stops the start", async () => {
  const contract = { openapi: "3.1.0", paths: {}, components: { schemas: {} } };
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const options = { pool: api.pool, chains: [], allowPrivateTargets: false, log: pino({ enabled: false }) };
  await expect(createApp({ ...options, contract })).rejects.toThrow(/invalid/);
});

test("every answer carries a request id, and the log has it, without query or key", async () => {
  const reply = await api.call("GET", "/v1/webhooks?pageToken=VERYSECRET");
  const id = reply.headers.get("x-request-id") ?? "";
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  const line = api.logged.find((entry) => entry.includes(id));
  expect(JSON.parse(line ?? "{}")).toMatchObject({ method: "GET", path: "/v1/webhooks", status: 400 });
  expect(api.logged.join("")).not.toMatch(/VERYSECRET|cwk_/);
});
