/** Requests that no client makes: each is refused in the contract's words, and leaves nothing behind. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { address, newWebhook } from "../../support/api.ts";
import { openScene, request, type Scene } from "./scene.ts";

let scene: Scene;
let key: string;
beforeAll(async () => {
  scene = await openScene();
  key = `x-service-api-key: ${scene.api.keys.both}`;
});
afterAll(() => scene.api.close());

const json = "content-type: application/json";
const body = JSON.stringify(newWebhook());

const refusal = (bytes: Buffer | string) => scene.refusal(bytes);

const get = (target: string, ...headers: string[]) =>
  refusal(request(`GET ${target.replace(":id", scene.id)}`, { headers: [key, ...headers] }));
const post = (...headers: string[]) => refusal(request("POST /v1/webhooks", { headers, body }));

const uuid = "0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10";
const badTexts = [
  "%00",
  "%ff",
  "%c0%80",
  "%ed%a0%80",
  "%F4%90%80%80",
  "%zz",
  "%",
  "%e2%82",
  "a%0d%0aset-cookie:%20a=b",
  "%0a",
];

test.each([
  "/v1/webhooks/?",
  "/v1/webhooks/:id?",
  "/v1/webhooks/?/notifications",
  `/v1/webhooks/:id/notifications/${uuid}?`,
  "/v1/webhooks/:id/replays/?",
])("the path %s takes no odd bytes", async (path) => {
  for (const text of badTexts)
    expect([text, await get(path.replace("?", text))]).toEqual([text, expect.stringMatching(/^40[04] /)]);
});

test.each([
  "/v1/webhooks?pageToken=?",
  "/v1/webhooks?status=?",
  "/v1/webhooks?pageSize=1?",
  "/v1/webhooks?colour?=1",
  "/v1/webhooks/:id/addresses?pageToken=?",
  "/v1/webhooks/:id/notifications?pageToken=?",
  "/v1/webhooks/:id/notifications?afterSequence=1?",
  "/v1/webhooks/:id/notifications?status=?",
  "/v1/chains??=1",
])("the query of %s takes no odd bytes", async (target) => {
  for (const text of badTexts) {
    const spot = target.lastIndexOf("?");
    expect([text, await get(target.slice(0, spot) + text + target.slice(spot + 1))]).toEqual([
      text,
      expect.stringMatching(/^400 /),
    ]);
  }
});

test.each([
  "1e400",
  "1e1",
  "0x1",
  "-1",
  "-0.5",
  "9".repeat(1_000),
  "9007199254740993",
  "NaN",
  "Infinity",
  " 1",
  "1 ",
  "+1",
  "1,2",
])("a number is no page size, and no sequence, when it is written in another way (%#)", async (number) => {
  const text = encodeURIComponent(number);
  expect(await get(`/v1/webhooks?pageSize=${text}`)).toMatch(/^400 pageSize must be /);
  expect(await get(`/v1/webhooks/:id/notifications?afterSequence=${text}`)).toMatch(/^400 afterSequence must be /);
});

test.each([
  "__proto__",
  "constructor",
  "__proto__.pageSize",
  "pageSize[]",
  "page%00Size",
  "pagesize",
  "pageSize%5B%5D",
])("a query parameter %s is unknown", async (name) => {
  expect(await get(`/v1/webhooks?${name}=1`)).toMatch(/^400 .* is not a known query parameter\.$/);
});

test.each([
  `//v1/webhooks`,
  "/v1/./webhooks",
  "/v1/webhooks/../chains",
  "/v1/%2e%2e/v1/chains",
  "/v1/webhooks%2f:id",
  "/v1/webhooks;a=b",
  "/v1/webhooks/:id/",
  "\\v1\\chains",
])("the path %s is no other's", async (path) => {
  expect(await get(path)).toMatch(/^40[04] /);
});

test.each(["TRACE", "PROPFIND", "OPTIONS", "PUT", "LINK", "PURGE", "M-SEARCH"])(
  "nothing has the method %s",
  async (method) => {
    expect(await refusal(request(`${method} /v1/webhooks/${scene.id}`, { headers: [key] }))).toMatch(/^405 /);
    expect(await refusal(request(`${method} *`, { headers: [key] }))).toMatch(/^40[045] /);
  },
);

test("a repeated header is refused, or its first value counts", async () => {
  expect(await post(key, key, json)).toMatch(/^401 /);
  expect(await post(key, "content-type: text/plain", json)).toMatch(/^415 /);
  expect(await post(key, json, "idempotency-key: a", "idempotency-key: b")).toMatch(/^400 .*idempotency-key/);
  expect(await post(key, json, "content-encoding: gzip", "content-encoding: br")).toMatch(/^415 /);
});

test.each(["\x01", "\xff", "\xc0\x80", "\t", "a b", "\x7f", "x".repeat(256), ""])(
  "an invalid idempotency key gets a 400 (%#)",
  async (value) => {
    expect(await post(key, json, `idempotency-key: ${value}`)).toMatch(/^400 /);
  },
);

test.each(["", "\xff", "cwk_\xff", "a, b", "x".repeat(8_000), "' OR 1=1 --", "__proto__"])(
  "an invalid API key gets a 401 (%#)",
  async (value) => {
    expect(await post(`x-service-api-key: ${value}`, json)).toMatch(/^401 /);
  },
);

test.each(
  ["latin1", "utf-7", "utf-16", "utf8; charset=utf-16", "\xff", "utf-8\0"].map(
    (charset) => `${json}; charset=${charset}`,
  ),
)("%j is no media type", async (type) => {
  expect(await post(key, type)).toMatch(/^4(00|15) /);
});

test("Expect and Upgrade headers change nothing", async () => {
  for (const header of ["expect: a miracle", "expect: 100-continue", "upgrade: websocket\r\nconnection: upgrade"])
    expect(await refusal(request("POST /v1/webhooks", { headers: [key, json, header], body: "{}" }))).toMatch(
      /^400 chainId is required/,
    );
});

test("addresses by the thousand, one of them wrong, add none", async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => address(index + 10));
  many[4_999] = "0x52908400098527886E0F7030069857D2E4169ee7";
  const bytes = request(`PATCH /v1/webhooks/${scene.id}/addresses`, {
    headers: [key, json],
    body: JSON.stringify({ addresses: many }),
  });
  expect(await refusal(bytes)).toMatch(/^400 addresses\.4999 must have a right checksum/);
});
