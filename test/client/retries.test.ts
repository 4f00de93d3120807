/** Which calls are tried again, how often, and after how long. */
import { expect, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { parseRetryAfter, retryDelayMs } from "../../client/retry.ts";
import { createBody, id, webhook } from "./examples.ts";
import { apiError, hangUp, json, type Reply, serve, silence } from "./http-server.ts";

const apiKey = "sk_test_0123456789";
const atOnce = { "retry-after": "0" };
const addresses = ["0x5425890298aed601595a70ab815c96711a31bc65"];
type Client = ReturnType<typeof createWebhooksClient>;

const calls = {
  getWebhook: (client: Client) => client.getWebhook({ path: { id } }),
  createWebhook: (client: Client) => client.createWebhook({ body: createBody }),
  updateWebhook: (client: Client) => client.updateWebhook({ path: { id }, body: { status: "inactive" } }),
  addWebhookAddresses: (client: Client) => client.addWebhookAddresses({ path: { id }, body: { addresses } }),
  removeWebhookAddresses: (client: Client) => client.removeWebhookAddresses({ path: { id }, body: { addresses } }),
  deleteWebhook: (client: Client) => client.deleteWebhook({ path: { id } }),
  rotateWebhookSecret: (client: Client) => client.rotateWebhookSecret({ path: { id } }),
};
const safe = ["getWebhook", "createWebhook", "updateWebhook", "addWebhookAddresses"] as const;
const unsafe = ["removeWebhookAddresses", "deleteWebhook", "rotateWebhookSecret"] as const;

async function triesOf(name: keyof typeof calls, first: Reply, options: { maxRetries?: number } = {}): Promise<number> {
  const { baseUrl, received } = await serve(first, json(200, webhook));
  const client = createWebhooksClient({ baseUrl, apiKey, timeoutMs: 5_000, ...options });
  await calls[name](client).catch(() => {});
  return received.length;
}

test.each(safe)("%s is tried again after a 502 and a 503", async (name) => {
  expect(await triesOf(name, apiError(502, atOnce))).toBe(2);
  expect(await triesOf(name, apiError(503, atOnce))).toBe(2);
});

test.each(safe)("%s is tried again when the connection is lost", async (name) => {
  expect(await triesOf(name, hangUp)).toBe(2);
});

test("a GET is tried again after a time-out", async () => {
  expect(await triesOf("getWebhook", silence)).toBe(2);
});

test.each(unsafe)(
  "%s is not tried again after a 503 or a lost connection, since it may have been done",
  async (name) => {
    expect(await triesOf(name, apiError(503, atOnce))).toBe(1);
    expect(await triesOf(name, hangUp)).toBe(1);
  },
);

test.each([...safe, ...unsafe])("%s is tried again after a 429, which did nothing", async (name) => {
  expect(await triesOf(name, apiError(429, atOnce))).toBe(2);
});

test.each([400, 401, 403, 404, 409, 500])("a %i is final", async (status) => {
  expect(await triesOf("getWebhook", apiError(status, atOnce))).toBe(1);
});

test("a 2xx that breaks the contract is not retried", async () => {
  expect(await triesOf("getWebhook", json(200, null))).toBe(1);
});

test("there are two retries unless maxRetries says otherwise, and the last failure is thrown", async () => {
  const { baseUrl, received } = await serve(apiError(503, atOnce));
  await expect(createWebhooksClient({ baseUrl, apiKey }).listChains()).rejects.toMatchObject({ status: 503 });
  expect(received.length).toBe(3);
  await expect(createWebhooksClient({ baseUrl, apiKey, maxRetries: 0 }).listChains()).rejects.toThrow("503");
  expect(received.length).toBe(4);
  await expect(createWebhooksClient({ baseUrl, apiKey, maxRetries: 5 }).listChains()).rejects.toThrow("503");
  expect(received.length).toBe(10);
});

test("all tries of a creation carry one Idempotency-Key, made for the call", async () => {
  const { baseUrl, received } = await serve(apiError(503, atOnce), apiError(429, atOnce), json(201, webhook));
  const client = createWebhooksClient({ baseUrl, apiKey });
  await client.createWebhook({ body: createBody });
  await client.createWebhook({ body: createBody });
  const keys = received.map(({ headers }) => headers["idempotency-key"]);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
  expect(keys[3]).not.toBe(keys[0]);
});

test("the Idempotency-Key of the caller is kept", async () => {
  const { baseUrl, received } = await serve(apiError(503, atOnce), json(201, webhook));
  const client = createWebhooksClient({ baseUrl, apiKey });
  await client.createWebhook({ body: createBody, headers: { "Idempotency-Key": "mine" } });
  expect(received.map(({ headers }) => headers["idempotency-key"])).toEqual(["mine", "mine"]);
});

test("all tries send the same body, whatever the caller does to the object meanwhile", async () => {
  const body = structuredClone(createBody);
  const change: Reply = (response, request) => {
    body.name = "changed";
    apiError(503, atOnce)(response, request);
  };
  const { baseUrl, received } = await serve(change, json(201, webhook));
  await createWebhooksClient({ baseUrl, apiKey }).createWebhook({ body });
  expect(received[1]?.body).toBe(received[0]?.body);
});

test("operations without an Idempotency-Key do not get one", async () => {
  const { baseUrl, received } = await serve(json(200, { secret: "whsec_AAAA" }));
  await createWebhooksClient({ baseUrl, apiKey }).rotateWebhookSecret({ path: { id } });
  expect(received[0]?.headers["idempotency-key"]).toBeUndefined();
});

test("Retry-After is waited for", async () => {
  const { baseUrl } = await serve(apiError(429, { "retry-after": "1" }), json(200, webhook));
  const start = performance.now();
  await createWebhooksClient({ baseUrl, apiKey }).getWebhook({ path: { id } });
  expect(performance.now() - start).toBeGreaterThan(990);
});

test("a Retry-After of more than 30 s fails immediately and is on the error", async () => {
  const { baseUrl, received } = await serve(apiError(429, { "retry-after": "31" }));
  const call = createWebhooksClient({ baseUrl, apiKey }).getWebhook({ path: { id } });
  await expect(call).rejects.toMatchObject({ code: "too_many_requests", retryAfterSeconds: 31 });
  expect(received.length).toBe(1);
});

test("the delays double from half a second, less up to half by chance, and stay under 30 s", () => {
  for (let retry = 0; retry < 12; retry++) {
    const delayMs = retryDelayMs(retry, undefined);
    const most = Math.min(500 * 2 ** retry, 30_000);
    expect(delayMs).toBeGreaterThanOrEqual(most / 2);
    expect(delayMs).toBeLessThanOrEqual(most);
  }
});

test.each([
  ["120", 120],
  ["0", 0],
  ["Thu, 01 Jan 2026 00:00:30 GMT", 30],
  ["Wed, 31 Dec 2025 23:59:00 GMT", 0],
  ["soon", undefined],
  ["", undefined],
  [null, undefined],
])("Retry-After %j is read as %j seconds", (value, seconds) => {
  expect(parseRetryAfter(value, Date.UTC(2026, 0, 1))).toBe(seconds);
});
