/** A request that breaks the contract is refused in one sentence that names the field and what it must be. */
import { afterAll, beforeAll, test } from "vitest";
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
  ['{"url":', "The body must be a JSON object; expected a value at line 1, column 8, where the body ends."],
  ['"text"', "The body must be a JSON object."],
  ["[]", "The body must be an object."],
])("a body of %s is a 400", async (body, message) => {
  assertError(await post(body), 400, message);
});

// The schema does not know whether a server allows http, so the sentence must be right for both.
const notCallable = "url must be an https URL (or http, where the server allows it) without user name or password.";

test.each([
  [{}, "chainId is required; eventType is required; metadata is required."],
  [{ colour: "red", metadata: {} }, "colour is not a known field; chainId is required; eventType is required."],
  [
    newWebhook({ url: 7, chainId: 1, metadata: { addresses: ["0x"], eventSignatures: ["0x"], includeLogs: 1 } }),
    "url must be a string; chainId must be a string; metadata.addresses.0 must be an address, 0x and 40 hex digits; " +
      "metadata.eventSignatures.0 must be a hash, 0x and 64 hex digits; metadata.includeLogs must be a boolean.",
  ],
  [newWebhook({ colour: "red" }), "colour is not a known field."],
  [newWebhook({ metadata: {} }), "metadata.addresses is required."],
  [newWebhook({ metadata: { addresses: [] } }), "metadata.addresses must have at least 1 item."],
  [newWebhook({ metadata: { addresses: ["0x12"] } }), "metadata.addresses.0 must be an address, 0x and 40 hex digits."],
  [newWebhook({ url: 7 }), "url must be a string."],
  [newWebhook({ url: "ftp://example.com" }), notCallable],
  [newWebhook({ url: "https://user:secret@example.com" }), notCallable],
  [newWebhook({ url: "https://example.com/\0" }), "url must be a valid URI."],
  [newWebhook({ url: "https://example.com/%zz" }), "url must be a valid URI."],
  [newWebhook({ url: "https://exa mple.com" }), notCallable],
  [newWebhook({ url: "javascript:alert(1)" }), notCallable],
  [newWebhook({ eventType: "block" }), "eventType must be address_activity."],
  [newWebhook({ includeLogs: "true" }), "includeLogs must be a boolean."],
  [newWebhook({ name: "x".repeat(201) }), "name must have at most 200 characters."],
  [newWebhook({ name: "a\0b" }), "name must be a text without NUL characters."],
  [newWebhook({ description: "\0" }), "description must be a text without NUL characters."],
  [newWebhook({ chainId: "0x1" }), "chainId must be a chain's identifier in decimal digits."],
  [newWebhook({ metadata: { addresses: null } }), "metadata.addresses must be an array."],
  [newWebhook({ finality: 12 }), "finality must be a string or an object."],
  [newWebhook({ metadata: { abi: [{ type: "constructor", inputs: [] }] } }), "metadata.abi.0.name is required."],
  [
    newWebhook({ metadata: { conditions: { all: [{ colour: 1, value: 1 }] } } }),
    "metadata.conditions.all.0.colour is not a known field.",
  ],
])("%j is a 400 that names the field", async (body, message) => {
  assertError(await post(body), 400, message);
});

test("a misspelt field is named before the one that is missing for it", async () => {
  const { chainId, ...rest } = newWebhook();
  assertError(await post({ ...rest, chianId: chainId }), 400, "chianId is not a known field; chainId is required.");
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

test("ten unknown fields are named, and every one that is missing", async () => {
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`field${n}`, n]));
  const unknown = Array.from({ length: 10 }, (_, n) => `field${n} is not a known field`).join("; ");
  const missing = "chainId is required; eventType is required; metadata is required";
  assertError(await post(fields(10)), 400, `${unknown}; ${missing}.`);
  assertError(await post(fields(11)), 400, `${unknown}; ${missing}; and more faults.`);
  assertError(await post(fields(1_000)), 400, `${unknown}; ${missing}; and more faults.`);
});

test.each([
  "POST /v1/webhooks",
  "PATCH :path",
  "PATCH :path/addresses",
  "DELETE :path/addresses",
  "POST :path/replays",
])("%s without its body is a 400 that names it", async (line) => {
  const { body } = await post(newWebhook());
  const [method = "", path = ""] = line.replace(":path", `/v1/webhooks/${body.id}`).split(" ");
  const without = "The body is required and must be a JSON object.";
  assertError(await api.call(method, path, { body: "" }), 400, without);
  assertError(await api.call(method, path), 400, without);
  assertError(await api.call(method, path, { body: "\ufeff" }), 400, without);
});

test("the name of an unknown field is cut short", async () => {
  assertError(await post(newWebhook({ ["x".repeat(5_000)]: 1 })), 400, /^x{100}… is not a known field\.$/);
});

const twice = `0x${"5a".repeat(32)}`;

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
  [
    `/v1/webhooks/00000000-0000-4000-8000-000000000000/explain?txHash=${twice}&txHash=${twice}`,
    "txHash must appear only once.",
  ],
  ["/v1/webhooks?status=paused", "status must be one of active, inactive."],
  ["/v1/webhooks?pageToken=%zz", "pageToken must be validly percent-encoded."],
  // What comes after the 1,000th would be ignored.
  [`/v1/webhooks?${"&".repeat(1_000)}pageSize=ten`, "The query must have at most 1,000 parameters."],
  ["/v1/webhooks?pageToken=abc", "pageToken must be the nextPageToken of the page before."],
  ["/v1/webhooks/6D1BBE40-2A4B-4C0E-8F0A-5E7F5B1D2C3G", "id must be a UUID."],
  ["/v1/webhooks/URN:UUID:6D1BBE40-2A4B-4C0E-8F0A-5E7F5B1D2C3A", "id must be a UUID."],
  ["/v1/webhooks/7", "id must be a UUID."],
  ["/v1/webhooks/%zz", "The path must be validly percent-encoded."],
  ["/v1/webhooks/%00", "id must be a UUID."],
])("GET %s is a 400", async (path, message) => {
  assertError(await api.call("GET", path), 400, message);
});

test("an Idempotency-Key with other characters is a 400", async () => {
  const reply = await post(newWebhook(), { "Idempotency-Key": "a b" });
  assertError(reply, 400, "The header idempotency-key must be visible ASCII characters without spaces.");
});
