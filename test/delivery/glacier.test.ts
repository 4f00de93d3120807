/** Notifications in Glacier's form: what is sent and how it is signed, that it stays the same, and that nobody else's changes. */
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyNotification } from "../../client/receiver/index.ts";
import { notificationExamples } from "../../generated/notification-examples.ts";
import type { components } from "../../generated/types.ts";
import { eventTextFor } from "../../server/contract/example-event.ts";
import { retractionText } from "../../server/matching/event.ts";
import { glacierText } from "../../server/matching/glacier.ts";
import type { WebhookOptions } from "../../server/matching/new-webhook.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { readNotification } from "../../server/store/outbox/notifications.ts";
import { inTransaction } from "../../server/store/pool.ts";
import { getSharedSecret, rotateSharedSecret } from "../../server/store/webhooks/secrets.ts";
import { assertSchema } from "../support/closed-schema.ts";
import { eventually } from "../support/eventually.ts";
import { type Outbox, openOutbox } from "../support/outbox.ts";
import { type Delivered, type Receiver, startReceiver } from "../support/receiver.ts";
import { type Hook, hooksAt, makeDue, retriesOf } from "./hooks.ts";

const glacier: WebhookOptions = { includeTransfers: true, compatibility: "glacier" };
let outbox: Outbox;
let receiver: Receiver;
const hook = hooksAt(
  () => outbox,
  () => receiver,
);
beforeAll(async () => {
  [outbox, receiver] = await Promise.all([openOutbox(), startReceiver()]);
  outbox.deliver();
});
afterAll(async () => {
  await outbox.close();
  await receiver.close();
});

type Event = components["schemas"]["AddressActivityEvent"];

/** As the follower stores it for a webhook with transfers, logs and internal transactions. */
const stored = (event: Event) =>
  eventTextFor(
    {
      ...{ chainId: "1", includeLogs: true, includeInternalTxs: event.transaction.internalTransactions !== undefined },
      metadata: { includeTransfers: true },
      compatibility: "glacier",
    },
    event,
  );

/** RFC 8785, for objects of texts, integers and booleans. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join()}}`;
}

const sharedOf = async ({ accountId }: Hook) => (await getSharedSecret(outbox.pool, accountId, noKeys)).secret;
const signature = (secret: Buffer, { rawBody }: Delivered) =>
  createHmac("sha256", secret)
    .update(canonical(JSON.parse(rawBody)))
    .digest("base64");

async function only(webhook: Hook): Promise<Delivered> {
  const [post] = await webhook.arrived(1);
  if (!post) throw new Error("nothing arrived");
  return post;
}

const events = Object.entries(notificationExamples as Record<string, { event: Event }>);

test.each(events)("%s has the contract's form, and no null anywhere", async (name, { event }) => {
  const text = stored(event);
  const webhook = await hook(glacier);
  await outbox.append([webhook], 1, text);
  const { rawBody } = await only(webhook);
  const body = JSON.parse(rawBody);
  assertSchema("GlacierNotification", body);
  expect(rawBody).toBe(canonical(body));
  expect(rawBody).not.toContain("null");
  // What is there says the same as in the usual form.
  const usual = JSON.parse(text) as Event;
  const { erc20Transfers, erc721Transfers, erc1155Transfers, ...same } = usual.transaction;
  expect(body.event.transaction, name).toMatchObject(same);
  for (const [list, all] of Object.entries({ erc20Transfers, erc721Transfers, erc1155Transfers }))
    expect(body.event.transaction[list].map((one: { value: string }) => one.value)).toEqual(
      all?.map(({ value }) => value),
    );
  expect(body.event.removed).toBe(usual.removed);
  expect(body.event.logs.map(({ topic3 }: { topic3?: string }) => topic3 ?? null)).toEqual(
    usual.logs?.map(({ topic3 }) => topic3),
  );
});

test("it has both signatures, and our receiver verifies it", async () => {
  const webhook = await hook(glacier);
  await outbox.append([webhook], 1, stored(notificationExamples["token-transfers"].event));
  const post = await only(webhook);
  expect(post.headers["x-signature"]).toBe(signature(await sharedOf(webhook), post));
  expect(post.headers).not.toHaveProperty("x-signature-previous");
  const secret = webhook.secret.toString("base64");
  new Webhook(secret).verify(post.rawBody, post.headers as Record<string, string>);
  const verified = await verifyNotification(post.rawBody, post.headers as Record<string, string>, `whsec_${secret}`);
  // As everywhere in the usual form, what a log lacks is null.
  expect(verified.event.logs?.[1]?.topic3).toBe(null);
  const { "x-signature": _, ...unmarked } = post.headers as Record<string, string>;
  await expect(verifyNotification(post.rawBody, unmarked, `whsec_${secret}`)).rejects.toThrow(/topic/);
});

test("what a token does not say is empty, 0, or the value as it is; a receipt without status counts as successful", async () => {
  const { event } = notificationExamples["token-transfers"];
  const { txStatus: _, ...transaction } = JSON.parse(stored(event)).transaction;
  const hostile = '},{"transactionHash":"x"},"logs":[{"removed":true}';
  const [first, second] = transaction.erc20Transfers;
  Object.assign(first.erc20Token, { name: null, symbol: null, decimals: null, valueWithDecimals: null });
  Object.assign(second.erc20Token, { name: hostile, symbol: '},{"' });
  const log = { ...event.logs[0], topic0: null, topic1: null, topic2: null, topic3: null };
  const { event: made } = JSON.parse(
    glacierText({
      ...{ webhookId: crypto.randomUUID(), messageId: crypto.randomUUID() },
      eventText: JSON.stringify({ transaction, logs: [log, log] }),
    }),
  );
  const { value } = first;
  expect(made.transaction.erc20Transfers[0].erc20Token).toMatchObject({
    ...{ name: "", symbol: "", decimals: 0, valueWithDecimals: value },
  });
  expect(made.transaction.erc20Transfers).toHaveLength(transaction.erc20Transfers.length);
  expect(made.transaction.erc20Transfers[1].erc20Token).toMatchObject({ name: hostile, symbol: '},{"' });
  expect(made.transaction.txStatus).toBe("1");
  expect(made.logs).toHaveLength(2);
  expect(made.logs[0].topic0).toBe("");
  expect(made.logs[0]).not.toHaveProperty("topic1");
});

test("of webhooks in one block only those with it get it; the others' bytes are as without them", async () => {
  const text = stored(notificationExamples["multi-token-transfer"].event);
  const [plain, ours, batched] = await Promise.all([
    hook({ includeTransfers: true }),
    hook(glacier),
    hook({ includeTransfers: true, batch: { maxItems: 5, maxWaitMs: 0 } }),
  ]);
  const [messageId] = await outbox.append([plain], 1, text);
  const [first] = await plain.arrived(1);
  const usual = (webhook: Hook, id: string | undefined) =>
    `{"webhookId":"${webhook.id}","eventType":"address_activity","messageId":"${id}","event":${text}}`;
  expect(first?.rawBody).toBe(usual(plain, messageId));
  const ids = await outbox.append([plain, ours, batched], 1, text);
  const [, again] = await plain.arrived(2);
  expect(again?.rawBody).toBe(usual(plain, ids[0]));
  expect((await only(batched)).rawBody).toBe(`[${usual(batched, ids[2])}]`);
  expect(Object.keys(JSON.parse((await only(ours)).rawBody))).toEqual(["event", "eventType", "messageId", "webhookId"]);
  for (const { headers } of [...plain.posts(), ...batched.posts()]) expect(headers).not.toHaveProperty("x-signature");
});

test("a retry and the retraction have the form, too; the retry the same bytes", async () => {
  const text = stored(notificationExamples["non-fungible-transfer"].event);
  const webhook = await hook(glacier, 500);
  const [messageId = ""] = await outbox.append([webhook], 1, text);
  await webhook.arrived(1);
  await eventually(async () => expect(await retriesOf(outbox, webhook)).toHaveLength(1));
  webhook.answer = 204;
  await makeDue(outbox, webhook);
  const [first, second] = await webhook.arrived(2);
  expect(second?.rawBody).toBe(first?.rawBody);
  // What the API reads is the usual form, from which it makes the same bytes.
  const { eventText } = await readNotification(outbox.pool, webhook.id, messageId);
  expect(glacierText({ webhookId: webhook.id, messageId, eventText })).toBe(first?.rawBody);
  await outbox.append([webhook], 1, retractionText(text));
  const [, , retraction] = await webhook.arrived(3);
  const { event } = JSON.parse(retraction?.rawBody ?? "");
  expect(event.removed).toBe(true);
  expect(event.logs.every(({ removed }: { removed: boolean }) => removed)).toBe(true);
  assertSchema("GlacierNotification", JSON.parse(retraction?.rawBody ?? ""));
});

test("after a rotation both shared secrets sign, each in its header, without a restart", async () => {
  const webhook = await hook(glacier);
  const before = await sharedOf(webhook);
  await outbox.append([webhook], 1, stored(notificationExamples["native-transfer"].event));
  await webhook.arrived(1);
  const { secret: after } = await inTransaction(outbox.pool, (db) => rotateSharedSecret(db, webhook.accountId, noKeys));
  expect(after.equals(before)).toBe(false);
  // The owner of the shard learns of it by the shard's version, before the next notification or a little later.
  await eventually(async () => {
    await outbox.append([webhook], 1, stored(notificationExamples["native-transfer"].event));
    const post = webhook.posts().at(-1) as Delivered;
    expect(post.headers["x-signature"]).toBe(signature(after, post));
    expect(post.headers["x-signature-previous"]).toBe(signature(before, post));
  });
});

test("the current shared secret signs in its header, also where the clock was set back before the rotation", async () => {
  const webhook = await hook(glacier);
  const before = await sharedOf(webhook);
  await outbox.pool.query("UPDATE shared_secrets SET created_at = now() + interval '1 hour' WHERE account_id = $1", [
    webhook.accountId,
  ]);
  const { secret: after } = await inTransaction(outbox.pool, (db) => rotateSharedSecret(db, webhook.accountId, noKeys));
  await outbox.append([webhook], 1, stored(notificationExamples["native-transfer"].event));
  const post = await only(webhook);
  expect(post.headers["x-signature"]).toBe(signature(after, post));
  expect(post.headers["x-signature-previous"]).toBe(signature(before, post));
});

test("one too long to be made in one piece is sent whole, and has both signatures", async () => {
  const text = stored(notificationExamples["token-transfers"].event);
  const event = JSON.parse(text);
  const [transfer] = event.transaction.erc20Transfers;
  event.transaction.erc20Transfers = Array.from({ length: 1_500 }, (_, logIndex) => ({ ...transfer, logIndex }));
  event.logs = Array.from({ length: 1_500 }, (_, logIndex) => ({ ...event.logs[0], logIndex }));
  const long = JSON.stringify(event);
  expect(long.length).toBeGreaterThan(1_000_000);
  const webhook = await hook(glacier);
  const [messageId = ""] = await outbox.append([webhook], 1, long);
  const post = await only(webhook);
  expect(post.rawBody === glacierText({ webhookId: webhook.id, messageId, eventText: long })).toBe(true);
  expect(post.headers["x-signature"]).toBe(signature(await sharedOf(webhook), post));
  new Webhook(webhook.secret.toString("base64")).verify(post.rawBody, post.headers as Record<string, string>);
});
