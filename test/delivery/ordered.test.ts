/** Ordered webhooks: the next notification only after the one before was accepted, whatever happens between. */

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Delivery } from "../../server/delivery/deliver.ts";
import { requestResends } from "../../server/store/outbox/resends.ts";
import { inTransaction } from "../../server/store/pool.ts";
import { deleteWebhook, updateWebhook } from "../../server/store/webhooks/changes.ts";
import { getWebhook } from "../../server/store/webhooks/webhooks.ts";
import { eventually } from "../support/eventually.ts";
import { type Outbox, openOutbox } from "../support/outbox.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { type Hook, hooksAt, makeDue, numbersTo, retriesOf, sequencesIn } from "./hooks.ts";

let outbox: Outbox;
let receiver: Receiver;
let delivery: Delivery | undefined;
const hook = hooksAt(
  () => outbox,
  () => receiver,
);
beforeAll(async () => {
  [outbox, receiver] = await Promise.all([openOutbox(), startReceiver()]);
});
afterEach(async () => {
  await delivery?.stop();
});
afterAll(async () => {
  await outbox.close();
  await receiver.close();
});

const deliver = () => {
  // No retry is due by itself while a test runs.
  delivery = outbox.deliver({ retryPausesMs: [60_000, 90_000, 120_000] });
};
const restart = async () => {
  await delivery?.stop();
  deliver();
};
const resend = (webhook: Hook, sequences: number[]) =>
  inTransaction(outbox.pool, async (db) => {
    const { rows } = await db.query<{ recordedOn: string; sequence: number }>(
      `SELECT recorded_on AS "recordedOn", sequence FROM notifications WHERE webhook_id = $1 AND sequence = ANY($2)`,
      [webhook.id, sequences],
    );
    await requestResends(db, webhook, "resend", rows);
  });

test("one POST is in flight, and everything comes in sequence", async () => {
  deliver();
  let open = 0;
  let most = 0;
  const webhook = await hook({ ordered: true });
  receiver.answer = (_, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.writeHead(204).end();
    }, 2);
  };
  const ids: string[] = [];
  for (let i = 0; i < 5; i += 1) ids.push(...(await outbox.append([webhook], 60)));
  await webhook.arrived(300);
  await outbox.atRest();
  expect(sequencesIn(webhook.posts(), ids).flat()).toEqual(numbersTo(300));
  expect(most).toBe(1);
});

test("while one waits for its retry all later ones wait, through a restart and a new owner", async () => {
  deliver();
  let refused = 0;
  const webhook = await hook({ ordered: true }, ({ sequence }) => {
    if (sequence !== 3 || refused >= 2) return 204;
    refused += 1;
    return 500;
  });
  const ids = await outbox.append([webhook], 8);
  await eventually(async () => expect(await retriesOf(outbox, webhook)).toMatchObject([{ sequence: 3 }]));
  await outbox.append([webhook], 2).then((more) => ids.push(...more));
  await restart();
  // What a new owner reads of it is this one retry.
  await makeDue(outbox, webhook);
  await eventually(async () => expect(await retriesOf(outbox, webhook)).toMatchObject([{ attempts: 2 }]));
  await outbox.append([webhook], 1).then((more) => ids.push(...more));
  expect(sequencesIn(webhook.posts(), ids).flat()).toEqual([1, 2, 3, 3]);
  await makeDue(outbox, webhook);
  await webhook.arrived(13);
  expect(sequencesIn(webhook.posts(), ids).flat()).toEqual([1, 2, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  await outbox.atRest();
});

test("one that failed at every attempt is passed over, and the webhook's record says so", async () => {
  delivery = outbox.deliver({ retryPausesMs: [1, 1] });
  const webhook = await hook({ ordered: true }, ({ sequence }) => (sequence === 2 || sequence === 4 ? 500 : 204));
  const record = () => getWebhook(outbox.pool, webhook.accountId, webhook.id);
  expect((await record()).passedOver).toBeUndefined();
  const ids = await outbox.append([webhook], 5);
  await webhook.arrived(9);
  await outbox.atRest();
  expect(sequencesIn(webhook.posts(), ids).flat()).toEqual([1, 2, 2, 2, 3, 4, 4, 4, 5]);
  const { passedOver } = await record();
  expect(passedOver).toEqual({ count: 2, lastSequence: 4, at: expect.any(Number) });
  expect(Math.abs((passedOver?.at ?? 0) - Date.now())).toBeLessThan(30_000);
  // It can be resent, which changes nothing of what was passed over.
  webhook.answer = 204;
  await resend(webhook, [2]);
  await webhook.arrived(10);
  await eventually(async () => expect(await retriesOf(outbox, webhook)).toMatchObject([{ sequence: 4 }]));
  expect((await record()).passedOver).toEqual(passedOver);
  await inTransaction(outbox.pool, (db) => deleteWebhook(db, webhook.accountId, webhook.id));
  expect((await outbox.pool.query("SELECT FROM passed_over WHERE webhook_id = $1", [webhook.id])).rowCount).toBe(0);
});

test("a resend is extra: it is sent while others wait, and accepting the one they wait for lets them go on", async () => {
  deliver();
  const webhook = await hook({ ordered: true }, ({ sequence }) => (sequence === 3 ? 500 : 204));
  const ids = await outbox.append([webhook], 5);
  await eventually(async () => expect(await retriesOf(outbox, webhook)).toMatchObject([{ sequence: 3 }]));
  await resend(webhook, [1]);
  await webhook.arrived(4);
  await eventually(async () => expect(await retriesOf(outbox, webhook)).toHaveLength(1));
  webhook.answer = 500;
  await resend(webhook, [1]);
  await webhook.arrived(5);
  await eventually(async () => expect(await retriesOf(outbox, webhook)).toMatchObject([{ sequence: 3 }]));
  expect(sequencesIn(webhook.posts(), ids).flat()).toEqual([1, 2, 3, 1, 1]);
  webhook.answer = 204;
  await resend(webhook, [3]);
  await webhook.arrived(8);
  expect(sequencesIn(webhook.posts(), ids).flat()).toEqual([1, 2, 3, 1, 1, 3, 4, 5]);
  await outbox.atRest();
});

test("a webhook that was made inactive goes on where it stopped", async () => {
  deliver();
  const webhook = await hook({ ordered: true }, ({ sequence }) => (sequence === 2 ? 410 : 204));
  const ids = await outbox.append([webhook], 4);
  const status = "SELECT status FROM webhooks WHERE id = $1";
  await eventually(async () =>
    expect((await outbox.pool.query(status, [webhook.id])).rows).toEqual([{ status: "inactive" }]),
  );
  webhook.answer = 204;
  const active = () =>
    inTransaction(outbox.pool, (db) => updateWebhook(db, webhook.accountId, webhook.id, { status: "active" }));
  await active();
  await outbox.append([webhook], 1).then((more) => ids.push(...more));
  await makeDue(outbox, webhook);
  await webhook.arrived(6);
  expect(sequencesIn(webhook.posts(), ids).flat()).toEqual([1, 2, 2, 3, 4, 5]);
});

test("ordered batches: a failed batch is sent again whole before the next one", async () => {
  deliver();
  const webhook = await hook({ ordered: true, batch: { maxItems: 10, maxWaitMs: 400 } }, ({ sequence }) =>
    sequence === 11 ? 500 : 204,
  );
  const ids = await outbox.append([webhook], 30);
  await eventually(async () => expect(await retriesOf(outbox, webhook)).toHaveLength(10));
  await makeDue(outbox, webhook);
  await eventually(async () => expect((await retriesOf(outbox, webhook))[9]).toMatchObject({ attempts: 2 }));
  webhook.answer = 204;
  await restart();
  await makeDue(outbox, webhook);
  await webhook.arrived(5);
  expect(sequencesIn(webhook.posts(), ids)).toEqual([
    numbersTo(10),
    numbersTo(20, 11),
    numbersTo(20, 11),
    numbersTo(20, 11),
    numbersTo(30, 21),
  ]);
});

test("of a failed ordered batch the rest never goes before the first, even if it is due before it", async () => {
  deliver();
  const webhook = await hook({ ordered: true, batch: { maxItems: 10, maxWaitMs: 400 } }, 500);
  const ids = await outbox.append([webhook], 15);
  await eventually(async () => expect(await retriesOf(outbox, webhook)).toHaveLength(10));
  await makeDue(outbox, webhook, [1, 2, 3]);
  await eventually(async () => expect((await retriesOf(outbox, webhook))[0]).toMatchObject({ attempts: 2 }));
  // The first three are due in a minute now, and so are the others, which were due in ten seconds.
  const retries = await retriesOf(outbox, webhook);
  for (const { dueAt } of retries) expect(dueAt).toEqual(retries[0]?.dueAt);
  webhook.answer = 204;
  // Nobody does this, and even so their order holds.
  await makeDue(outbox, webhook, numbersTo(10, 4));
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(webhook.posts()).toHaveLength(2);
  await makeDue(outbox, webhook);
  await eventually(() => expect(new Set(sequencesIn(webhook.posts(), ids).flat()).size).toBe(15));
  expect(sequencesIn(webhook.posts().slice(2), ids).flat()).toEqual(numbersTo(15));
});
