/** What a newcomer's first requests get: the answer names what to do next, and never repeats a secret. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, newWebhook, startApi } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const id = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
const secret = "cwk_0123456789ab_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567";

test.each([
  ["http://example.com/hook", "url must be an https URL; ALLOW_HTTP_TARGETS=true on the service allows http."],
  [
    "http://127.0.0.1:4000/",
    "url must be an https URL; for development, ALLOW_PRIVATE_TARGETS=true on the service allows it.",
  ],
  [
    "http://localhost/",
    "url must be an https URL; for development, ALLOW_PRIVATE_TARGETS=true on the service allows it.",
  ],
  [
    "https://10.0.0.1/",
    "url must have a host on the public internet; for development, ALLOW_PRIVATE_TARGETS=true on the service allows it.",
  ],
  ["https://example.com:25/", /belongs to another protocol\.$/],
])("a url of %s is refused with the setting that allows it", async (url, message) => {
  assertError(await api.call("POST", "/v1/webhooks", { body: newWebhook({ url }) }), 400, message);
});

test.each(["authorization", "x-api-key", "x-glacier-api-key"])(
  "the answer to a key in %s says in which header it belongs",
  async (name) => {
    const value = name === "authorization" ? `Bearer ${secret}` : secret;
    const reply = await api.call("GET", "/v1/webhooks", { key: "", headers: { [name]: value } });
    const advice = `the request has the header ${name}: send the key as x-service-api-key: KEY`;
    assertError(reply, 401, `The header x-service-api-key must hold a valid API key; ${advice}.`);
  },
);

test("with Bearer before a key, the answer says to leave it out; a wrong key is called wrong", async () => {
  const reply = await api.call("GET", "/v1/webhooks", { key: `Bearer ${api.keys.both}` });
  assertError(reply, 401, /; send it as x-service-api-key: KEY, without "Bearer"\.$/);
  const wrong = await api.call("GET", "/v1/webhooks", { key: "wrong", headers: { authorization: "Bearer wrong" } });
  assertError(wrong, 401, "The header x-service-api-key must hold a valid API key.");
  const good = await api.call("GET", "/v1/webhooks", { headers: { authorization: "Basic of-a-proxy" } });
  expect(good.status).toBe(200);
});

test.each([
  ["/v1/webhook", "/v1/webhooks"],
  ["/v1/webhooks/", "/v1/webhooks"],
  ["/V1/Webhooks", "/v1/webhooks"],
  ["/webhooks", "/v1/webhooks"],
  ["/api/v1/webhooks", "/v1/webhooks"],
  ["/v2/webhooks", "/v1/webhooks"],
  ["/v1/chain", "/v1/chains"],
  [`/v1/webhooks/${id}/adresses`, "/v1/webhooks/{id}/addresses"],
  [`/v1/webhooks/${id}/notification`, "/v1/webhooks/{id}/notifications"],
  [`/v1/webhooks/${id}/secrets`, "/v1/webhooks/{id}/secret"],
  [`/v1/webhooks/${id}/pause`, 'PATCH /v1/webhooks/{id} with {"status": "inactive"}'],
  ["/pause", 'PATCH /v1/webhooks/{id} with {"status": "inactive"}'],
  [`/v1/webhooks/${id}/resume`, 'PATCH /v1/webhooks/{id} with {"status": "active"}'],
  [`/v1/webhooks/${id}/deliveries`, "GET /v1/webhooks/{id}/notifications"],
  [`/v1/webhooks/${id}/notifications/${id}/retry`, "POST /v1/webhooks/{id}/notifications/{messageId}/resend"],
  ["/doc", "/docs"],
  ["/openapi", "/openapi.json"],
  ["/health", "/healthz"],
])("%s gets a 404 that asks whether %s was meant", async (path, meant) => {
  assertError(
    await api.call("GET", path),
    404,
    `The path does not exist; did you mean ${meant}? GET /docs lists those that do.`,
  );
});

test.each(["/", "/v1", "/foo", "/v1/users", `/v1/webhooks/${id}/addresses/more`, `/${"pause/".repeat(1_000)}`])(
  "%s gets no guess",
  async (path) => {
    assertError(
      await api.call("GET", path, { headers: { accept: "*/*" } }),
      404,
      "The path does not exist; GET /docs lists those that do.",
    );
  },
);

test("nothing that may be a key comes back or is logged, wherever it was", async () => {
  const replies = [
    await api.call("GET", `/${secret}`, { key: "" }),
    await api.call("GET", `/v1/webhook/${secret}`, { key: "" }),
    await api.call("GET", `/v1/webhooks/${secret}/pause`),
    await api.call("GET", `/v1/webhooks`, { key: "", headers: { authorization: `Bearer ${secret}` } }),
    await api.call("GET", `/v1/webhooks`, { key: `Bearer ${secret}` }),
    await api.call("POST", "/v1/webhooks", { body: `{"url": ${secret}}` }),
  ];
  const shown = JSON.stringify([replies.map(({ body }) => body), api.logged]);
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 401, 401, 400]);
  expect(shown).not.toContain(secret.slice(0, 24));
});

test("a browser at / is sent to the docs, and a program gets the contract's 404", async () => {
  const ask = (accept: string, method = "GET") =>
    fetch(`${api.url}/`, { method, headers: { accept }, redirect: "manual" });
  const browser = await ask("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
  expect([browser.status, browser.headers.get("location")]).toEqual([302, "docs/"]);
  expect(browser.headers.get("vary")).toMatch(/accept/i);
  expect((await ask("text/html", "HEAD")).status).toBe(302);
  expect((await ask("text/html", "POST")).status).toBe(404);
  for (const accept of ["*/*", "application/json"]) expect((await ask(accept)).status).toBe(404);
});
