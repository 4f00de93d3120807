/** What the mock remembers, and the examples that answer where nothing was created. test/client/ compares it with the service. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { verifyNotification } from "../../client/receiver/index.ts";
import { newWebhook } from "../support/api.ts";
import { assertSchema } from "../support/closed-schema.ts";
import { assertError } from "../support/contract-check.ts";
import { eventually } from "../support/eventually.ts";
import { type Mock, mocks, startMock } from "../support/mock.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const example = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
const prefer = (preference: string) => ({ headers: { prefer: preference } });

describe.each(mocks)("%s", (_, startMock) => {
  let mock: Mock;
  let receiver: Receiver;
  beforeEach(async () => {
    [mock, receiver] = await Promise.all([startMock({ retryPauseMs: 50 }), startReceiver()]);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await mock.close();
    await receiver.close();
  });

  const create = async (changes: object = {}) => {
    const reply = await mock.call("POST", "/v1/webhooks", {
      body: newWebhook({ url: `${receiver.url}/hooks`, ...changes }),
    });
    expect(reply.status).toBe(201);
    return reply.body.id as string;
  };
  const ids = async (query = "?pageSize=100") =>
    (await mock.call("GET", `/v1/webhooks${query}`)).body.webhooks.map(({ id }: { id: string }) => id);

  test("until a webhook is created, the contract's examples are listed, and each is found by its id", async () => {
    const listed = await ids();
    expect(listed).toContain(example);
    expect(listed.length).toBeGreaterThan(2);
    for (const id of listed) expect((await mock.call("GET", `/v1/webhooks/${id}`)).body.id).toBe(id);
    expect(await ids("?status=inactive")).toEqual([]);
    expect((await mock.call("GET", `/v1/webhooks/${example}/notifications`)).body.notifications.length).toBeGreaterThan(
      0,
    );
    // What an example's url is must never be called.
    expect((await mock.call("POST", `/v1/webhooks/${example}/test`)).status).toBe(200);
    expect(mock.control.sent().sent).toEqual([]);
    const own = await create();
    expect(await ids()).toEqual([own]);
    expect((await mock.call("GET", `/v1/webhooks/${example}`)).status).toBe(200);
  });

  test("a webhook without a url is read by its feed, and nothing is sent", async () => {
    const { status, body } = await mock.call("POST", "/v1/webhooks", {
      body: newWebhook({ url: undefined, delivery: "feed" }),
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ delivery: "feed" });
    expect(body.url).toBeUndefined();
    const path = `/v1/webhooks/${body.id}`;
    const [sent] = await mock.control.send({ webhookId: body.id });
    expect(sent?.answer).toBeUndefined();
    const { notifications } = (await mock.call("GET", `${path}/feed`)).body;
    expect(notifications.map((fed: { payload: { messageId: string } }) => fed.payload.messageId)).toContain(
      sent?.messageId,
    );
    const listed = (await mock.call("GET", `${path}/notifications?status=delivered`)).body.notifications;
    expect(listed.length).toBe(notifications.length);
    expect(listed[0]).toMatchObject({ status: "delivered", attemptCount: 0 });
    const needsUrl = "needs a webhook with a url; this one has the delivery feed.";
    assertError(await mock.call("POST", `${path}/test`), 400, `A test ${needsUrl}`);
    const resend = await mock.call("POST", `${path}/notifications/${sent?.messageId}/resend`);
    assertError(resend, 400, `A resend ${needsUrl}`);
    const given = await mock.call("PATCH", path, { body: { url: `${receiver.url}/hooks` } });
    assertError(given, 400, "url must be absent: the webhook has the delivery feed.");
    expect(mock.control.sent().sent).toEqual([]);
  });

  test("an example that is changed stays changed, and one that is deleted is gone", async () => {
    const listed = await ids();
    await mock.call("PATCH", `/v1/webhooks/${example}`, { body: { name: "Ours now" } });
    expect((await mock.call("GET", `/v1/webhooks/${example}`)).body.name).toBe("Ours now");
    expect(await ids()).toEqual(listed);
    expect((await mock.call("DELETE", `/v1/webhooks/${example}`)).status).toBe(200);
    assertError(await mock.call("GET", `/v1/webhooks/${example}`), 404, `There is no webhook ${example}.`);
    expect(await ids()).toEqual(listed.filter((id: string) => id !== example));
    mock.control.reset();
    expect(await ids()).toEqual(listed);
  });

  test("a feed has what was sent, in order, and waits for what comes", async () => {
    const id = await create();
    const path = `/v1/webhooks/${id}/feed`;
    // A new webhook gets an example at once.
    await eventually(async () => expect((await mock.call("GET", path)).body.lastSequence).toBe(1));
    const waiting = mock.call("GET", `${path}?after=1&wait=30`);
    await mock.control.send({ webhookId: id });
    const { body } = await waiting;
    assertSchema("Feed", body);
    expect(body.notifications.map(({ sequence }: { sequence: number }) => sequence)).toEqual([2]);
    const [{ payload }] = body.notifications;
    expect((await mock.call("GET", `/v1/webhooks/${id}/notifications/${payload.messageId}`)).body.payload).toEqual(
      payload,
    );
    await mock.control.send({ webhookId: id });
    const headers = { "last-event-id": "2" };
    expect((await mock.call("GET", path, { headers })).body.notifications).toMatchObject([{ sequence: 3 }]);
    expect((await mock.call("GET", `${path}?after=3&wait=1`)).body).toEqual({ notifications: [], lastSequence: 3 });
    assertError(await mock.call("GET", `${path}?wait=31`), 400, "wait must be at most 30.");
  });

  test("an id that neither was created nor is an example's is a 404", async () => {
    const id = crypto.randomUUID();
    assertError(await mock.call("GET", `/v1/webhooks/${id}`), 404, `There is no webhook ${id}.`);
    assertError(await mock.call("POST", `/v1/webhooks/${id}/test`), 404, `There is no webhook ${id}.`);
  });

  test("Prefer asks for an example, and such a request changes nothing and sends nothing", async () => {
    const call = { body: newWebhook({ url: receiver.url }), ...prefer("example=wallet") };
    expect((await mock.call("POST", "/v1/webhooks", call)).body).toMatchObject({ addressCount: 2 });
    const id = await create();
    await receiver.waitFor(1);
    assertError(await mock.call("DELETE", `/v1/webhooks/${id}`, prefer("code=503")), 503);
    expect((await mock.call("DELETE", `/v1/webhooks/${id}`, prefer("example=deleted"))).status).toBe(200);
    expect(await ids()).toEqual([id]);
    assertError(await mock.call("GET", `/v1/webhooks/${id}`, prefer("code=418")), 400, /^The header prefer must name/);
    expect(receiver.deliveries).toHaveLength(1);
  });

  test("a new webhook gets one notification as its settings say, and a repeated creation none", async () => {
    const headers = { "idempotency-key": "once" };
    const body = newWebhook({
      url: `${receiver.url}/hooks`,
      chainId: "8453",
      includeInternalTxs: true,
      includeLogs: true,
    });
    const first = await mock.call("POST", "/v1/webhooks", { body, headers });
    const again = await mock.call("POST", "/v1/webhooks", { body, headers });
    expect(again.body).toEqual(first.body);
    const [sent] = await receiver.waitFor(1);
    const notification = await verifyNotification(
      sent?.rawBody ?? "",
      sent?.headers ?? {},
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    );
    assertSchema("AddressActivityNotification", notification);
    expect(notification).toMatchObject({
      webhookId: first.body.id,
      event: { transaction: { chainId: "8453" }, logs: expect.any(Array) },
    });
    expect(notification.event.transaction.internalTransactions?.length).toBeGreaterThan(0);
    await create({ url: `${receiver.url}/other` });
    const [plain] = await receiver.waitFor(1, ({ path }) => path === "/other");
    expect(plain?.notification.event.logs).toBeUndefined();
    expect(receiver.deliveries).toHaveLength(2);
  });

  test("what fails is retried until it succeeds, and what its Retry-After or the schedule says is shown", async () => {
    receiver.answer = (_, response) => response.writeHead(receiver.deliveries.length < 3 ? 503 : 204).end();
    const id = await create();
    const sent = await receiver.waitFor(3);
    expect(new Set(sent.map(({ rawBody }) => rawBody)).size).toBe(1);
    const record = async () => (await mock.call("GET", `/v1/webhooks/${id}/notifications`)).body.notifications[0];
    await expect.poll(record).toMatchObject({ status: "delivered", attemptCount: 3 });
    expect((await mock.call("GET", `/v1/webhooks/${id}`)).body.failingSince).toBeUndefined();
  });

  test("an endpoint that fails for five days makes its webhook inactive, which starts without failures when it is active again", async () => {
    receiver.answer = (_, response) => response.writeHead(500).end();
    const id = await create();
    const webhook = async () => (await mock.call("GET", `/v1/webhooks/${id}`)).body;
    await expect.poll(webhook).toHaveProperty("failingSince");
    const { failingSince } = await webhook();
    vi.useFakeTimers({ toFake: ["Date"], now: failingSince + 5 * 86_400_000 - 60_000 });
    await mock.control.send({ webhookId: id });
    expect(await webhook()).toMatchObject({ status: "active", failingSince });
    vi.setSystemTime(failingSince + 5 * 86_400_000 + 60_000);
    await mock.control.send({ webhookId: id });
    expect(await webhook()).toMatchObject({ status: "inactive", statusReason: "endpoint_failing", failingSince });
    receiver.answer = () => undefined;
    const { body } = await mock.call("PATCH", `/v1/webhooks/${id}`, { body: { status: "active" } });
    expect(body).toMatchObject({ status: "active", statusReason: "requested" });
    expect(body.failingSince).toBeUndefined();
  });

  test("nothing is sent while a webhook is inactive, and what waited follows when it is active again", async () => {
    const id = await create();
    await receiver.waitFor(1);
    await mock.call("PATCH", `/v1/webhooks/${id}`, { body: { status: "inactive" } });
    const [waiting] = await mock.control.send({ webhookId: id });
    expect(waiting).toEqual({ webhookId: id, messageId: expect.any(String), sequence: 2 });
    const path = `/v1/webhooks/${id}/notifications/${waiting?.messageId}`;
    expect((await mock.call("GET", path)).body).toMatchObject({ status: "pending", attemptCount: 0, attempts: [] });
    await mock.call("PATCH", `/v1/webhooks/${id}`, { body: { status: "active" } });
    await receiver.waitFor(1, ({ sequence }) => sequence === 2);
    expect(receiver.deliveries).toHaveLength(2);
  });

  test("a deleted webhook is sent nothing more", async () => {
    receiver.answer = (_, response) => response.writeHead(500).end();
    const id = await create();
    await receiver.waitFor(2);
    await mock.call("DELETE", `/v1/webhooks/${id}`);
    const before = mock.control.sent().sent.length;
    const other = await create({ url: `${receiver.url}/other` });
    await receiver.waitFor(3, ({ notification }) => notification.webhookId === other);
    expect(mock.control.sent().sent.filter(({ webhookId }) => webhookId === id).length).toBeLessThanOrEqual(before + 1);
  });
});

test("a page on another port of this machine may call it, its control and its documents", async () => {
  const mock = await startMock();
  onTestFinished(() => mock.close());
  for (const path of ["/v1/webhooks", "/_mock/notifications", "/v2", "/openapi.json"]) {
    const headers = { origin: "http://localhost:5173", "access-control-request-method": "POST" };
    const preflight = await fetch(mock.url + path, { method: "OPTIONS", headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe(headers.origin);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("DELETE");
    const answer = await fetch(mock.url + path, { headers: { origin: "http://localhost:5173" } });
    expect(answer.headers.get("access-control-allow-origin")).toBe(headers.origin);
  }
  const tooLong = await fetch(`${mock.url}/v1/webhooks?pageToken=${"x".repeat(20_000)}`);
  expect(tooLong.status).toBe(431);
  // Whose it was could not be read.
  expect(tooLong.headers.get("access-control-allow-origin")).toBeNull();
});
