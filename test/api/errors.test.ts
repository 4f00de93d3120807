/** Every kind of failure is reported in the contract's one error shape. The message says what to do. */

import { gzipSync } from "node:zlib";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createApp } from "../../server/api/app.ts";
import { loadContract } from "../../server/contract/contract.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { type Api, newWebhook, startApi } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";
import { sendRaw } from "../support/raw-http.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const post = (body: unknown, headers?: Record<string, string>) =>
  api.call("POST", "/v1/webhooks", { body, ...(headers && { headers }) });

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

test("a body without a content type is a 415", async () => {
  const headers = ["host: a", "connection: close", `x-service-api-key: ${api.keys.both}`, "content-length: 2"];
  const reply = await sendRaw(api.url, `POST /v1/webhooks HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n{}`);
  assertError(reply, 415, "The header content-type must be application/json.");
});

test("an unknown content encoding is a 415, a broken one a 400, and gzip is understood", async () => {
  assertError(await post(newWebhook(), { "content-encoding": "snappy" }), 415, /gzip or deflate/);
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

test("a body is not read before the key is checked", async () => {
  assertError(await api.call("POST", "/v1/webhooks", { key: "", body: "{" }), 401);
});

test("an answer that breaks the contract becomes a 500 without details, and is logged with its request's id", async () => {
  const contract = structuredClone(await loadContract());
  (contract.components.schemas.ChainList as { required: string[] }).required.push("moon");
  const strict = await startApi({ contract });
  const reply = await strict.call("GET", "/v1/chains");
  assertError(reply, 500, "The service failed; nothing was changed.");
  expect(strict.logged.join("")).toContain("must have required property 'moon'");
  const ids = strict.logged.map((line) => JSON.parse(line).requestId);
  const id = reply.headers.get("x-request-id");
  expect(ids).toEqual([id, id]);
  await strict.close();
});

test("an invalid contract stops the start", async () => {
  const contract = { openapi: "3.1.0", paths: {}, components: { schemas: {} } };
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const options = {
    pool: api.pool,
    keyring: noKeys,
    chains: [],
    allowPrivateTargets: false,
    log: pino({ enabled: false }),
  };
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
