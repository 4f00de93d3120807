/**
 * Headers of a webhook's own: each POST to it has them, whatever else it has stays as it is, and nobody else's has them. They are encrypted like
 * signing secrets, and nothing is sent without them.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readNewWebhook } from "../../server/contract/webhook-input.ts";
import type { Delivery } from "../../server/delivery/deliver.ts";
import { hideValues } from "../../server/delivery/send/headers.ts";
import type { WebhookHeader, WebhookOptions } from "../../server/matching/new-webhook.ts";
import { newKey, parseKeyring } from "../../server/settings/keyring.ts";
import { readTest, requestTest } from "../../server/store/delivery/test-sends.ts";
import { inTransaction } from "../../server/store/pool.ts";
import { updateWebhook } from "../../server/store/webhooks/changes.ts";
import { replaceLost, reseal } from "../../server/store/webhooks/secret-keys.ts";
import { sealHeaders } from "../../server/store/webhooks/secrets.ts";
import { eventually } from "../support/eventually.ts";
import { example } from "../support/examples.ts";
import { type Outbox, type OutboxWebhook, openOutbox } from "../support/outbox.ts";

const { event } = example<{ event: unknown }>("notification.native-transfer");
const eventText = JSON.stringify(event);
const keyring = parseKeyring(newKey());
/** A request as it was written: names in their case, and each as often as it came. */
type Arrived = { path: string; headers: [name: string, value: string][]; body: string };

let outbox: Outbox;
let endpoint: Server;
let url: string;
const arrived: Arrived[] = [];
let answer = 204;
/** What is answered beside the status, by what came. */
let answerText: (post: Arrived) => string = () => "";
let deliveries: Delivery[] = [];
beforeAll(async () => {
  outbox = await openOutbox(undefined, keyring);
  endpoint = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { rawHeaders } = request;
    const headers = Array.from({ length: rawHeaders.length / 2 }, (_, at): [string, string] => [
      rawHeaders[2 * at] ?? "",
      rawHeaders[2 * at + 1] ?? "",
    ]);
    const post = { path: request.url ?? "", headers, body: Buffer.concat(chunks).toString() };
    arrived.push(post);
    response.writeHead(answer, answer === 307 ? { location: `${url}/elsewhere` } : {}).end(answerText(post));
  }).listen(0, "127.0.0.1");
  await once(endpoint, "listening");
  url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await Promise.all(deliveries.map((delivery) => delivery.stop()));
  deliveries = [];
  answer = 204;
  answerText = () => "";
});
afterAll(async () => {
  await outbox.close();
  endpoint.closeAllConnections();
  endpoint.close();
});

function deliver(options: Parameters<Outbox["deliver"]>[0] = {}): void {
  deliveries.push(outbox.deliver(options));
}

type Hook = OutboxWebhook & { posts(): Arrived[]; arrived(count: number): Promise<Arrived[]> };

async function hook(
  headers: readonly WebhookHeader[],
  {
    options,
    accountId,
    path = `/${crypto.randomUUID()}`,
  }: Partial<{ options: WebhookOptions; accountId: number; path: string }> = {},
): Promise<Hook> {
  const webhook = await outbox.addWebhook(url + path, undefined, accountId, options);
  if (headers.length > 0) await setHeaders(webhook, headers);
  const posts = () => arrived.filter(({ body }) => body.includes(webhook.id));
  return {
    ...webhook,
    posts,
    async arrived(count) {
      await eventually(() => expect(posts().length).toBeGreaterThanOrEqual(count));
      return posts();
    },
  };
}

const setHeaders = ({ id, accountId }: OutboxWebhook, headers: readonly WebhookHeader[], by = keyring) =>
  inTransaction(outbox.pool, (db) => updateWebhook(db, accountId, id, { headers: sealHeaders(id, headers, by) }));

const ownOf = ({ headers }: Arrived) =>
  headers.filter(([name]) => !/^(host|connection|content-|user-agent|webhook-|x-signature)/i.test(name));

async function sendTest({ id }: OutboxWebhook): Promise<void> {
  const messageId = (await requestTest(outbox.pool, id, eventText)) ?? "";
  await eventually(async () => expect(await readTest(outbox.pool, messageId)).toMatchObject({ delivered: true }));
}

const both: WebhookHeader[] = [
  ["Authorization", "Bearer 7a"],
  ["x-Route", "a b"],
];
const large = `{"transaction":{"input":"0x${"ab".repeat(200_000)}"}}`;

test.each<[what: string, options: WebhookOptions | undefined, text: string]>([
  ["a notification", undefined, eventText],
  ["a batch", { batch: { maxItems: 2, maxWaitMs: 0 } }, eventText],
  ["an ordered one", { ordered: true }, eventText],
  ["Glacier's form", { compatibility: "glacier", includeTransfers: true }, eventText],
  ["one that is prepared piece by piece", undefined, large],
])("%s has them as they were given, and so has a test; the rest is as without them", async (_, options, text) => {
  deliver();
  const [plain, own] = [
    await hook([], { ...(options && { options }) }),
    await hook(both, { ...(options && { options }) }),
  ];
  await outbox.append([plain, own], 1, text);
  await sendTest(plain);
  await sendTest(own);
  const [without, withOwn] = [await plain.arrived(2), await own.arrived(2)];
  for (const post of withOwn) expect(ownOf(post)).toEqual(both);
  for (const post of without) expect(ownOf(post)).toEqual([]);
  const rest = ({ headers }: Arrived) =>
    headers.map(([name]) => name).filter((name) => !both.some(([own]) => own === name));
  expect(withOwn.map(rest)).toEqual(without.map(rest));
});

test("no name that the service sends can be a webhook's own", async () => {
  deliver();
  const glacier = await hook([], { options: { compatibility: "glacier", includeTransfers: true } });
  await outbox.append([glacier], 1, eventText);
  await outbox.pool.query("SELECT 1");
  const [post] = await glacier.arrived(1);
  const names = (post?.headers ?? []).map(([name]) => name);
  expect(names).toEqual(
    expect.arrayContaining(["host", "connection", "content-type", "content-length", "user-agent", "x-signature"]),
  );
  expect(names).toEqual(
    expect.arrayContaining(["webhook-id", "webhook-timestamp", "webhook-signature", "webhook-sequence"]),
  );
  const body = {
    ...{ url, chainId: "1", eventType: "address_activity" as const },
    metadata: { addresses: [`0x${"01".repeat(20)}`] },
  };
  const policy = { chains: [{ chainId: "1", name: "", traces: true }], allowPrivateTargets: true };
  for (const name of names)
    await expect(readNewWebhook({ ...body, headers: { [name.toUpperCase()]: "x" } }, policy)).rejects.toThrow(
      "must be absent: the service sends it itself, or HTTP needs it.",
    );
});

test("what an earlier version stored, and a later one reserves, is left out", async () => {
  deliver();
  const webhook = await hook([
    ["x-kept", "1"],
    ["traceparent", "00-1"],
    ["x-split", "a\r\nx-injected: 1"],
    ["Host", "evil.example"],
  ]);
  await outbox.append([webhook], 1, eventText);
  const [post] = await webhook.arrived(1);
  expect(post && ownOf(post)).toEqual([["x-kept", "1"]]);
  expect(post?.headers.filter(([name]) => name.toLowerCase() === "host")).toEqual([["host", new URL(url).host]]);
});

test("webhooks of several accounts at one endpoint, over the same connections, each have their own", async () => {
  deliver();
  const [one, two] = [await outbox.addAccount(), await outbox.addAccount()];
  const path = `/${crypto.randomUUID()}`;
  const hooks = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const headers: WebhookHeader[] = n % 3 === 0 ? [] : [["authorization", `Bearer ${n}`]];
      const options = {
        ...(n % 4 === 1 && { batch: { maxItems: 5, maxWaitMs: 10 } }),
        ...(n % 4 === 2 && { ordered: true }),
      };
      return { headers, webhook: await hook(headers, { path, options, accountId: n % 2 === 0 ? one : two }) };
    }),
  );
  for (let round = 0; round < 5; round += 1)
    await outbox.append(
      hooks.map(({ webhook }) => webhook),
      5,
      eventText,
    );
  for (const { headers, webhook } of hooks) {
    await eventually(() => expect(webhook.posts().flatMap(({ body }) => JSON.parse(body)).length).toBe(25));
    for (const post of webhook.posts()) expect(ownOf(post)).toEqual(headers);
  }
});

test("a change holds for later POSTs, retries included, and the removal does", async () => {
  deliver();
  const webhook = await hook([["x-key", "first"]]);
  answer = 500;
  await outbox.append([webhook], 1, eventText);
  await webhook.arrived(1);
  await eventually(async () => expect((await outbox.attempts(webhook)).length).toBe(1));
  answer = 204;
  await setHeaders(webhook, [["x-key", "second"]]);
  const shown = async () => ownOf((await webhook.arrived(1)).at(-1) as Arrived);
  await eventually(async () => {
    await outbox.append([webhook], 1, eventText);
    expect(await shown()).toEqual([["x-key", "second"]]);
  });
  const { length } = webhook.posts();
  await outbox.pool.query("UPDATE retries SET due_at = now() WHERE webhook_id = $1", [webhook.id]);
  const posts = await webhook.arrived(length + 1);
  for (const post of posts.slice(length)) expect(ownOf(post)).toEqual([["x-key", "second"]]);
  await setHeaders(webhook, []);
  await eventually(async () => {
    await outbox.append([webhook], 1, eventText);
    expect(await shown()).toEqual([]);
  });
});

test("no redirect is followed with them", async () => {
  deliver();
  answer = 307;
  const webhook = await hook(both);
  await outbox.append([webhook], 1, eventText);
  await eventually(async () => expect(await outbox.attempts(webhook)).toMatchObject([{ status: 307 }]));
  expect(arrived.some(({ path }) => path === "/elsewhere")).toBe(false);
});

test.each<[what: string, text: (post: Arrived) => string, kept: string]>([
  ["whole", ({ headers }) => JSON.stringify(Object.fromEntries(headers)), '"Authorization":"[header]"'],
  ["its token alone, as JSON", () => JSON.stringify({ token: 'dXNlcjpwYXNz"\\word' }), '{"token":"[header]"}'],
  ["cut off", () => `${"x".repeat(1_024 - 12)}Basic dXNlcjpwYXNz`, "xx[header]"],
])("what the endpoint repeats of them is not kept, %s", async (_, text, kept) => {
  deliver();
  answer = 500;
  answerText = text;
  const webhook = await hook([
    ["Authorization", 'Basic dXNlcjpwYXNz"\\word'],
    ["X-Short", "e"],
  ]);
  await outbox.append([webhook], 1, eventText);
  await eventually(async () => expect((await outbox.attempts(webhook)).length).toBe(1));
  const [{ body } = { body: "" }] = await outbox.attempts(webhook);
  expect(body).toContain(kept);
  expect(body).not.toContain("dXNlcjpw");
});

test("what is kept is hidden in the ways in which programs write values", () => {
  const own = ["Authorization", "Basic dXNl/jpw+YXN&z==", "x-short", "e/"];
  const token = '"dXNl\\/jpw+YXN&z==" dXNl%2Fjpw%2BYXN%26z%3D%3D dXNl/jpw+YXN&amp;z== Basic dXNl\\/jpw+Y';
  expect(hideValues(own, token)).toBe('"[header]" [header] [header] [header]');
  expect(hideValues(own, "e/ Basic dXNl/j dXNl/jp")).toBe("e/ Basic dXNl/j dXNl/jp");
});

test("looking for values takes little time, whatever they are and whatever is answered", () => {
  const as = (count: number, end: string) => ["x", `${"a".repeat(count)}${end}`];
  const own = [...as(1_000, "b"), ...as(1_000, "/c"), ...as(1_000, '"d'), ...as(1_000, "e f")];
  const from = process.cpuUsage();
  for (let answers = 0; answers < 50; answers += 1) hideValues(own, `${"a".repeat(1_023)}z`);
  const { user, system } = process.cpuUsage(from);
  // On a quiet machine it takes 60 ms. Comparing each beginning takes 1,000.
  expect((user + system) / 1_000).toBeLessThan(400);
});

const other = parseKeyring(newKey());

test("without their key nothing is sent, by tests neither, and the log names the webhook; with it, all is sent", async () => {
  const lines: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
  const [webhook, plain] = [await hook([]), await hook([])];
  await reseal(outbox.pool, keyring, other);
  await setHeaders(webhook, both);
  deliver({ keyring: other, log });
  await outbox.append([webhook, plain], 2, eventText);
  await plain.arrived(2);
  await eventually(() => expect(lines.length).toBeGreaterThan(0));
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    ...{ waiting: 1, webhookIds: [webhook.id] },
    err: {
      message: expect.stringContaining(`What the headers of the webhook ${webhook.id} contain is encrypted under`),
    },
  });
  const messageId = await requestTest(outbox.pool, webhook.id, eventText);
  await expect.poll(() => readTest(outbox.pool, messageId ?? "")).toBe("taken");
  expect(webhook.posts()).toEqual([]);
  expect((await reseal(outbox.pool, keyring, other)).unreadable).toEqual([]);
  for (const post of await webhook.arrived(2)) expect(ownOf(post)).toEqual(both);
  await reseal(outbox.pool, other, keyring);
});

test("where their key is lost, the webhook waits until its owner sets others, or none", async () => {
  const [changed, removed] = [await hook(both), await hook(both)];
  await reseal(outbox.pool, keyring, other);
  for (const webhook of [changed, removed]) await setHeaders(webhook, both);
  expect(await replaceLost(outbox.pool, other)).toEqual([`headers ${changed.id}`, `headers ${removed.id}`].sort());
  const lines: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
  deliver({ keyring: other, log });
  await outbox.append([changed, removed], 1, eventText);
  await eventually(() => expect(lines.join()).toContain("was lost with its key"));
  expect([...changed.posts(), ...removed.posts()]).toEqual([]);
  await setHeaders(changed, [["x-new", "1"]], other);
  await setHeaders(removed, [], other);
  expect(ownOf((await changed.arrived(1))[0] as Arrived)).toEqual([["x-new", "1"]]);
  expect(ownOf((await removed.arrived(1))[0] as Arrived)).toEqual([]);
  await reseal(outbox.pool, other, keyring);
});
