/** Listing, getting and resending notifications, as far as the API alone decides. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { listenForWork } from "../../../server/store/delivery/announcements.ts";
import { type Api, newWebhook, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";
import { attempt, record } from "../../support/sent.ts";

let api: Api;
let id: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  id = (await api.call("POST", "/v1/webhooks", { body: newWebhook() })).body.id;
});

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

async function sequences(query: string): Promise<number[]> {
  const found: number[] = [];
  let path: string | undefined = `/v1/webhooks/${id}/notifications?${query}`;
  while (path) {
    const { status, body } = await api.call("GET", path);
    expect(status, JSON.stringify(body)).toBe(200);
    found.push(...body.notifications.map(({ sequence }: { sequence: number }) => sequence));
    path = body.nextPageToken && `/v1/webhooks/${id}/notifications?${query}&pageToken=${body.nextPageToken}`;
  }
  return found;
}

test("notifications are listed by status in ascending sequence, through all pages", async () => {
  await record(api.pool, id, 40);
  await attempt(api.pool, id, range(1, 20), "succeeded");
  await attempt(api.pool, id, range(21, 26), "failed");
  await attempt(api.pool, id, range(27, 30), "failed for good");
  await attempt(api.pool, id, [33], "succeeded");
  expect(await sequences("pageSize=7")).toEqual(range(1, 40));
  expect(await sequences("status=delivered&pageSize=7")).toEqual([...range(1, 20), 33]);
  expect(await sequences("status=pending&pageSize=5")).toEqual([...range(21, 26), 31, 32, ...range(34, 40)]);
  expect(await sequences("status=failed&pageSize=3")).toEqual(range(27, 30));
  expect(await sequences("status=failed&afterSequence=28")).toEqual([29, 30]);
  expect(await sequences("afterSequence=40")).toEqual([]);
});

test("a notification in a backlog is pending, however far the stream has been read", async () => {
  await record(api.pool, id, 10);
  await attempt(api.pool, id, range(1, 6), "succeeded");
  const { shard, position } = (
    await api.pool.query(
      "SELECT shard, max(position) AS position FROM notifications WHERE webhook_id = $1 GROUP BY 1",
      [id],
    )
  ).rows[0];
  await api.pool.query("INSERT INTO delivery_cursors VALUES ($1, '43114', $2, current_date)", [shard, position]);
  expect(await sequences("status=pending")).toEqual([]);
  await api.pool.query("INSERT INTO endpoint_states VALUES ($1, $2, 7, NULL)", [shard, id]);
  expect(await sequences("status=pending")).toEqual(range(7, 10));
  await record(api.pool, id, 1);
  expect(await sequences("status=pending")).toEqual(range(7, 11));
});

test("a page looks through a limited number of notifications, and the pages still come to an end", async () => {
  await api.pool.query("UPDATE webhook_sequences SET last_sequence = 5000000 WHERE webhook_id = $1", [id]);
  await record(api.pool, id, 10_050);
  await attempt(api.pool, id, range(5_010_020, 5_010_030), "succeeded");
  const { body } = await api.call("GET", `/v1/webhooks/${id}/notifications?status=delivered`);
  expect(body).toEqual({ notifications: [], nextPageToken: expect.any(String) });
  expect(await sequences("status=delivered")).toEqual(range(5_010_020, 5_010_030));
});

test("a notification is answered with its payload, before its first attempt too", async () => {
  const [messageId] = await record(api.pool, id, 1);
  const { status, body } = await api.call("GET", `/v1/webhooks/${id}/notifications/${messageId}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ messageId, sequence: 1, status: "pending", attemptCount: 0, attempts: [] });
  expect(body.payload).toMatchObject({ webhookId: id, messageId, eventType: "address_activity" });
  expect(body.txHash).toBe(body.payload.event.transaction.txHash);
  expect(body).not.toHaveProperty("lastAttempt");
  expect(body).not.toHaveProperty("nextAttemptAt");
});

test("a resend returns the notification's current state; without an attempt it waits for the first one", async () => {
  const [first, second] = await record(api.pool, id, 2);
  await attempt(api.pool, id, [1], "succeeded");
  const resend = (messageId?: string) => api.call("POST", `/v1/webhooks/${id}/notifications/${messageId}/resend`);
  expect(await resend(first)).toMatchObject({ status: 202, body: { messageId: first, status: "delivered" } });
  expect((await resend(first)).body).toMatchObject({ attemptCount: 1, nextAttemptAt: expect.any(Number) });
  expect((await resend(second)).body).toMatchObject({ messageId: second, status: "pending", attemptCount: 0 });
  const { rows } = await api.pool.query(
    "SELECT sequence, attempts, extra, delivered FROM retries WHERE webhook_id = $1",
    [id],
  );
  expect(rows).toEqual([{ sequence: 1, attempts: 1, extra: "resend", delivered: true }]);
});

test("a resend is announced to the processes that deliver, and so is a webhook that is active again", async () => {
  let heard = 0;
  const listener = listenForWork(api.pool, (work) => {
    if (work === "notifications") heard += 1;
  });
  await expect.poll(listener.hears).toBe(true);
  const [messageId] = await record(api.pool, id, 1);
  await attempt(api.pool, id, [1], "succeeded");
  await api.call("POST", `/v1/webhooks/${id}/notifications/${messageId}/resend`);
  await expect.poll(() => heard).toBe(1);
  await api.call("PATCH", `/v1/webhooks/${id}`, { body: { status: "inactive" } });
  await api.call("PATCH", `/v1/webhooks/${id}`, { body: { status: "active" } });
  await expect.poll(() => heard).toBe(2);
  listener.stop();
});

test("a notification is found under its own webhook only, and by its own account", async () => {
  const [messageId] = await record(api.pool, id, 1);
  const { body: other } = await api.call("POST", "/v1/webhooks", { body: newWebhook() });
  for (const [method, more] of [
    ["GET", ""],
    ["POST", "/resend"],
  ] as const) {
    const missing = await api.call(method, `/v1/webhooks/${other.id}/notifications/${messageId}${more}`);
    assertError(missing, 404, `There is no notification ${messageId} of the webhook ${other.id}.`);
    const key = api.keys.stranger;
    const strange = await api.call(method, `/v1/webhooks/${id}/notifications/${messageId}${more}`, { key });
    assertError(strange, 404, `There is no webhook ${id}.`);
  }
});

test.each([
  ["status=gone", "status must be one of pending, delivered, failed."],
  ["afterSequence=-1", "afterSequence must be at least 0."],
  ["afterSequence=x", "afterSequence must be an integer."],
  ["pageSize=201", "pageSize must be at most 200."],
  ["pageToken=abc", "pageToken must be the nextPageToken of the page before."],
])("%s is refused", async (query, message) => {
  assertError(await api.call("GET", `/v1/webhooks/${id}/notifications?${query}`), 400, message);
});

test("a messageId that is not a UUID is refused", async () => {
  const said = "messageId must be a UUID.";
  assertError(await api.call("GET", `/v1/webhooks/${id}/notifications/x`), 400, said);
});
