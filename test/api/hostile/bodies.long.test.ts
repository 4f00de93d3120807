/** Bodies that are no JSON, or more than JSON: each is a 400 that says what is wrong, and leaves nothing behind. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countFields, jsonFault } from "../../../server/contract/body/json-body.ts";
import { address, newWebhook } from "../../support/api.ts";
import { openScene, request, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.api.close());

const json = "content-type: application/json";

async function refusal(line: string, body: Buffer | string, headers: string[] = []): Promise<string> {
  const before = await scene.rows();
  const key = `x-service-api-key: ${scene.api.keys.both}`;
  const reply = await scene.refused(request(line.replace(":id", scene.id), { headers: [key, json, ...headers], body }));
  expect(await scene.rows()).toEqual(before);
  await scene.assertUnhurt();
  return `${reply.status} ${reply.body.message}`;
}

const create = (body: Buffer | string, headers?: string[]) => refusal("POST /v1/webhooks", body, headers);
/** The JSON of a webhook to create, with other text in place of its end. */
const ending = (text: string) => `${JSON.stringify(newWebhook()).slice(0, -1)}${text}`;
const withMetadata = (text: string) =>
  `{"url":"https://example.com/","chainId":"43114","eventType":"address_activity","metadata":{"addresses":["${address(1)}"]${text}}}`;

test.each([
  [ending(',"url":"https://example.org/"}'), "url"],
  [ending(',"name":"a","name":"a"}'), "name"],
  [ending(String.raw`,"name":"a","n\u0061me":"b"}`), "name"],
  [ending(',"__proto__":1,"__proto__":2}'), "__proto__"],
  [withMetadata(`,"addresses":[]`), "metadata.addresses"],
  [
    withMetadata(',"includeLogs":true,"eventSignatures":[{"a":1,"a":2}],"includeLogs":false'),
    "metadata.eventSignatures.0.a",
  ],
])("a field that is given twice is named: %s", async (body, field) => {
  expect(await create(body)).toBe(`400 ${field} must appear only once.`);
});

test("text inside a value that looks like a repeated field is not one", () => {
  for (const text of [
    '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
    '{"a":"\\"a\\":1,","b":"{\\"a\\":1,\\"a\\":2}"}',
    '["a","a"]',
    '{"":[],"\\\\":{}}',
  ])
    expect([text, jsonFault(text, JSON.parse(text), countFields(Buffer.from(text)) ?? 0)]).toEqual([text, undefined]);
});

test.each(["__proto__", "constructor", "prototype", "hasOwnProperty", "toJSON"])(
  "a field %s is unknown",
  async (name) => {
    expect(await create(ending(`,"${name}":{"includeLogs":true}}`))).toBe(`400 ${name} is not a known field.`);
    expect(await create(withMetadata(`,"${name}":{"polluted":true}`))).toBe(
      `400 metadata.${name} is not a known field.`,
    );
    expect(await refusal("PATCH /v1/webhooks/:id", `{"${name}":{}}`)).toBe(`400 ${name} is not a known field.`);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  },
);

const tooMuch =
  "The body must have at most 25,000 values and 2,500 fields, nested at most 32 deep, and at most 256 KiB outside of texts.";
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
test.each([
  ["[".repeat(32), "The body must be a JSON object; expected a value or ] at line 1, column 33, where the body ends."],
  ["[".repeat(33), tooMuch],
  [nested(32), "The body must be an object."],
  [nested(100_000), tooMuch],
  [`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`, tooMuch],
  [ending(`,"name":${nested(31)}}`), "name must be a string."],
  [ending(`,"name":${nested(32)}}`), tooMuch],
  [withMetadata(`,"eventSignatures":${nested(30)}`), "metadata.eventSignatures.0 must be a string."],
  [withMetadata(`,"eventSignatures":[${nested(20)},${nested(20)}]`), "metadata.eventSignatures.0 must be a string."],
])("brackets in brackets, case %#, are refused", async (body, message) => {
  expect(await create(body, ["idempotency-key: deep"])).toBe(`400 ${message}`);
});

test.each([
  // As many as fit into the bounds are reported as what they are; one more, and nobody looks at them.
  [withMetadata(`,"addresses":[${'"",'.repeat(1_000)}""]`), "metadata.addresses must appear only once."],
  [`{"addresses":[${'"",'.repeat(24_990)}""]}`, "addresses must have at most 10000 items."],
  [`{"addresses":[${'"",'.repeat(24_999)}""]}`, tooMuch],
  [`{"addresses":[${'"",'.repeat(340_000)}""]}`, tooMuch],
  [`{"addresses":[""${" ".repeat(262_144)}]}`, tooMuch],
  [`{"addresses":[${"9".repeat(262_144)}]}`, tooMuch],
  [`{${Array.from({ length: 2_501 }, (_, n) => `"${n}":0`)}}`, tooMuch],
  [`{"addresses":[${'"",'.repeat(9_999)}""]}`, "addresses.0 must be an address, 0x and 40 hex digits."],
  [`{"addresses":"${"[,{".repeat(100_000)}\\""}`, "addresses must be an array."],
])("as many values as one likes, case %#, are refused", async (body, message) => {
  const line = !body.startsWith('{"url"') ? "PATCH /v1/webhooks/:id/addresses" : "POST /v1/webhooks";
  expect(await refusal(line, body)).toBe(`400 ${message}`);
  expect(await refusal(line, gzipSync(body), ["content-encoding: gzip"])).toBe(`400 ${message}`);
});

const numbers = ["1e400", "-1e400", "9".repeat(1_000), `0.${"1".repeat(1_000)}`, "-0", "1E-400"];
test.each(numbers)("the number %.20s is no text, and no boolean", async (number) => {
  expect(await create(ending(`,"name":${number}}`))).toBe("400 name must be a string.");
  expect(await create(ending(`,"includeLogs":${number}}`))).toBe("400 includeLogs must be a boolean.");
  const range = `{"fromBlock":${number},"toBlock":${number}}`;
  const reported = await refusal("POST /v1/webhooks/:id/replays", range);
  expect(reported).toBe("400 fromBlock must be a string; toBlock must be a string.");
});

test("a number of many digits in a text is a block that was not followed, or none", async () => {
  const number = "9".repeat(1_000);
  const replay = (block: string) =>
    refusal("POST /v1/webhooks/:id/replays", `{"fromBlock":"${block}","toBlock":"${block}"}`);
  expect(await replay("9".repeat(19))).toMatch(/^400 toBlock must be at most 100/);
  expect(await replay(number)).toMatch(/^400 fromBlock must be a block's number, at most 19 decimal digits; toBlock/);
  expect(await create(withMetadata("").replace('"43114"', `"${number}"`))).toMatch(/^400 chainId must be/);
});

/** Where a text may stand in a body. */
const places: [string, (text: string) => [line: string, body: string]][] = [
  ["url", (text) => ["POST /v1/webhooks", withMetadata("").replace("example.com/", `example.com/${text}`)]],
  ["name", (text) => ["POST /v1/webhooks", ending(`,"name":"a${text}"}`)]],
  ["description", (text) => ["POST /v1/webhooks", ending(`,"description":"${text}b"}`)]],
  ["chainId", (text) => ["POST /v1/webhooks", withMetadata("").replace("43114", `43114${text}`)]],
  ["eventType", (text) => ["POST /v1/webhooks", withMetadata("").replace("activity", `activity${text}`)]],
  ["fromBlock", (text) => ["POST /v1/webhooks", ending(`,"fromBlock":"1${text}"}`)]],
  ["historyMode", (text) => ["POST /v1/webhooks", ending(`,"fromBlock":"1","historyMode":"headers${text}"}`)]],
  ["delivery", (text) => ["POST /v1/webhooks", ending(`,"delivery":"url${text}"}`)]],
  [
    "metadata.addresses.0",
    (text) => ["POST /v1/webhooks", withMetadata("").replace(address(1), `${address(1)}${text}`)],
  ],
  ["metadata.eventSignatures.0", (text) => ["POST /v1/webhooks", withMetadata(`,"eventSignatures":["${text}"]`)]],
  ["name", (text) => ["PATCH /v1/webhooks/:id", `{"name":"${text}"}`]],
  ["description", (text) => ["PATCH /v1/webhooks/:id", `{"description":"${text}"}`]],
  ["url", (text) => ["PATCH /v1/webhooks/:id", `{"url":"https://example.com/${text}"}`]],
  ["status", (text) => ["PATCH /v1/webhooks/:id", `{"status":"active${text}"}`]],
  ["addresses.0", (text) => ["PATCH /v1/webhooks/:id/addresses", `{"addresses":["${text}"]}`]],
  [
    "fromBlock",
    (text) => ["PATCH /v1/webhooks/:id/addresses", `{"addresses":["${address(1)}"],"fromBlock":"1${text}"}`],
  ],
  ["addresses.0", (text) => ["DELETE /v1/webhooks/:id/addresses", `{"addresses":["${address(1)}${text}"]}`]],
  ["fromBlock", (text) => ["POST /v1/webhooks/:id/replays", `{"fromBlock":"1${text}","toBlock":"2"}`]],
  ["toBlock", (text) => ["POST /v1/webhooks/:id/replays", `{"fromBlock":"1","toBlock":"2${text}"}`]],
];

test.each(places)("neither NUL nor half of a character goes into %s", async (field, fill) => {
  for (const text of ["\\u0000", "\\ud800", "\\udfff", "\\udc00\\ud800", "\\uD83D\\uD83D\\uDE00"])
    expect(await refusal(...fill(text), ["idempotency-key: once"])).toMatch(
      new RegExp(`^400 (The header.*|${field} must be .*)\\.$`),
    );
  // As they are they are no JSON, and no UTF-8.
  expect(await refusal(...fill("\0"))).toMatch(/^400 The body must be a JSON object; expected an escape/);
  const [line, body] = fill("\u{1f600}");
  const cut = Buffer.from(Buffer.from(body).filter((byte) => byte !== 0x80));
  expect(await refusal(line, cut)).toBe("400 The body must be valid UTF-8.");
});

test("a whole character beyond the first plane is a character", async () => {
  const body = { ...newWebhook(), name: "\u{1f600}" };
  const text = JSON.stringify(body).replace("\u{1f600}", "\\ud83d\\ude00");
  const made = await scene.api.call("POST", "/v1/webhooks", { body: text, headers: { "idempotency-key": "face" } });
  expect([made.status, made.body.name]).toEqual([201, "\u{1f600}"]);
});

test.each([
  ["80", "41c0804100"],
  ["overlong", "7bc0af7d"],
  ["a surrogate", "7b22eda08022"],
  ["UTF-16", Buffer.from(JSON.stringify(newWebhook()), "utf16le").toString("hex")],
  ["UTF-16 with its mark", `fffe${Buffer.from("{}", "utf16le").toString("hex")}`],
  ["random bytes", "f5ff7b7dfe"],
])("bytes that are no UTF-8 (%s) are refused", async (_, hex) => {
  expect(await create(Buffer.from(hex, "hex"))).toMatch(/^400 The body must be (valid UTF-8|a JSON object; .*)\.$/);
});

test("a byte order mark is ignored, but only at the start", async () => {
  const { api } = scene;
  expect((await api.call("POST", "/v1/webhooks", { body: `\ufeff${JSON.stringify(newWebhook())}` })).status).toBe(201);
  expect(await create(`\ufeff\ufeff${JSON.stringify(newWebhook())}`)).toBe(
    "400 The body must be a JSON object; expected a value at line 1, column 1.",
  );
});

test("a body that unpacks to a hundred megabytes is refused when it comes to a mebibyte", async () => {
  const bomb = gzipSync(Buffer.alloc(100_000_000, " "));
  expect(await create(bomb, ["content-encoding: gzip"])).toBe("413 The body must be at most 1 MiB.");
  expect(await create(bomb.subarray(0, 1_000), ["content-encoding: gzip"])).toMatch(/^4(00|13) /);
  expect(await create(gzipSync("{"), ["content-encoding: gzip, gzip"])).toMatch(/^415 /);
  const without = "400 The body is required and must be a JSON object.";
  expect(await create(gzipSync(""), ["content-encoding: gzip"])).toBe(without);
});
