/** `chain-webhooks-tools mock --stateless`: what it answers by itself, and the notification that it sends. */
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createWebhooksClient, WebhooksError } from "../../client/index.ts";
import { verifyNotification } from "../../client/receiver/index.ts";
import { siteFolder } from "../../server/api/documents.ts";
import { newWebhook } from "../support/api.ts";
import { assertSchema } from "../support/closed-schema.ts";
import { assertError } from "../support/contract-check.ts";
import { type StatelessMock, startStatelessMock } from "../support/mock.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

let mock: StatelessMock;
beforeAll(async () => {
  mock = await startStatelessMock();
});
afterAll(() => mock.close());

const id = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
const prefer = (preference: string) => ({ headers: { prefer: preference } });

describe("the notification of createWebhook", () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  const create = (more: { key?: string; headers?: Record<string, string>; changes?: object } = {}) => {
    const { changes, ...call } = more;
    return mock.call("POST", "/v1/webhooks", {
      body: newWebhook({ url: `${receiver.url}/hooks`, ...changes }),
      ...call,
    });
  };
  const nothingMore = () => new Promise((resolve) => setTimeout(resolve, 200));

  test("verifies with what getWebhookSecret answers, and carries every declared header", async () => {
    const created = await create();
    const [delivered] = await receiver.waitFor(1);
    const client = createWebhooksClient({ baseUrl: mock.url, apiKey: "any" });
    const { secret } = await client.getWebhookSecret({ path: { id: created.body.id } });
    expect(secret).toBe("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    const { path, headers = {}, rawBody = "" } = delivered ?? {};
    const notification = await verifyNotification(rawBody, headers, secret);
    assertSchema("AddressActivityNotification", notification);
    expect(path).toBe("/hooks");
    expect(notification.webhookId).toBe(created.body.id);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": notification.messageId,
      "webhook-sequence": "1",
    });
    expect(Math.abs(Number(headers["webhook-timestamp"]) - Date.now() / 1000)).toBeLessThan(60);
  });

  test("is the same for the same request, and is sent once", async () => {
    await create();
    await create();
    const [first, second] = await receiver.waitFor(2);
    await nothingMore();
    expect(second?.rawBody).toBe(first?.rawBody);
    expect(receiver.deliveries).toHaveLength(2);
  });

  test("is one of the webhook that was answered", async () => {
    const { body } = await create(prefer("example=multiTokenTransfer"));
    const [delivered] = await receiver.waitFor(1);
    expect(delivered?.notification.webhookId).toBe(body.id);
    expect(delivered?.rawBody).toContain("0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62");
  });

  test("is not sent when the answer is an error", async () => {
    assertError(await create({ key: "" }), 401);
    assertError(await create({ changes: { colour: "red" } }), 400);
    assertError(await create(prefer("code=429")), 429);
    assertError(await create(prefer("code=503")), 503);
    await nothingMore();
    expect(receiver.deliveries).toEqual([]);
  });

  test("does not disturb the mock when nobody listens at the url", async () => {
    expect((await create({ changes: { url: "http://127.0.0.1:2/hooks" } })).status).toBe(201);
    await expect.poll(() => mock.said.join("\n")).toContain("nothing listens there (ECONNREFUSED)");
    expect((await mock.call("GET", "/v1/chains")).status).toBe(200);
  });
});

describe("Prefer", () => {
  test.each([400, 401, 403, 404, 409, 413, 415, 429, 500, 502, 503] as const)("code=%d is answered", async (status) => {
    const operation = status === 404 ? `/v1/webhooks/${id}` : "/v1/webhooks";
    const call = status === 404 ? { body: {} } : { body: newWebhook() };
    const method = status === 404 ? "PATCH" : "POST";
    assertError(await mock.call(method, operation, { ...call, ...prefer(`code=${status}`) }), status);
  });

  test("example=NAME chooses among the examples, and Location goes along", async () => {
    const call = { body: newWebhook(), ...prefer("code=201, example=wallet") };
    const reply = await mock.call("POST", "/v1/webhooks", call);
    expect(reply.body).toMatchObject({ id: "f3b0c6a1-91d5-4a6e-b0a8-1c9a3f0d7e52", addressCount: 2 });
    expect(reply.headers.get("location")).toBe(`/v1/webhooks/${reply.body.id}`);
  });

  test.each([
    ["code=418", /^The header prefer must name a status that getWebhook has: 200, 400, /],
    ["code=lots", /^The header prefer must name a status/],
    ["example=moon", "The header prefer must name an example of the 200 of getWebhook: nonFungibleTransfer, inactive."],
    ["code=404, example=inactive", "The header prefer must name an example of the 404 of getWebhook: notFound."],
    ["dynamic=true", "The header prefer must not have dynamic=true; the mock makes nothing up."],
  ])("%s is a 400 that tells what there is", async (preference, message) => {
    assertError(await mock.call("GET", `/v1/webhooks/${id}`, prefer(preference)), 400, message);
  });

  test("a preference that it does not know changes nothing", async () => {
    expect((await mock.call("GET", `/v1/webhooks/${id}`, prefer("return=minimal"))).status).toBe(200);
  });
});

test("the same request has the same answer", async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => mock.call("GET", `/v1/webhooks/${id}`)));
  expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
});

test.each(["finalized", "both", { confirmations: 3 }])(
  "a webhook with finality %j is created on any chain",
  async (finality) => {
    const created = await mock.call("POST", "/v1/webhooks", { body: { ...newWebhook(), finality } });
    expect(created.status).toBe(201);
  },
);

test("a client throws the error that was preferred", async () => {
  const refuse: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    request.headers.set("prefer", "code=404");
    return fetch(request);
  };
  const client = createWebhooksClient({ baseUrl: mock.url, apiKey: "any", fetch: refuse });
  const error = await client.getWebhook({ path: { id } }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(WebhooksError);
  expect(error).toMatchObject({ code: "not_found", body: { message: `There is no webhook ${id}.` } });
});

test("a request that is not HTTP is a 400, and the mock keeps running", async () => {
  const { port } = new URL(mock.url);
  const socket = connect(Number(port), "127.0.0.1").end("NONSENSE\r\n\r\n");
  let answer = "";
  for await (const chunk of socket) answer += chunk;
  expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"statusCode":400/);
  expect((await mock.call("GET", "/v1/chains")).status).toBe(200);
});

test("HEAD, the documents and the docs page are served as by the service", async () => {
  expect((await mock.call("HEAD", "/v1/webhooks")).status).toBe(200);
  expect((await mock.call("GET", "/openapi.json")).body.openapi).toMatch(/^3\.1/);
  // A checkout whose site is not built says so.
  expect((await fetch(`${mock.url}/docs`)).status).toBe(existsSync(siteFolder) ? 200 : 503);
});
