/** What is said of a notification, which another implementation of Standard Webhooks has signed. */
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { examineDelivery, examineTestEvent } from "../../scripts/command/conformance/delivery.ts";
import type { ReceivedDelivery } from "../../scripts/command/conformance/receiver.ts";
import { sentHeaders } from "../support/sent-headers.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const file = new URL("../../openapi/examples/notification.native-transfer.json", import.meta.url);
const { value: example } = JSON.parse(readFileSync(file, "utf8"));
const expected = {
  secret,
  webhookId: example.webhookId,
  chainId: example.event.transaction.chainId,
  includeLogs: false,
  sequence: 7,
  messageId: example.messageId,
};

function signed(notification: object = example, at = new Date()): ReceivedDelivery {
  const body = JSON.stringify(notification);
  const headers = sentHeaders({
    id: example.messageId,
    timestamp: String(Math.floor(at.getTime() / 1000)),
    signature: new Webhook(secret).sign(example.messageId, at, body),
    sequence: "7",
  });
  return { method: "POST", path: "/", headers, body: Buffer.from(body), receivedAt: Date.now() };
}

async function rulesBroken(delivery: ReceivedDelivery, changes: Partial<typeof expected> = {}): Promise<string[]> {
  return (await examineDelivery(delivery, { ...expected, ...changes }, "test")).map(({ rule }) => rule);
}

test("one as the contract says is right", async () => {
  expect(await rulesBroken(signed())).toEqual([]);
});

const { messageId: _, ...withoutMessageId } = example;
const faults: [what: string, delivery: () => ReceivedDelivery, rule: string][] = [
  ["another method", () => ({ ...signed(), method: "PUT" }), "callback-headers"],
  ["another content type", () => withHeader("content-type", "text/plain"), "callback-headers"],
  ["no webhook-id", () => withHeader("webhook-id", undefined), "callback-headers"],
  ["a sequence that is no number", () => withHeader("webhook-sequence", "7th"), "callback-headers"],
  ["another sequence", () => withHeader("webhook-sequence", "8"), "callback-sequence"],
  ["no signature", () => withHeader("webhook-signature", undefined), "callback-signed"],
  ["a signature of another version", () => withHeader("webhook-signature", "v1a,AAAA"), "callback-signed"],
  ["other bytes", () => ({ ...signed(), body: Buffer.from(`${JSON.stringify(example)} `) }), "callback-signed"],
  ["an old timestamp", () => signed(example, new Date(Date.now() - 400_000)), "callback-timestamp"],
  ["a field too few", () => signed(withoutMessageId), "callback-payload"],
  ["a field too many", () => signed({ ...example, more: 1 }), "callback-payload"],
  ["no JSON", () => ({ ...signed(), body: Buffer.from("{") }), "callback-payload"],
  ["another charset", () => withHeader("content-type", "application/json; charset=latin1"), "charset-utf-8"],
  ["a blockTimestamp in milliseconds", () => signed(withTimestamp(1_767_225_600_000)), "block-timestamp-in-seconds"],
  ["logs", () => signed({ ...example, event: { ...example.event, logs: [] } }), "callback-logs"],
];
test.each(faults)("one with %s is reported", async (_what, delivery, rule) => {
  expect([...new Set(await rulesBroken(delivery()))]).toEqual([rule]);
});

test("one without its first log is reported, and one with all is not", async () => {
  const log = { address: `0x${"1".repeat(40)}`, topic0: null, topic1: null, topic2: null, topic3: null, data: "0x" };
  const logs = [0, 1, 2].map((logIndex) => ({ ...log, transactionIndex: 0, logIndex, removed: false }));
  const withLogs = (from: number) => signed({ ...example, event: { ...example.event, logs: logs.slice(from) } });
  expect(await rulesBroken(withLogs(0), { includeLogs: true })).toEqual([]);
  expect(await rulesBroken(withLogs(1), { includeLogs: true })).toEqual(["logs-complete"]);
});

test("one that arrived in time is not reported, however late it is examined", async () => {
  const at = new Date(Date.now() - 3_600_000);
  expect(await rulesBroken({ ...signed(example, at), receivedAt: at.getTime() + 1_000 })).toEqual([]);
});

test("one of another webhook, of another chain or under another messageId is reported", async () => {
  const other = "6d1bbe40-2a4b-4c0e-8f0a-000000000000";
  expect(await rulesBroken(signed(), { webhookId: other })).toEqual(["callback-webhook"]);
  expect(await rulesBroken(signed(), { chainId: "5" })).toEqual(["callback-webhook"]);
  expect(await rulesBroken(signed(), { messageId: other })).toEqual(["callback-message-id"]);
});

function withTimestamp(blockTimestamp: number): object {
  const { event } = example;
  return { ...example, event: { ...event, transaction: { ...event.transaction, blockTimestamp } } };
}

function withHeader(name: string, value: string | undefined): ReceivedDelivery {
  const delivery = signed();
  return { ...delivery, headers: { ...delivery.headers, [name]: value } };
}

const testEvent = {
  messageId: "5b1c6a52-8f1f-4b7e-9d5c-0c4f3f1b2a11",
  type: "test",
  createdAt: Date.now(),
  subject: "test",
  message: "This is a test.",
  data: {},
};

/** The rules that a test of an operational webhook breaks, correctly signed. */
async function rulesOfEvent(changes: object = {}, headers: ReceivedDelivery["headers"] = {}): Promise<string[]> {
  const body = JSON.stringify({ ...testEvent, ...changes });
  const at = new Date();
  const own = sentHeaders({
    id: testEvent.messageId,
    timestamp: String(Math.floor(at.getTime() / 1000)),
    signature: new Webhook(secret).sign(testEvent.messageId, at, body),
    sequence: "0",
  });
  const delivery = {
    method: "POST",
    path: "/",
    headers: { ...own, ...headers },
    body: Buffer.from(body),
    receivedAt: Date.now(),
  };
  const { messageId } = testEvent;
  return [...new Set((await examineTestEvent(delivery, { secret, messageId }, "test")).map(({ rule }) => rule))];
}

test.each<[what: string, changes: object, headers: ReceivedDelivery["headers"], rules: string[]]>([
  ["as the contract says", {}, {}, []],
  ["another type", { type: "chain.resumed" }, {}, ["callback-payload"]],
  ["a field too few", { subject: undefined }, {}, ["callback-payload"]],
  ["a field too many", { more: 1 }, {}, ["callback-payload"]],
  ["a createdAt in seconds", { createdAt: Math.floor(Date.now() / 1000) }, {}, ["times-in-milliseconds"]],
  ["another sequence", {}, { "webhook-sequence": "1" }, ["callback-sequence"]],
  ["no signature", {}, { "webhook-signature": undefined }, ["callback-signed"]],
  ["the signature of other bytes", {}, { "webhook-signature": `v1,${"A".repeat(43)}=` }, ["callback-signed"]],
  ["another content type", {}, { "content-type": "text/plain" }, ["callback-headers"]],
])("an operational event with %s", async (_what, changes, headers, rules) => {
  expect(await rulesOfEvent(changes, headers)).toEqual(rules);
});
