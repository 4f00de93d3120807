/** Webhooks without a URL, as far as the API alone decides; test/delivery/feed-only.test.ts has the rest. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Api, address, newWebhook, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";
import { record } from "../../support/sent.ts";

let api: Api;
let id: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const create = (changes: object = {}) =>
  api.call("POST", "/v1/webhooks", { body: newWebhook({ url: undefined, delivery: "feed", ...changes }) });

beforeEach(async () => {
  id = (await create()).body.id;
});

test("its record has no url, and says so, wherever it is shown", async () => {
  const { status, body } = await create();
  expect(status).toBe(201);
  expect(body).toMatchObject({ delivery: "feed", status: "active" });
  expect(body).not.toHaveProperty("url");
  expect((await api.call("GET", `/v1/webhooks/${body.id}`)).body).toEqual(body);
  expect((await api.call("GET", "/v1/webhooks?pageSize=1")).body.webhooks).toEqual([body]);
  expect((await api.call("PATCH", `/v1/webhooks/${body.id}`, { body: {} })).body).toEqual(body);
});

test("a webhook with a url has a record as before, also where it says so", async () => {
  const { body } = await api.call("POST", "/v1/webhooks", { body: newWebhook({ delivery: "url" }) });
  expect(body.url).toBe(newWebhook().url);
  expect(body).not.toHaveProperty("delivery");
});

test.each([
  [{ url: "https://example.com/hook" }, "url must be absent with delivery feed."],
  [{ compatibility: "glacier" }, "compatibility must be absent with delivery feed."],
  [{ maxPerSecond: 5 }, "maxPerSecond must be absent with delivery feed."],
  [
    { metadata: { addresses: [address(1)], batch: { maxItems: 2 } } },
    "metadata.batch must be absent with delivery feed.",
  ],
  [{ metadata: { addresses: [address(1)], ordered: true } }, "metadata.ordered must be absent with delivery feed."],
  [{ delivery: "url" }, "url is required unless delivery is feed."],
  [{ delivery: undefined }, "url is required unless delivery is feed."],
])("%j is refused", async (changes, message) => {
  assertError(await create(changes), 400, message);
});

test("whatever needs a url says why it cannot be done, and nothing is changed", async () => {
  const [messageId] = await record(api.pool, id, 1);
  const needsUrl = "needs a webhook with a url; this one has the delivery feed.";
  assertError(await api.call("POST", `/v1/webhooks/${id}/test`), 400, `A test ${needsUrl}`);
  const resend = await api.call("POST", `/v1/webhooks/${id}/notifications/${messageId}/resend`);
  assertError(resend, 400, `A resend ${needsUrl}`);
  const body = { url: "https://example.com/hook", name: "other" };
  const given = await api.call("PATCH", `/v1/webhooks/${id}`, { body });
  assertError(given, 400, "url must be absent: the webhook has the delivery feed.");
  expect((await api.call("GET", `/v1/webhooks/${id}`)).body.name).toBe(newWebhook().name ?? "");
  const changed = await api.call("PATCH", `/v1/webhooks/${id}`, { body: { delivery: "url" } });
  assertError(changed, 400, "delivery is not a known field.");
  for (const table of ["test_sends", "retries"])
    expect((await api.pool.query(`SELECT FROM ${table} WHERE webhook_id = $1`, [id])).rowCount).toBe(0);
});

test("it has a secret, with which its feed is passed on", async () => {
  const { status, body } = await api.call("GET", `/v1/webhooks/${id}/secret`);
  expect([status, body.secret]).toEqual([200, expect.stringMatching(/^whsec_/)]);
  expect((await api.call("POST", `/v1/webhooks/${id}/secret/rotate`)).status).toBe(200);
});

test("its notifications are delivered by being in the feed, whether it is active or not", async () => {
  const messageIds = await record(api.pool, id, 3);
  await api.call("PATCH", `/v1/webhooks/${id}`, { body: { status: "inactive" } });
  const list = async (query: string) =>
    (await api.call("GET", `/v1/webhooks/${id}/notifications?${query}`)).body.notifications;
  const all = await list("");
  expect(all.map((one: { messageId: string }) => one.messageId)).toEqual(messageIds);
  for (const one of all) expect(one).toMatchObject({ status: "delivered", attemptCount: 0 });
  expect(await list("status=delivered")).toEqual(all);
  expect(await list("status=delivered&pageSize=2")).toEqual(all.slice(0, 2));
  for (const status of ["pending", "failed"]) expect(await list(`status=${status}`)).toEqual([]);
  const detail = await api.call("GET", `/v1/webhooks/${id}/notifications/${messageIds[0]}`);
  expect(detail.body).toMatchObject({ status: "delivered", attempts: [] });
  const { notifications } = (await api.call("GET", `/v1/webhooks/${id}/feed`)).body;
  expect(notifications[0].payload).toEqual(detail.body.payload);
});

test("what another cell recorded before the account moved is listed, since it is delivered here, too", async () => {
  const [messageId] = await record(api.pool, id, 1);
  await api.pool.query("UPDATE notifications SET position = -position WHERE webhook_id = $1", [id]);
  const { notifications } = (await api.call("GET", `/v1/webhooks/${id}/notifications`)).body;
  expect(notifications).toMatchObject([{ messageId, status: "delivered" }]);
});
