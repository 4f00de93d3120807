/** What a test can make the mock do, below `/_mock` and in its own process. */
import { Agent, request } from "node:http";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { NotificationError, verifyNotification } from "../../client/receiver/index.ts";
import { newWebhook, send } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";
import { type Mock, mocks, startMock } from "../support/mock.ts";
import { type Delivered, type Receiver, startReceiver } from "../support/receiver.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

describe.each(mocks)("%s", (_, startMock) => {
  let mock: Mock;
  let receiver: Receiver;
  let id: string;
  beforeEach(async () => {
    [mock, receiver] = await Promise.all([startMock(), startReceiver()]);
    ({ id } = (await mock.call("POST", "/v1/webhooks", { body: newWebhook({ url: `${receiver.url}/hooks` }) })).body);
    await receiver.waitFor(1);
  });
  afterEach(async () => {
    await mock.close();
    await receiver.close();
  });

  /** The control needs no key. */
  const control = (method: string, path: string, body?: unknown) => send(`${mock.url}/_mock${path}`, method, { body });
  const later = () => receiver.deliveries.filter(({ sequence }) => sequence > 1);
  const sequences = (all: Delivered[]) => all.map(({ sequence }) => sequence);
  const verify = ({ rawBody, headers }: Delivered) => verifyNotification(rawBody, headers, secret);

  describe("send", () => {
    test("sends an example now, count times in order, and returns the answers", async () => {
      const { status, body } = await control("POST", "/notifications", { example: "fungible-transfer", count: 3 });
      expect(status).toBe(200);
      expect(body.sent).toHaveLength(3);
      for (const [index, one] of body.sent.entries())
        expect(one).toMatchObject({ webhookId: id, sequence: index + 2, answer: { responseStatus: 204 } });
      expect(sequences(later())).toEqual([2, 3, 4]);
      expect(new Set(later().map(({ notification }) => notification.messageId)).size).toBe(3);
      for (const one of later()) await verify(one);
      const { notifications } = (await mock.call("GET", `/v1/webhooks/${id}/notifications`)).body;
      expect(notifications.map(({ status }: { status: string }) => status)).toEqual(Array(4).fill("delivered"));
    });

    test("retracted sends the retraction after it", async () => {
      await mock.control.send({ retracted: true });
      const [first, second] = later() as [Delivered, Delivered];
      expect(first.notification.event.removed).toBeUndefined();
      expect(second.notification.event).toEqual({ ...first.notification.event, removed: true });
      expect(second.notification.messageId).not.toBe(first.notification.messageId);
      expect(await verify(second)).toMatchObject({ event: { removed: true } });
    });

    test("duplicated sends each twice, and one attempt is on record", async () => {
      const [sent] = await mock.control.send({ duplicated: true });
      expect(later()).toHaveLength(2);
      expect(later()[1]?.rawBody).toBe(later()[0]?.rawBody);
      expect(sequences(later())).toEqual([2, 2]);
      const path = `/v1/webhooks/${id}/notifications/${sent?.messageId}`;
      expect((await mock.call("GET", path)).body.attempts).toHaveLength(1);
    });

    test("outOfOrder sends the last first", async () => {
      await mock.control.send({ count: 3, outOfOrder: true });
      expect(sequences(later())).toEqual([4, 3, 2]);
    });

    test("wronglySigned is refused by a receiver, and is not on record", async () => {
      const [sent] = await mock.control.send({ wronglySigned: true });
      const [forged] = later() as [Delivered];
      await expect(verify(forged)).rejects.toThrow(NotificationError);
      assertError(await mock.call("GET", `/v1/webhooks/${id}/notifications/${sent?.messageId}`), 404);
      await mock.control.send();
      expect(sequences(later())).toEqual([2, 2]);
    });

    test("without a webhook, and for one that is not there, there is nothing to send", async () => {
      expect(await control("POST", "/notifications", { webhookId: crypto.randomUUID() })).toMatchObject({
        status: 404,
        body: { message: expect.stringMatching(/^There is no webhook /) },
      });
      mock.control.reset();
      expect(await control("POST", "/notifications")).toMatchObject({
        status: 404,
        body: { message: "There is no webhook; create one first." },
      });
    });
  });

  describe("fail", () => {
    test("makes the next requests fail with a status, and then none", async () => {
      mock.control.fail({ status: 503, count: 2, retryAfter: 0 });
      const list = () => mock.call("GET", "/v1/webhooks");
      const [first, second, third] = [await list(), await list(), await list()];
      for (const failed of [first, second]) assertError(failed, 503);
      expect(first.headers.get("retry-after")).toBe("0");
      expect(third.status).toBe(200);
    });

    test("a client that retries gets through", async () => {
      mock.control.fail({ status: 503, count: 1, retryAfter: 0 });
      mock.control.fail({ reset: true, count: 1 });
      const client = createWebhooksClient({ baseUrl: mock.url, apiKey: "any" });
      expect((await client.getWebhook({ path: { id } })).id).toBe(id);
    });

    test("only what has the status, and only the operation, is counted", async () => {
      await control("POST", "/failures", { status: 409, operationId: "createWebhook" });
      expect((await mock.call("GET", "/v1/webhooks")).status).toBe(200);
      assertError(await mock.call("POST", "/v1/webhooks", { body: {} }), 400);
      assertError(await mock.call("POST", "/v1/webhooks", { body: newWebhook() }), 409);
      await control("POST", "/failures", { status: 404 });
      expect((await mock.call("GET", "/v1/chains")).status).toBe(200);
      assertError(await mock.call("GET", `/v1/webhooks/${id}`), 404);
    });

    test("a failed change has changed nothing", async () => {
      mock.control.fail({ status: 500 });
      assertError(await mock.call("DELETE", `/v1/webhooks/${id}`), 500);
      expect((await mock.call("GET", `/v1/webhooks/${id}`)).status).toBe(200);
    });

    test("delayMs makes an answer late, and reset cuts the connection", async () => {
      const { body } = await control("POST", "/failures", { delayMs: 300 });
      expect(body.failing).toEqual([{ delayMs: 300, count: 1 }]);
      const began = performance.now();
      expect((await mock.call("GET", "/v1/webhooks")).status).toBe(200);
      expect(performance.now() - began).toBeGreaterThan(290);
      mock.control.fail({ reset: true });
      await expect(mock.call("GET", "/v1/webhooks")).rejects.toThrow(/fetch failed|Failed to fetch/);
      expect((await mock.call("GET", "/v1/webhooks")).status).toBe(200);
    });

    test("a delay ends with a reset, and with the mock", async () => {
      const isTaken = () => expect.poll(async () => (await control("GET", "")).body.failing).toEqual([]);
      mock.control.fail({ delayMs: 60_000 });
      const answered = mock.call("GET", "/v1/chains");
      await isTaken();
      mock.control.reset();
      expect((await answered).status).toBe(200);
      const stopped = await startMock();
      stopped.control.fail({ delayMs: 60_000 });
      const last = stopped.call("GET", "/v1/chains");
      await expect.poll(async () => (await stopped.call("GET", "/_mock")).body.failing).toEqual([]);
      await stopped.close();
      expect((await last).status).toBe(200);
    });
  });

  test("sent lists what was sent and what came back", async () => {
    receiver.answer = (_, response) => response.writeHead(500).end("no");
    await mock.control.send();
    await mock.call("POST", `/v1/webhooks/${id}/test`);
    const { body } = await control("GET", "/sent");
    expect(body).toMatchObject({
      forgotten: 0,
      sent: [
        { kind: "notification", sequence: 1, attempt: 1, trigger: "schedule", responseStatus: 204 },
        { kind: "notification", sequence: 2, responseStatus: 500, responseBody: "no", errorClass: "bad_status" },
        { kind: "test", sequence: 0, responseStatus: 500 },
      ],
    });
    expect(mock.control.sent()).toEqual(body);
    expect(JSON.stringify(body)).not.toContain("whsec_");
  });

  test("after a reset no more is sent of what was in flight, forged ones included", async () => {
    receiver.answer = () => undefined;
    const sending = mock.control.send({ wronglySigned: true, count: 3 });
    await receiver.waitFor(2);
    mock.control.reset();
    expect(await sending).toEqual([]);
    expect(later()).toHaveLength(1);
  });

  test("reset forgets webhooks, faults and what was sent", async () => {
    mock.control.fail({ status: 500, count: 10 });
    expect((await control("POST", "/reset")).status).toBe(200);
    assertError(await mock.call("GET", `/v1/webhooks/${id}`), 404);
    expect(mock.webhooks().map(({ id }) => id)).toContain("6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a");
    expect((await control("GET", "")).body).toMatchObject({ failing: [], webhooks: expect.any(Array) });
    expect((await control("GET", "/sent")).body.sent).toEqual([]);
  });

  test.each([
    ["/notifications", { colour: "red" }, "colour is not a known field."],
    ["/notifications", { cuont: 2 }, "cuont is not a known field; did you mean count?"],
    ["/notifications", { example: "moon" }, /^example must be one of non-fungible-transfer, /],
    ["/notifications", { count: 0 }, "count must be a whole number from 1 to 100."],
    ["/notifications", { count: 1e9 }, "count must be a whole number from 1 to 100."],
    ["/notifications", { duplicated: "yes" }, "duplicated must be true or false."],
    ["/notifications", { outOfOrder: true }, "outOfOrder must come with a count of at least 2, or with retracted."],
    ["/notifications", { wronglySigned: true, retracted: true }, /^wronglySigned must not come with/],
    ["/notifications", { webhookId: 7 }, "webhookId must be a string."],
    ["/notifications", [], "The body must be a JSON object."],
    ["/notifications", "{", /^The body must be a JSON object; .* line 1, column 2, where the body ends\.$/],
    ["/failures", {}, "status, delayMs or reset must say what happens to the next requests."],
    ["/failures", { status: 200 }, /^status must be one of 400, 401, /],
    ["/failures", { status: "503" }, /^status must be one of 400, 401, /],
    ["/failures", { status: { toString: 1 } }, /^status must be one of 400, 401, /],
    ["/failures", { delayMs: 1, retryAfter: 3 }, "retryAfter must come with a status."],
    ["/failures", { delayMs: 60_001 }, "delayMs must be a whole number from 0 to 60000."],
    ["/failures", { reset: true, status: 500 }, "reset must not come with a status: no answer is sent."],
    ["/failures", { status: 500, operationId: "dance" }, /^operationId must be one of createWebhook, /],
    [
      "/failures",
      { status: 409, operationId: "getWebhook" },
      /^status must be one that getWebhook can have: 400, 401, /,
    ],
  ])("POST %s with %j is a 400 that names the field", async (path, body, message) => {
    const reply = await control("POST", path, body);
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
  });

  test("what is too large, and what there is not, is refused in a sentence", async () => {
    const large = await control("POST", "/notifications", { example: "x".repeat(20_000) });
    expect(large).toMatchObject({ status: 413, body: { message: "The body must be at most 16 KiB." } });
    expect(await control("GET", "/nothing")).toMatchObject({
      status: 404,
      body: { message: "There is no /_mock/nothing; GET /_mock lists what there is." },
    });
    expect(await control("DELETE", "/sent")).toMatchObject({
      status: 405,
      body: { message: "The method must be one of GET." },
    });
  });
});

test("a reset is counted once with what a browser repeats by itself, and at once for others", async () => {
  const mock = await startMock();
  onTestFinished(() => mock.close());
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const list = (headers: object) =>
    new Promise<number | string>((resolve) =>
      request(`${mock.url}/v1/webhooks`, { agent, headers: { "x-service-api-key": "any", ...headers } })
        .on("response", (response) => response.resume().on("end", () => resolve(Number(response.statusCode))))
        .on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""))
        .end(),
    );
  const ofPage = { "sec-fetch-site": "same-origin" };
  expect(await list(ofPage)).toBe(200);
  mock.control.fail({ reset: true });
  expect([await list(ofPage), await list(ofPage), await list(ofPage)]).toEqual(["ECONNRESET", "ECONNRESET", 200]);
  mock.control.fail({ reset: true });
  expect([await list({}), await list({})]).toEqual(["ECONNRESET", 200]);
  agent.destroy();
});
