/** Batches: what goes into one POST, how it is signed, and what becomes of each notification in it. */

import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { batchIdOf } from "../../server/matching/message-id.ts";
import { announceWork } from "../../server/store/delivery/announcements.ts";
import { readTest, requestTest } from "../../server/store/delivery/test-sends.ts";
import { readNotification } from "../../server/store/outbox/notifications.ts";
import { requestResends } from "../../server/store/outbox/resends.ts";
import { inTransaction } from "../../server/store/pool.ts";
import { updateWebhook } from "../../server/store/webhooks/changes.ts";
import { eventually } from "../support/eventually.ts";
import { type Outbox, openOutbox } from "../support/outbox.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { hooksAt, makeDue, notificationsIn, numbersTo, retriesOf, sequencesIn } from "./hooks.ts";

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

test("a batch is an array in sequence with one signature, and each notification is as it would be alone", async () => {
  const webhook = await hook({ batch: { maxItems: 50, maxWaitMs: 0 } });
  const ids = await outbox.append([webhook], 3, '{"transaction":{"value":"żółć"}}');
  const [post] = await webhook.arrived(1);
  expect(notificationsIn(post as never)).toEqual(
    ids.map((messageId) => ({
      webhookId: webhook.id,
      eventType: "address_activity",
      messageId,
      event: { transaction: { value: "żółć" } },
    })),
  );
  expect(post?.headers).toMatchObject({
    "content-type": "application/json",
    "webhook-id": batchIdOf(ids),
    "webhook-sequence": "1",
  });
  new Webhook(webhook.secret.toString("base64")).verify(post?.rawBody ?? "", post?.headers as Record<string, string>);
  await eventually(async () =>
    expect(await outbox.attempts(webhook)).toEqual(
      numbersTo(3).map((sequence) => ({
        ...{ sequence, number: 1, status: 204, body: null, error: null, durationMs: expect.any(Number) },
      })),
    ),
  );
});

test("one notification is an array, too", async () => {
  const webhook = await hook({ batch: { maxItems: 50, maxWaitMs: 0 } });
  const ids = await outbox.append([webhook]);
  const [post] = await webhook.arrived(1);
  expect(JSON.parse(post?.rawBody ?? "")).toHaveLength(1);
  expect(post?.headers["webhook-id"]).toBe(batchIdOf(ids));
});

test("no batch has more than maxItems, and nothing is left out", async () => {
  const webhook = await hook({ batch: { maxItems: 7, maxWaitMs: 0 } });
  const ids = await outbox.append([webhook], 200);
  await eventually(() => expect(sequencesIn(webhook.posts(), ids).flat()).toHaveLength(200));
  const sent = sequencesIn(webhook.posts(), ids);
  expect(sent.flat().sort((a, b) => a - b)).toEqual(numbersTo(200));
  for (const batch of sent) {
    expect(batch.length).toBeLessThanOrEqual(7);
    expect(batch).toEqual(numbersTo(batch.at(-1) ?? 0, batch[0]));
  }
  expect(sent.filter(({ length }) => length === 7).length).toBeGreaterThan(20);
  expect(webhook.posts().map(({ sequence }) => sequence)).toEqual(sent.map(([first]) => first));
});

test("a batch waits for more at most maxWaitMs, and not once it is full", async () => {
  const webhook = await hook({ batch: { maxItems: 5, maxWaitMs: 1_500 } });
  const start = performance.now();
  const ids = await outbox.append([webhook], 2);
  ids.push(...(await outbox.append([webhook], 1)));
  await webhook.arrived(1);
  expect(performance.now() - start).toBeGreaterThan(1_300);
  expect(sequencesIn(webhook.posts(), ids)).toEqual([[1, 2, 3]]);
  const patient = await hook({ batch: { maxItems: 5, maxWaitMs: 60_000 } });
  const second = performance.now();
  const more = await outbox.append([patient], 5);
  await patient.arrived(1);
  expect(performance.now() - second).toBeLessThan(59_000);
  expect(sequencesIn(patient.posts(), more)).toEqual([[1, 2, 3, 4, 5]]);
});

test("a batch ends before 1 MiB; a notification that is larger is sent alone", async () => {
  const webhook = await hook({ batch: { maxItems: 50, maxWaitMs: 300 } });
  const text = (length: number) => JSON.stringify({ transaction: { input: "é".repeat(length) } });
  const ids = await outbox.append([webhook], 4, text(200_000));
  ids.push(...(await outbox.append([webhook], 1, text(600_000))), ...(await outbox.append([webhook], 1, text(10))));
  await eventually(() => expect(sequencesIn(webhook.posts(), ids).flat()).toHaveLength(6));
  for (const { rawBody } of webhook.posts())
    if (JSON.parse(rawBody).length > 1) expect(Buffer.byteLength(rawBody)).toBeLessThanOrEqual(1_048_576);
  expect(sequencesIn(webhook.posts(), ids)).toContainEqual([1, 2]);
  expect(sequencesIn(webhook.posts(), ids)).toContainEqual([5]);
});

test("what failed in one POST is due at one moment, and sent in one again, under the same webhook-id", async () => {
  const webhook = await hook({ batch: { maxItems: 60, maxWaitMs: 1_000 } }, 500);
  const ids = await outbox.append([webhook], 60);
  await webhook.arrived(1);
  await eventually(async () => expect(await retriesOf(outbox, webhook)).toHaveLength(60));
  const retries = await retriesOf(outbox, webhook);
  expect(new Set(retries.map(({ dueAt }) => dueAt?.getTime())).size).toBe(1);
  webhook.answer = 204;
  await makeDue(outbox, webhook);
  await webhook.arrived(2);
  expect(sequencesIn(webhook.posts(), ids)).toEqual([numbersTo(60), numbersTo(60)]);
  const [first, second] = webhook.posts().map(({ headers }) => headers["webhook-id"]);
  expect(second).toBe(first);
  await eventually(async () => expect(await retriesOf(outbox, webhook)).toEqual([]));
  const detail = await readNotification(outbox.pool, webhook.id, ids[30] ?? "");
  expect(detail.record.status).toBe("delivered");
  expect(detail.attempts.map(({ number, responseStatus }) => [number, responseStatus])).toEqual([
    [1, 500],
    [2, 204],
  ]);
});

test("Retry-After holds for the whole batch, and a 410 ends it", async () => {
  const webhook = await hook({ batch: { maxItems: 10, maxWaitMs: 500 } }, () => ({
    status: 429,
    headers: { "retry-after": "19" },
  }));
  await outbox.append([webhook], 10);
  await eventually(async () => expect(await retriesOf(outbox, webhook)).toHaveLength(10));
  const { rows } = await outbox.pool.query<{ s: number }>(
    "SELECT extract(epoch FROM due_at - now())::float8 AS s FROM retries WHERE webhook_id = $1",
    [webhook.id],
  );
  for (const { s } of rows) expect(s).toBeGreaterThan(13);
  webhook.answer = 410;
  await outbox.append([webhook], 10);
  const status = "SELECT status_reason FROM webhooks WHERE id = $1";
  await eventually(async () =>
    expect((await outbox.pool.query(status, [webhook.id])).rows).toEqual([{ status_reason: "endpoint_gone" }]),
  );
  webhook.answer = 204;
  await inTransaction(outbox.pool, (db) => updateWebhook(db, webhook.accountId, webhook.id, { status: "active" }));
  await makeDue(outbox, webhook);
  await eventually(async () => expect(await retriesOf(outbox, webhook)).toEqual([]));
  expect((await outbox.attempts(webhook)).filter(({ status }) => status === 204)).toHaveLength(20);
});

test("what clients resend goes together if it is consecutive, and a failed resend is not repeated", async () => {
  const webhook = await hook({ batch: { maxItems: 10, maxWaitMs: 300 } });
  const ids = await outbox.append([webhook], 6);
  await eventually(async () => expect(await outbox.attempts(webhook)).toHaveLength(6));
  const { rows } = await outbox.pool.query<{ recordedOn: string; sequence: number }>(
    `SELECT recorded_on AS "recordedOn", sequence FROM notifications WHERE webhook_id = $1 AND sequence IN (2, 3, 5)`,
    [webhook.id],
  );
  webhook.answer = 500;
  await inTransaction(outbox.pool, (db) => requestResends(db, webhook, "resend", rows));
  await webhook.arrived(3);
  expect(sequencesIn(webhook.posts(), ids).slice(1)).toEqual([[2, 3], [5]]);
  await eventually(async () => expect(await retriesOf(outbox, webhook)).toEqual([]));
  expect(await outbox.attempts(webhook)).toHaveLength(9);
});

test("a test is an array of one with the sequence 0", async () => {
  const webhook = await hook({ batch: { maxItems: 10, maxWaitMs: 60_000 } });
  const messageId = await requestTest(outbox.pool, webhook.id, '{"transaction":{}}');
  await announceWork(outbox.pool, "tests");
  const [post] = await webhook.arrived(1);
  expect(notificationsIn(post as never).map((each) => each.messageId)).toEqual([messageId]);
  expect(JSON.parse(post?.rawBody ?? "")).toHaveLength(1);
  expect(post?.headers).toMatchObject({ "webhook-sequence": "0", "webhook-id": batchIdOf([messageId ?? ""]) });
  await eventually(async () =>
    expect(await readTest(outbox.pool, messageId ?? "")).toMatchObject({ messageId, delivered: true }),
  );
});
