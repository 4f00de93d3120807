/** Operational events on their way: registered over the API, signed, retried, in the feed, and nothing of them where webhooks are. */
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createWebhooksClient, type WebhooksClient } from "../../client/index.ts";
import { verifyOperationalEvent } from "../../client/receiver/index.ts";
import { type Delivery, startDelivery } from "../../server/delivery/deliver.ts";
import { startReporting } from "../../server/operational/watch.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { createKey, findCaller } from "../../server/store/accounts/keys.ts";
import { appendNotifications } from "../../server/store/outbox/append.ts";
import { inTransaction } from "../../server/store/pool.ts";
import { type Api, newWebhook, startApi } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const log = pino({ level: process.env.TEST_LOG ?? "silent" });
const operational = "/v1/operational-webhook";
let api: Api;
let receiver: Receiver;
let delivery: Delivery;
let telling: { stop(): Promise<void> };
/** A key of an account of each test's own. */
let key: string;
let client: WebhooksClient;
let accountId: number;

beforeAll(async () => {
  [api, receiver] = await Promise.all([startApi({ allowPrivateTargets: true }), startReceiver()]);
  const of = { pool: api.pool, log, leaseSeconds: 60 };
  delivery = startDelivery({
    ...of,
    keyring: noKeys,
    allowPrivateTargets: true,
    timeoutMs: 60_000,
    retryPausesMs: [50, 50],
  });
  telling = startReporting({ ...of, inactiveAfterDays: 5, everyMs: 50, holdMs: 0, onSaid: delivery.wake });
});
afterAll(async () => {
  await telling.stop();
  await delivery.stop();
  await Promise.all([api.close(), receiver.close()]);
});
beforeEach(async () => {
  ({ key } = await createKey(api.pool, { account: crypto.randomUUID(), scopes: ["read", "write"] }));
  accountId = (await findCaller(api.pool, key))?.accountId ?? 0;
  client = createWebhooksClient({ baseUrl: api.url, apiKey: key });
});
afterEach(() => {
  receiver.answer = (_, response) => response.writeHead(204).end();
});

const call = (method: string, path: string, body?: unknown) => api.call(method, path, { key, body });
const path = () => `/${crypto.randomUUID()}`;
const stop = (reason: string | null) =>
  api.pool.query(
    "UPDATE chain_lanes SET stopped = $1::text, stopped_since = CASE WHEN $1::text IS NULL THEN NULL ELSE now() END WHERE chain_id = '43113'",
    [reason],
  );
const watch = (url = "https://example.com/hook") => call("POST", "/v1/webhooks", newWebhook({ url, chainId: "43113" }));

test("an event is signed by the operational webhook's secret, has its own headers, and is in the feed as it was sent", async () => {
  const own = path();
  const registered = await call("PUT", operational, {
    url: receiver.url + own,
    headers: { Authorization: "Bearer 7a" },
  });
  expect(registered).toMatchObject({
    status: 200,
    body: { format: "signed", status: "active", headerNames: ["Authorization"] },
  });
  await watch();
  await stop("No node.");
  const [sent] = await receiver.waitFor(1, (one) => one.path === own);
  await stop(null);
  const both = await receiver.waitFor(2, (one) => one.path === own);
  const { secret } = await client.getOperationalSecret();
  const events = await Promise.all(
    both.map(({ rawBody, headers }) => verifyOperationalEvent(rawBody, headers, secret)),
  );
  expect(events.map(({ type, subject }) => [type, subject])).toEqual([
    ["chain.stopped", "chain:43113"],
    ["chain.resumed", "chain:43113"],
  ]);
  expect(sent?.headers).toMatchObject({ authorization: "Bearer 7a", "webhook-sequence": "1" });
  const feed = await client.readOperationalFeed();
  expect(feed).toEqual({
    notifications: events.map((payload, index) => ({ sequence: index + 1, payload })),
    lastSequence: 2,
  });
  expect(JSON.stringify(feed.notifications[0]?.payload)).toBe(sent?.rawBody);
  expect(await client.readOperationalFeed({ query: { after: 1 } })).toMatchObject({ notifications: [{ sequence: 2 }] });
  await expect(verifyOperationalEvent(`${sent?.rawBody} `, sent?.headers ?? {}, secret)).rejects.toMatchObject({
    code: "invalid_signature",
  });
});

test("a reader that waits gets an event as it comes, as JSON and as a stream", async () => {
  await call("PUT", operational, {});
  await watch();
  const waiting = client.readOperationalFeed({ query: { after: 0, wait: 30 } });
  const stream = await fetch(`${api.url}${operational}/feed`, {
    headers: { "x-service-api-key": key, accept: "text/event-stream" },
  });
  await stop("No node.");
  expect(await waiting).toMatchObject({ notifications: [{ payload: { type: "chain.stopped" } }] });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n\n") || !text.includes("data:")) text += (await reader?.read())?.value ?? "";
  expect(text).toMatch(/^id: 1\ndata: \{"messageId":"[0-9a-f-]{36}","type":"chain.stopped"/m);
  await reader?.cancel();
  await stop(null);
});

test("a reader that goes on after a feed that was deleted is notified, and misses nothing of the new one", async () => {
  await call("PUT", operational, {});
  await watch();
  await stop("No node.");
  await eventually(async () => expect(await client.readOperationalFeed()).toMatchObject({ lastSequence: 1 }));
  await call("DELETE", operational);
  await stop(null);
  await call("PUT", operational, {});
  const read = (headers: Record<string, string>, query: string) =>
    fetch(`${api.url}${operational}/feed${query}`, { headers: { "x-service-api-key": key, ...headers } });
  for (const [headers, query] of [
    [{}, "?after=1&wait=1"],
    [{ accept: "text/event-stream", "last-event-id": "1" }, ""],
  ] as const) {
    const gone = await read(headers, query);
    expect([gone.status, gone.headers.get("webhook-first-sequence")]).toEqual([410, "1"]);
    expect(await gone.json()).toMatchObject({ message: expect.stringContaining("after must be at most 0") });
  }
  expect(await client.readOperationalFeed({ query: { after: 0 } })).toEqual({ notifications: [], lastSequence: 0 });
});

test("an endpoint that refuses gets the event again, and the record says that it fails", async () => {
  const own = path();
  receiver.answer = (_, response) => response.writeHead(500).end();
  await call("PUT", operational, { url: receiver.url + own });
  await watch();
  await stop("No node.");
  const [first, second] = await receiver.waitFor(2, (one) => one.path === own);
  expect(second?.rawBody).toBe(first?.rawBody);
  await eventually(async () => expect(await client.getOperationalWebhook()).toHaveProperty("failingSince"));
  await stop(null);
  // All attempts are used up. Nothing is said of that.
  await receiver.waitFor(6, (one) => one.path === own);
  const { rows } = await api.pool.query(
    "SELECT body FROM notifications n JOIN events e ON e.id = n.event_id JOIN webhooks w ON w.id = n.webhook_id WHERE account_id = $1",
    [accountId],
  );
  expect(rows).toHaveLength(2);
});

test("a 410 makes it inactive, what happens meanwhile waits, and registering again sends it", async () => {
  const own = path();
  receiver.answer = (_, response) => response.writeHead(410).end();
  await call("PUT", operational, { url: receiver.url + own });
  await watch();
  await stop("No node.");
  await eventually(async () =>
    expect(await client.getOperationalWebhook()).toMatchObject({ status: "inactive", statusReason: "endpoint_gone" }),
  );
  await stop(null);
  receiver.answer = (_, response) => response.writeHead(204).end();
  expect(await call("PUT", operational, { url: receiver.url + own })).toMatchObject({
    body: { status: "active", statusReason: "requested" },
  });
  await eventually(() => {
    const accepted = receiver.deliveries.filter((one) => one.path === own && one.answered === 204);
    expect(accepted.map(({ notification }) => (notification as unknown as { type: string }).type).sort()).toEqual([
      "chain.resumed",
      "chain.stopped",
    ]);
  });
});

test("an endpoint's way from failing to gone is reported to its account, from real attempts", async () => {
  const [own, hook] = [path(), path()];
  await call("PUT", operational, { url: receiver.url + own });
  receiver.answer = (one, response) => response.writeHead(one.path === hook ? 410 : 204).end();
  const { body: webhook } = await watch(receiver.url + hook);
  await notify(webhook.id, 1);
  const [reported] = await receiver.waitFor(1, (one) => one.path === own);
  expect(reported?.notification).toMatchObject({
    type: "webhook.deactivated",
    data: { webhookId: webhook.id, reason: "endpoint_gone" },
  });
});

test("real attempts that are used up are counted, and few events report of them", async () => {
  const [own, hook] = [path(), path()];
  await call("PUT", operational, { url: receiver.url + own });
  receiver.answer = (one, response) => response.writeHead(one.path === hook ? 500 : 204).end();
  const { body: webhook } = await watch(receiver.url + hook);
  await notify(webhook.id, 5);
  await eventually(() => {
    const reported = receiver.deliveries.flatMap((one) => (one.path === own ? [JSON.parse(one.rawBody)] : []));
    expect(reported.every(({ type }) => type === "webhook.notifications_failed")).toBe(true);
    expect(reported.reduce((sum, { data }) => sum + data.count, 0)).toBe(5);
    expect(Math.max(...reported.map(({ data }) => data.lastSequence))).toBe(5);
  });
});

/** Records so many notifications for a webhook on 43113. */
async function notify(webhookId: string, count: number): Promise<void> {
  const { rows } = await api.pool.query("SELECT shard FROM webhooks WHERE id = $1", [webhookId]);
  const hash = `0x${"ab".repeat(32)}`;
  const block = { blockNumber: 1, blockHash: hash, transactionHash: hash, transactionIndex: 0, removed: false };
  const notifications = Array.from({ length: count }, (_, occurrence) => ({
    ...{ webhookId, shard: rows[0].shard, messageId: crypto.randomUUID(), occurrence },
    event: { ...block, body: '{"transaction":{}}' },
  }));
  await inTransaction(api.pool, (db) => appendNotifications(db, "43113", notifications));
  delivery.wake();
}

test("a test has the type test and the sequence 0; without a url it gets a 400", async () => {
  const own = path();
  await call("PUT", operational, { url: receiver.url + own });
  const outcome = await client.testOperationalWebhook();
  expect(outcome).toMatchObject({ delivered: true, responseStatus: 204 });
  const [sent] = await receiver.waitFor(1, (one) => one.path === own);
  expect(sent?.headers["webhook-sequence"]).toBe("0");
  const event = await verifyOperationalEvent(
    ...([sent?.rawBody ?? "", sent?.headers ?? {}, (await client.getOperationalSecret()).secret] as const),
  );
  expect(event).toMatchObject({ type: "test", messageId: outcome.messageId });
  await call("PUT", operational, {});
  expect(await call("POST", `${operational}/test`)).toMatchObject({ status: 400 });
  expect(await client.readOperationalFeed()).toEqual({ notifications: [], lastSequence: 0 });
});

test("another format has another body", async () => {
  const own = path();
  await call("PUT", operational, { url: receiver.url + own, format: "slack" });
  await client.testOperationalWebhook();
  const [sent] = await receiver.waitFor(1, (one) => one.path === own);
  expect(JSON.parse(sent?.rawBody ?? "")).not.toHaveProperty("messageId");
  expect(sent?.rawBody).toContain("test");
  // The form can be changed.
  await call("PUT", operational, { url: receiver.url + own });
  await client.testOperationalWebhook();
  const [, signed] = await receiver.waitFor(2, (one) => one.path === own);
  expect(JSON.parse(signed?.rawBody ?? "")).toMatchObject({ type: "test" });
});

test("PagerDuty gets the integration's key in the body, and its answers show nobody the key", async () => {
  const [own, key] = [path(), "0123456789abcdef0123456789abcdef"];
  receiver.answer = (_, response) => response.writeHead(400).end(`the key ${key} is not known`);
  const headers = { "x-routing-key": key };
  const put = await call("PUT", operational, { url: receiver.url + own, format: "pagerduty", headers });
  expect(put).toMatchObject({ status: 200, body: { format: "pagerduty", headerNames: ["x-routing-key"] } });
  const { responseBody } = await client.testOperationalWebhook();
  const [sent] = await receiver.waitFor(1, (one) => one.path === own);
  expect(JSON.parse(sent?.rawBody ?? "")).toMatchObject({ routing_key: key, event_action: "trigger" });
  expect(responseBody).toMatch(/^the key .+ is not known$/);
  expect(JSON.stringify([put, responseBody])).not.toContain(key);
});

test("without its url, what is there is only read", async () => {
  const own = path();
  receiver.answer = (_, response) => response.writeHead(500).end();
  await call("PUT", operational, { url: receiver.url + own });
  await watch();
  await stop("No node.");
  await receiver.waitFor(1, (one) => one.path === own);
  await call("PUT", operational, {});
  expect(await call("GET", operational)).toMatchObject({ body: { format: "signed" } });
  const sent = () => receiver.deliveries.filter((one) => one.path === own).length;
  const before = sent();
  await stop(null);
  await eventually(async () => expect((await client.readOperationalFeed()).lastSequence).toBe(2));
  // One may have been in flight.
  expect(sent() - before).toBeLessThanOrEqual(1);
});

test("what cannot be is refused by name", async () => {
  const refused = async (body: unknown, message: string) =>
    expect(await call("PUT", operational, body)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(message) },
    });
  await refused({ format: "slack" }, "format must be signed or absent without url");
  await refused({ headers: { A: "b" } }, "headers must be absent without url");
  await refused({ url: "ftp://example.com" }, "url");
  await refused({ url: receiver.url, format: "mail" }, "format");
  await refused({ url: receiver.url, headers: { "webhook-id": "1" } }, "headers.webhook-id");
  await refused({ url: receiver.url, format: "pagerduty" }, "headers must have X-Routing-Key");
  await refused({ url: receiver.url, format: "pagerduty", headers: { "X-Routing-Key": "short" } }, "32 characters");
  await refused({ url: receiver.url, name: "mine" }, "name");
  for (const [method, more] of [
    ["GET", ""],
    ["DELETE", ""],
    ["GET", "/feed"],
    ["GET", "/secret"],
    ["POST", "/secret/rotate"],
    ["POST", "/test"],
  ] as const)
    expect(await call(method, operational + more)).toMatchObject({
      status: 404,
      body: { message: "There is no operational webhook; PUT /v1/operational-webhook registers one." },
    });
  const put = (one: string) => api.call("PUT", operational, { key: one, body: {} });
  expect((await put(api.keys.read)).status).toBe(403);
  expect((await put(api.keys.write)).status).toBe(200);
  expect((await api.call("GET", `${operational}/secret`, { key: api.keys.read })).status).toBe(403);
  // It belongs to its account.
  expect((await api.call("GET", operational, { key: api.keys.stranger })).status).toBe(404);
});

test("it is no webhook: no list, count or operation of webhooks knows it", async () => {
  await call("PUT", operational, { url: receiver.url });
  const { rows } = await api.pool.query<{ id: string }>("SELECT id FROM webhooks WHERE account_id = $1", [accountId]);
  const id = rows[0]?.id;
  expect((await call("GET", "/v1/webhooks")).body).toEqual({ webhooks: [] });
  const { rows: accounts } = await api.pool.query("SELECT webhooks, addresses FROM accounts WHERE id = $1", [
    accountId,
  ]);
  expect(accounts).toEqual([{ webhooks: 0, addresses: 0 }]);
  const any = "0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10";
  for (const [method, more, body] of [
    ["GET", ""],
    ["PATCH", "", { name: "mine", status: "inactive" }],
    ["PATCH", "", { url: "https://example.com" }],
    ["DELETE", ""],
    ["GET", "/addresses"],
    ["PATCH", "/addresses", { addresses: [`0x${"1".repeat(40)}`] }],
    ["DELETE", "/addresses", { addresses: [`0x${"1".repeat(40)}`] }],
    ["GET", "/secret"],
    ["POST", "/secret/rotate"],
    ["POST", "/test"],
    ["GET", "/notifications"],
    ["GET", `/notifications/${any}`],
    ["POST", `/notifications/${any}/resend`],
    ["GET", "/feed"],
    ["POST", "/replays", { fromBlock: "1", toBlock: "1" }],
    ["GET", `/replays/${any}`],
    ["DELETE", `/replays/${any}`],
    ["GET", `/explain?txHash=0x${"1".repeat(64)}`],
  ] as [string, string, unknown?][])
    expect([method, more, (await call(method, `/v1/webhooks/${id}${more}`, body)).status]).toEqual([method, more, 404]);
  const { chains } = (await call("GET", "/v1/chains")).body;
  expect(JSON.stringify(chains)).not.toContain("operational");
  expect((await call("GET", operational)).body).toMatchObject({ url: receiver.url, status: "active" });
});

test("deleting drops what is pending; another one begins anew", async () => {
  const own = path();
  receiver.answer = (_, response) => response.writeHead(503, { "retry-after": "1" }).end();
  await call("PUT", operational, { url: receiver.url + own });
  await watch();
  await stop("No node.");
  await receiver.waitFor(1, (one) => one.path === own);
  const before = await client.getOperationalSecret();
  expect(await call("DELETE", operational)).toMatchObject({
    status: 200,
    body: { status: "inactive", url: receiver.url + own },
  });
  expect((await call("GET", operational)).status).toBe(404);
  receiver.answer = (_, response) => response.writeHead(204).end();
  await call("PUT", operational, {});
  // What lasts is reported to the new one.
  await eventually(async () =>
    expect(await client.readOperationalFeed()).toMatchObject({
      notifications: [{ sequence: 1, payload: { type: "chain.stopped" } }],
    }),
  );
  expect(await client.getOperationalSecret()).not.toEqual(before);
  await stop(null);
});

test("a rotated secret signs beside the one before", async () => {
  const own = path();
  await call("PUT", operational, { url: receiver.url + own });
  const before = await client.getOperationalSecret();
  const after = await client.rotateOperationalSecret();
  await client.testOperationalWebhook();
  const [sent] = await receiver.waitFor(1, (one) => one.path === own);
  for (const { secret } of [before, after])
    expect(await verifyOperationalEvent(sent?.rawBody ?? "", sent?.headers ?? {}, secret)).toMatchObject({
      type: "test",
    });
});
