/** Feeds: what a reader gets, in which order, and when. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import validateNotification from "../../../generated/validate-notification.js";
import { FeedReaders, feedHandlers } from "../../../server/api/handlers/feed.ts";
import { createKey, revokeKey } from "../../../server/store/accounts/keys.ts";
import { announceWork } from "../../../server/store/delivery/announcements.ts";
import { type Api, newWebhook, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";
import { eventually } from "../../support/eventually.ts";
import { record } from "../../support/sent.ts";

let api: Api;
let id: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  id = (await api.call("POST", "/v1/webhooks", { body: newWebhook() })).body.id;
});

type Fed = { notifications: { sequence: number; payload: { messageId: string } }[]; lastSequence: number };

async function read(query = ""): Promise<Fed> {
  const { status, body } = await api.call("GET", `/v1/webhooks/${id}/feed?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const sequences = ({ notifications }: Fed) => notifications.map(({ sequence }) => sequence);

/** As a follower does it: what is recorded is announced. */
async function recordAndAnnounce(count: number, of = id): Promise<string[]> {
  const messageIds = await record(api.pool, of, count);
  await announceWork(api.pool, "notifications");
  return messageIds;
}

/** A stream of events, which is read as a page's EventSource does. */
async function openStream(
  query = "",
  { key = api.keys.both, lastEventId }: { key?: string; lastEventId?: number } = {},
) {
  const leaving = new AbortController();
  const response = await fetch(`${api.url}/v1/webhooks/${id}/feed?${query}`, {
    signal: leaving.signal,
    headers: {
      accept: "text/event-stream",
      "x-service-api-key": key,
      ...(lastEventId !== undefined && { "last-event-id": String(lastEventId) }),
    },
  });
  const stream = { response, text: "", ended: false, leave: () => leaving.abort() };
  const readAll = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) stream.text += decoder.decode(chunk, { stream: true });
  };
  void readAll()
    .catch(() => undefined)
    .finally(() => {
      stream.ended = true;
    });
  return Object.assign(stream, {
    events: () =>
      [...stream.text.matchAll(/^id: (\d+)\ndata: (.*)\n\n/gm)].map(([, id, data = ""]) => ({ id: Number(id), data })),
  });
}

test("a feed has the payloads after a sequence, in order, as getNotification has them", async () => {
  const messageIds = await record(api.pool, id, 5);
  const all = await read();
  expect(sequences(all)).toEqual([1, 2, 3, 4, 5]);
  expect(all.lastSequence).toBe(5);
  expect(all.notifications.map(({ payload }) => payload.messageId)).toEqual(messageIds);
  const { body } = await api.call("GET", `/v1/webhooks/${id}/notifications/${messageIds[2]}`);
  expect(all.notifications[2]?.payload).toEqual(body.payload);
  expect(sequences(await read("after=3"))).toEqual([4, 5]);
  expect(sequences(await read("after=1&limit=2"))).toEqual([2, 3]);
  expect(await read("after=5")).toEqual({ notifications: [], lastSequence: 5 });
});

test("a new webhook has an empty feed, and an inactive one has all that is recorded", async () => {
  expect(await read()).toEqual({ notifications: [], lastSequence: 0 });
  await record(api.pool, id, 2);
  await api.call("PATCH", `/v1/webhooks/${id}`, { body: { status: "inactive" } });
  expect(sequences(await read())).toEqual([1, 2]);
});

test("a reader waits for what is new, and for no longer than it asked", async () => {
  await record(api.pool, id, 1);
  const waiting = read("after=1&wait=30");
  const others = Array.from({ length: 20 }, () => read("after=1&wait=30"));
  await eventually(async () => expect((await read("after=1")).lastSequence).toBe(1));
  await recordAndAnnounce(1);
  for (const found of await Promise.all([waiting, ...others])) expect(sequences(found)).toEqual([2]);
  expect(await read("after=2&wait=1")).toEqual({ notifications: [], lastSequence: 2 });
});

test("what is not announced is found all the same", async () => {
  const waiting = read("after=0&wait=30");
  await record(api.pool, id, 1);
  expect(sequences(await waiting)).toEqual([1]);
});

test("what is no longer kept is a 410 that says where to go on", async () => {
  await record(api.pool, id, 5);
  await api.pool.query("DELETE FROM notifications WHERE webhook_id = $1 AND sequence <= 3", [id]);
  const reply = await api.call("GET", `/v1/webhooks/${id}/feed?after=2`);
  assertError(reply, 410, "after must be at least 3: the next notification that is kept has the sequence 4.");
  expect(reply.headers.get("webhook-first-sequence")).toBe("4");
  expect(sequences(await read("after=3"))).toEqual([4, 5]);
  // Without a place, it begins at the first that is kept.
  expect(sequences(await read())).toEqual([4, 5]);
  await api.pool.query("DELETE FROM notifications WHERE webhook_id = $1", [id]);
  expect((await api.call("GET", `/v1/webhooks/${id}/feed?after=2`)).headers.get("webhook-first-sequence")).toBe("6");
  expect(await read("after=5")).toEqual({ notifications: [], lastSequence: 5 });
});

test("a stream has an event for each notification, whose data is a valid notification", async () => {
  const messageIds = await record(api.pool, id, 2);
  const stream = await openStream();
  expect(stream.response.status).toBe(200);
  expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  await eventually(() => expect(stream.events().length).toBe(2));
  messageIds.push(...(await recordAndAnnounce(3)));
  await eventually(() => expect(stream.events().length).toBe(5));
  expect(stream.events().map((event) => event.id)).toEqual([1, 2, 3, 4, 5]);
  const sent = stream.events().map(({ data }) => JSON.parse(data));
  for (const payload of sent)
    expect(validateNotification(payload), JSON.stringify(validateNotification.errors)).toBe(true);
  expect(sent.map(({ messageId }) => messageId)).toEqual(messageIds);
  expect(stream.text).toMatch(/^:\n\n/);
  stream.leave();
});

test("a stream goes on after the Last-Event-ID, whatever the query says", async () => {
  await record(api.pool, id, 4);
  const stream = await openStream("after=1", { lastEventId: 3 });
  await eventually(() => expect(stream.events().map((event) => event.id)).toEqual([4]));
  stream.leave();
  const json = await api.call("GET", `/v1/webhooks/${id}/feed?after=0`, { headers: { "last-event-id": "2" } });
  expect(sequences(json.body)).toEqual([3, 4]);
});

test("a stream takes hundreds of notifications one after the other", async () => {
  await record(api.pool, id, 450);
  const stream = await openStream();
  await eventually(() => expect(stream.events().length).toBe(450));
  expect(stream.events().map((event) => event.id)).toEqual(Array.from({ length: 450 }, (_, n) => n + 1));
  stream.leave();
});

test("a stream that cannot begin is an error as any other", async () => {
  await record(api.pool, id, 3);
  await api.pool.query("DELETE FROM notifications WHERE webhook_id = $1 AND sequence = 1", [id]);
  const headers = { accept: "text/event-stream" };
  assertError(await api.call("GET", `/v1/webhooks/${id}/feed?after=0`, { headers }), 410, /sequence 2/);
  const other = id.replace(/^./, id.startsWith("0") ? "1" : "0");
  assertError(await api.call("GET", `/v1/webhooks/${other}/feed`, { headers }), 404, /There is no webhook/);
  assertError(await api.call("GET", `/v1/webhooks/${id}/feed`, { headers, key: api.keys.stranger }), 404, /no webhook/);
});

test("a stream ends when its key is revoked", async () => {
  const { key, prefix } = await createKey(api.pool, { account: "ours", scopes: ["read"] });
  const [stream, other] = [await openStream("", { key }), await openStream()];
  await revokeKey(api.pool, prefix);
  await eventually(() => expect(stream.ended).toBe(true));
  expect(other.ended).toBe(false);
  other.leave();
});

test("a stream ends when its webhook is deleted", async () => {
  const stream = await openStream();
  await api.call("DELETE", `/v1/webhooks/${id}`);
  await eventually(() => expect(stream.ended).toBe(true));
});

test("a stream goes on while its account leaves, and ends when the account has left", async () => {
  const setState = (state: string | null) =>
    api.pool.query("UPDATE accounts SET move_state = $1 WHERE name = 'ours'", [state]);
  await record(api.pool, id, 1);
  const stream = await openStream();
  try {
    await setState("leaving");
    await recordAndAnnounce(1);
    await eventually(() => expect(stream.events().length).toBe(2));
    expect(stream.ended).toBe(false);
    await setState("left");
    await eventually(() => expect(stream.ended).toBe(true));
  } finally {
    await setState(null);
  }
  // Nothing is recorded here any more.
  expect(stream.events().map((event) => event.id)).toEqual([1, 2]);
});

test("HEAD is answered at once, also for a stream", async () => {
  for (const accept of ["application/json", "text/event-stream"]) {
    const { status, body } = await api.call("HEAD", `/v1/webhooks/${id}/feed`, { headers: { accept } });
    expect([status, body]).toEqual([200, undefined]);
  }
});

test("whoever stops ends streams and waits at once", async () => {
  const own = await startApi();
  const made = (await own.call("POST", "/v1/webhooks", { body: newWebhook() })).body.id;
  const path = `/v1/webhooks/${made}/feed`;
  const waiting = own.call("GET", `${path}?wait=30`);
  const streaming = own.call("GET", path, { headers: { accept: "text/event-stream" } }).catch(() => undefined);
  await eventually(async () => {
    const { rows } = await own.pool.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
    );
    expect(rows.length).toBeGreaterThan(0);
  });
  const startedAt = performance.now();
  await own.close();
  expect((await waiting).status).toBeLessThan(504);
  await streaming;
  // Requests in flight have ten seconds, and these needed none.
  expect(performance.now() - startedAt).toBeLessThan(8_000);
});

test.each(["find-feeds", "read-feed-places"])(
  "a stop during %s is no empty feed, since there is more",
  async (name) => {
    await record(api.pool, id, 3);
    const { rows } = await api.pool.query("SELECT account_id FROM webhooks WHERE id = $1", [id]);
    const readers = new FeedReaders(api.pool);
    const query = api.pool.query.bind(api.pool) as (...of: unknown[]) => unknown;
    const spied = vi.spyOn(api.pool, "query").mockImplementation(((...of: unknown[]) => {
      if ((of[0] as { name?: string }).name === name) readers.stop();
      return query(...of);
    }) as never);
    try {
      const read = feedHandlers(readers).readFeed({
        caller: { accountId: rows[0].account_id, keyId: 1, scopes: ["read"] } as never,
        path: { id },
        query: { limit: 50, wait: 0 },
        headers: {},
        body: undefined as never,
        wantsEvents: false,
        whenClosed: () => undefined,
      });
      await expect(read).rejects.toMatchObject({ status: 503 });
    } finally {
      spied.mockRestore();
      readers.stop();
    }
  },
);

test.each([
  ["after=-1", "after must be at least 0."],
  ["limit=0", "limit must be at least 1."],
  ["limit=201", "limit must be at most 200."],
  ["wait=31", "wait must be at most 30."],
  ["wait=1.5", "wait must be an integer."],
])("%s is refused", async (query, message) => {
  assertError(await api.call("GET", `/v1/webhooks/${id}/feed?${query}`), 400, message);
});
