/** Readers of feeds are divided among accounts, in connections and in what they have not taken. */
import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FeedReaders, feedHandlers } from "../../../server/api/handlers/feed.ts";
import { readLimits } from "../../../server/settings/limits.ts";
import { createKey } from "../../../server/store/accounts/keys.ts";
import { announceWork } from "../../../server/store/delivery/announcements.ts";
import { type Api, newWebhook, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";
import { eventually } from "../../support/eventually.ts";
import { record } from "../../support/sent.ts";

let api: Api;
beforeAll(async () => {
  // Six readers, of which an account may have three.
  api = await startApi({ limits: readLimits({ MAX_CONNECTIONS: "8" }) });
});
afterAll(() => api.close());

const create = async (key: string): Promise<string> =>
  (await api.call("POST", "/v1/webhooks", { key, body: newWebhook() })).body.id;

/** A stream that nobody reads any further. */
function open(id: string, key: string): Promise<{ status: number | undefined; leave(): void }> {
  return new Promise((resolve, reject) => {
    const headers = { accept: "text/event-stream", "x-service-api-key": key };
    const asked = request(`${api.url}/v1/webhooks/${id}/feed`, { headers, agent: false }, (response) => {
      response.on("error", () => undefined).pause();
      resolve({ status: response.statusCode, leave: () => asked.destroy() });
    });
    asked.on("error", reject).end();
  });
}

test("an account has at most half of the readers, and another one gets its own", async () => {
  const [ours, theirs] = [await create(api.keys.both), await create(api.keys.stranger)];
  const opened = [];
  for (let n = 0; n < 3; n += 1) opened.push(await open(ours, api.keys.both));
  expect(opened.map(({ status }) => status)).toEqual([200, 200, 200]);
  assertError(await api.call("GET", `/v1/webhooks/${ours}/feed`), 503, /too busy/);
  // Other requests of the account are not refused for its readers.
  expect((await api.call("GET", `/v1/webhooks/${ours}`)).status).toBe(200);
  const other = await open(theirs, api.keys.stranger);
  expect(other.status).toBe(200);
  for (const { leave } of [...opened, other]) leave();
  await eventually(async () => expect((await api.call("GET", `/v1/webhooks/${ours}/feed`)).status).toBe(200));
});

test("a reader that takes nothing keeps nobody else from reading", async () => {
  const [ours, theirs] = [await create(api.keys.both), await create(api.keys.stranger)];
  const stalled = await open(ours, api.keys.both);
  const waiting = api.call("GET", `/v1/webhooks/${theirs}/feed?wait=30`, { key: api.keys.stranger });
  await record(api.pool, ours, 2_000);
  await record(api.pool, theirs, 1);
  await announceWork(api.pool, "notifications");
  expect((await waiting).body.notifications.length).toBe(1);
  stalled.leave();
});

/** Makes a webhook's notifications as long as this. */
const lengthen = (id: string, bytes: number) =>
  api.pool.query(
    `UPDATE events SET body = '{"transaction":{"input":"' || repeat('0', $2) || '"}}'
     WHERE id IN (SELECT event_id FROM notifications WHERE webhook_id = $1)`,
    [id, bytes],
  );

/** Where a reader of this webhook belongs. */
async function placeOf(webhookId: string): Promise<{ webhookId: string; accountId: number; keyId: number }> {
  const { rows } = await api.pool.query<{ accountId: number; keyId: number }>(
    `SELECT w.account_id AS "accountId", k.id AS "keyId" FROM webhooks w JOIN api_keys k USING (account_id) WHERE w.id = $1 LIMIT 1`,
    [webhookId],
  );
  const [{ accountId, keyId } = { accountId: 0, keyId: 0 }] = rows;
  return { webhookId, accountId, keyId };
}

test("an account that has nothing reads, however much others have not taken", async () => {
  const { key } = await createKey(api.pool, { account: "a third", scopes: ["read", "write"] });
  const readers = new FeedReaders(api.pool);
  try {
    const nextOf = async (webhookId: string, waitMs?: number) => {
      const reader = await readers.open(await placeOf(webhookId), { after: 0, limit: 50 });
      return readers.next(reader, waitMs);
    };
    for (const [owner, count] of [
      [api.keys.both, 2],
      [api.keys.stranger, 1],
    ] as const) {
      const id = await create(owner);
      await record(api.pool, id, 1);
      await lengthen(id, 23_000_000);
      for (let n = 0; n < count; n += 1) expect((await nextOf(id))?.page.notifications.length).toBe(1);
    }
    const id = await create(key);
    await record(api.pool, id, 1);
    const part = await Promise.race([nextOf(id, 0), pause(3_000)]);
    expect(part?.page.notifications.length).toBe(1);
  } finally {
    readers.stop();
  }
});

test("a client that has left waits for no turn, and its page is kept for nobody", async () => {
  const id = await create(api.keys.both);
  await record(api.pool, id, 1);
  await lengthen(id, 2_000_000);
  const { webhookId, ...caller } = await placeOf(id);
  const readers = new FeedReaders(api.pool);
  const { readFeed } = feedHandlers(readers);
  const leaving: (() => void)[] = [];
  let settled = 0;
  const read = async () => {
    await readFeed({
      caller: { ...caller, scopes: ["read"] } as never,
      path: { id: webhookId },
      query: { limit: 50, wait: 0 },
      headers: {},
      body: undefined as never,
      wantsEvents: false,
      whenClosed: (act) => leaving.push(act),
    });
    settled += 1;
  };
  try {
    await Promise.race(Array.from({ length: 10 }, read));
    expect(settled).toBeLessThan(3);
    for (const leave of leaving) leave();
    await new Promise(setImmediate);
    expect(settled).toBe(10);
  } finally {
    readers.stop();
  }
});
