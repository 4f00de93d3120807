/** Notifications of many megabytes: they are sent as they are, and the process does other things meanwhile. */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { toEventSelector } from "viem";
import { afterEach, beforeEach, expect, test } from "vitest";
import { notificationExamples } from "../../generated/notification-examples.ts";
import { settingsOf } from "../../server/delivery/endpoint/endpoint.ts";
import { createDialer, type Dialer } from "../../server/delivery/send/dialer.ts";
import type { Exchange, Outcome } from "../../server/delivery/send/exchange.ts";
import { createPost, type Post } from "../../server/delivery/send/post.ts";
import { endExchanges, InFlightSet, type Shard } from "../../server/delivery/shard.ts";
import { ownEventText } from "../../server/matching/event.ts";
import type { Lease } from "../../server/store/lease-holder.ts";
import { largestAbi } from "../support/emitter.ts";
import { eventually } from "../support/eventually.ts";

const secret = Buffer.alloc(32, 7);
const other = Buffer.alloc(32, 9);
let arrived: { path: string; headers: IncomingHttpHeaders; body: Buffer }[];
let url: string;
let dialer: Dialer;
let post: Post;
let close: () => Promise<unknown>;
beforeEach(async () => {
  arrived = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    arrived.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(204).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  dialer = createDialer({ allowPrivateTargets: true });
  post = createPost({ dialer, policy: { allowPrivateTargets: true }, timeoutMs: 60_000, now: Date.now });
  close = async () => {
    await dialer.destroy();
    await once(server.close(), "close");
  };
});
afterEach(() => close());

let last = 0;
/** A webhook that sends to a path of its own. */
function webhook(account: object, compatibility?: "glacier", abi?: ReturnType<typeof largestAbi>) {
  last += 1;
  const path = `/${last}`;
  const secrets = [secret, other].map((each) => ({ secret: each, expiresAt: null }));
  const expired = { secret: Buffer.alloc(32, 1), expiresAt: 1 };
  const addressee = {
    ...settingsOf({ url: url + path, active: true, secrets: [...secrets, expired], sharedSecrets: secrets }),
    ...{ account, webhookId: crypto.randomUUID(), compatibility, abi },
  };
  return {
    path,
    send(eventText: string): { exchange: Exchange; outcome: Promise<Outcome | undefined> } {
      let exchange: Exchange | undefined;
      const outcome = new Promise<Outcome | undefined>((resolve) => {
        exchange = post(addressee, [{ messageId: crypto.randomUUID(), sequence: 1, eventText }], resolve);
      });
      if (!exchange) throw new Error("nothing was sent");
      return { exchange, outcome };
    },
  };
}

test("a large body arrives as its text, with each valid secret's signature, whatever is cut", async () => {
  // The odd character moves the others, so that one of them lies across each piece's end.
  const text = `{"a":"${"é€😀".repeat(300_000)}"}`;
  for (const eventText of [text, `${text.slice(0, -2)}x"}`, `${text.slice(0, -2)}xyz"}`]) {
    const { path, send } = webhook({});
    expect(await send(eventText).outcome).toMatchObject({ status: 204 });
    const { headers, body } = arrived.find((each) => each.path === path) ?? {};
    const { event } = JSON.parse(String(body)) as { event: unknown };
    expect(JSON.stringify(event) === eventText).toBe(true);
    const signed = `${headers?.["webhook-id"]}.${headers?.["webhook-timestamp"]}.${body}`;
    const signatures = [secret, other].map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
    expect(headers?.["webhook-signature"]).toBe(signatures.join(" "));
  }
});

test("while six large bodies of one account are prepared, others' are sent, and so is one large body of theirs", async () => {
  const greedy = webhook({});
  const large = `{"a":"${"x".repeat(4_000_000)}"}`;
  const sent = Array.from({ length: 6 }, () => greedy.send(large).outcome);
  expect(arrived).toEqual([]);
  const modest = webhook({});
  for (let n = 0; n < 3; n += 1) expect(await modest.send('{"a":"b"}').outcome).toMatchObject({ status: 204 });
  expect(arrived.map(({ path }) => path)).toEqual([modest.path, modest.path, modest.path]);
  const fair = webhook({});
  await fair.send(`{"a":"${"y".repeat(600_000)}"}`).outcome;
  expect(arrived.filter(({ path }) => path === greedy.path).length).toBeLessThan(2);
  for (const outcome of await Promise.all(sent)) expect(outcome).toMatchObject({ status: 204 });
});

test("what costs an account to make in Glacier's form delays its own notifications, and not the others'", async () => {
  const { transaction, logs = [] } = notificationExamples["token-transfers"].event;
  const many = JSON.stringify({ transaction, logs: Array.from({ length: 350 }, () => logs[0]) });
  expect(many.length).toBeLessThan(200_000);
  const greedy = webhook({}, "glacier");
  const sent = Array.from({ length: 30 }, () => greedy.send(many).outcome);
  const modest = webhook({}, "glacier");
  expect(await modest.send(JSON.stringify({ transaction })).outcome).toMatchObject({ status: 204 });
  expect(arrived.map(({ path }) => path)).toEqual([modest.path]);
  const fair = webhook({}, "glacier");
  await fair.send(many).outcome;
  expect(arrived.filter(({ path }) => path === greedy.path).length).toBeLessThan(10);
  for (const outcome of await Promise.all(sent)) expect(outcome).toMatchObject({ status: 204 });
});

/** The event with 20 logs of a thousand numbers, most of which are decoded. */
function withLargeLogs(): string {
  const { transaction, logs: [log] = [] } = notificationExamples["token-transfers"].event;
  const word = (value: number) => value.toString(16).padStart(64, "0");
  const numbers = Array.from({ length: 1_000 }, (_, index) => word(index)).join("");
  const topics = { topic0: toEventSelector("Large(uint256[],bool)"), topic1: null, topic2: null, topic3: null };
  const large = { ...log, ...topics, data: `0x${word(64)}${word(0)}${word(1_000)}${numbers}` };
  return JSON.stringify({ transaction, logs: Array.from({ length: 20 }, () => large) });
}

test("large logs that are decoded for a webhook arrive decoded, and others' notifications before them", async () => {
  const abi = largestAbi("value");
  const eventText = withLargeLogs();
  const greedy = webhook({}, undefined, abi);
  const sent = Array.from({ length: 30 }, () => greedy.send(eventText).outcome);
  const modest = webhook({});
  expect(await modest.send('{"a":"b"}').outcome).toMatchObject({ status: 204 });
  expect(arrived.map(({ path }) => path)).toEqual([modest.path]);
  for (const outcome of await Promise.all(sent)) expect(outcome).toMatchObject({ status: 204 });
  const { body } = arrived.find(({ path }) => path === greedy.path) ?? {};
  const own = ownEventText(eventText, abi);
  expect(own.split('"decoded":').length).toBeGreaterThan(10);
  expect(String(body).endsWith(`"event":${own}}`)).toBe(true);
});

test.each(["decoded", "only signed"])(
  "no turn of the event loop takes long for a large body that is %s",
  async (what) => {
    const isDecoded = what === "decoded";
    const text = isDecoded ? withLargeLogs() : `{"a":"${"x".repeat(8_000_000)}"}`;
    const { send } = webhook({}, undefined, isDecoded ? largestAbi("value") : undefined);
    const processorMs = (from?: NodeJS.CpuUsage) => process.cpuUsage(from).user / 1_000;
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    const before = processorMs();
    const { outcome } = send(text);
    const atOnce = processorMs() - before;
    setImmediate(count);
    await outcome;
    isDone = true;
    expect(turns).toBeGreaterThan(30);
    expect(atOnce).toBeLessThan(50);
  },
);

test("one that is aborted before it is ready is never sent, and the others are", async () => {
  const { path, send } = webhook({});
  const first = send(`{"a":"${"x".repeat(2_000_000)}"}`);
  const second = send(`{"a":"${"y".repeat(2_000_000)}"}`);
  await new Promise((resolve) => setImmediate(resolve));
  first.exchange.abort();
  expect(await first.outcome).toBeUndefined();
  expect(await second.outcome).toMatchObject({ status: 204 });
  await eventually(() => expect(arrived.filter((each) => each.path === path)).toHaveLength(1));
  expect(arrived[0]?.body.includes("yyy")).toBe(true);
});

test("a shard that ends cuts off what has not begun, of which nothing was sent, and finishes the rest", async () => {
  const exchanges = new InFlightSet();
  const begun = webhook({});
  const large = webhook({});
  const ended: [string, Outcome | undefined][] = [];
  for (const [name, { send }, text] of [
    ["begun", begun, '{"a":"b"}'],
    ["large", large, `{"a":"${"x".repeat(4_000_000)}"}`],
  ] as const) {
    const { exchange, outcome } = send(text);
    exchanges.add(exchange);
    void outcome.then((found) => {
      ended.push([name, found]);
      exchanges.delete(exchange);
    });
  }
  const lease = { lost: new AbortController().signal } as Lease;
  await endExchanges({ exchanges, lease } as Shard);
  expect(ended).toEqual([
    ["large", undefined],
    ["begun", expect.objectContaining({ status: 204 })],
  ]);
  expect(arrived.map(({ path }) => path)).toEqual([begun.path]);
});
