/** Several deliveries on one database, and what becomes of the work of one that ends, in order or without warning. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { createMetrics } from "../../server/base/metrics.ts";
import { runChild } from "../support/child.ts";
import { eventually } from "../support/eventually.ts";
import { type Outbox, type OutboxWebhook, openOutbox } from "../support/outbox.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

let outbox: Outbox;
let receiver: Receiver;
let webhooks: OutboxWebhook[];
beforeEach(async () => {
  [outbox, receiver] = await Promise.all([openOutbox(), startReceiver()]);
  webhooks = await Promise.all(Array.from({ length: 40 }, (_, index) => outbox.addWebhook(`${receiver.url}/${index}`)));
});
afterEach(async () => {
  await receiver.close();
  await outbox.close();
});

/** How often each notification arrived. */
function arrivals(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { headers } of receiver.deliveries) {
    const id = String(headers["webhook-id"]);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

const repeated = () => [...arrivals()].filter(([, count]) => count > 1).map(([id]) => id);

/** How many shards each delivery owns, the fewest first. */
async function shares(): Promise<number[]> {
  const { rows } = await outbox.pool.query<{ count: number }>(
    "SELECT count(*) FROM leases WHERE kind = 'shard' AND owner IS NOT NULL AND expires_at > now() GROUP BY owner ORDER BY 1",
  );
  return rows.map(({ count }) => count);
}

test("two deliveries divide the shards, send nothing twice, and one goes on alone when the other stops", async () => {
  const first = outbox.deliver();
  await outbox.append(webhooks, 5);
  await eventually(async () => expect(await shares()).toEqual([32]));
  const second = outbox.deliver();
  for (let i = 0; i < 20; i += 1) {
    await outbox.append(webhooks, 2);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await eventually(async () => expect(await shares()).toEqual([16, 16]));
  await outbox.append(webhooks, 5);
  await first.stop();
  await eventually(async () => expect(await shares()).toEqual([32]));
  await outbox.append(webhooks, 5);
  await outbox.atRest();
  await second.stop();
  expect(await shares()).toEqual([]);
  expect(arrivals().size).toBe(40 * 55);
  expect(receiver.deliveries.length).toBe(40 * 55);
});

test("released shards free the memory of their waiting notifications", async () => {
  receiver.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), 100);
  const metrics = createMetrics();
  const first = outbox.deliver({ metrics });
  const queued = async () => Number(/delivery_queued_notifications (\d+)/.exec(await metrics.text())?.[1]);
  await eventually(async () => expect(await shares()).toEqual([32]));
  await outbox.append(webhooks, 60);
  await eventually(async () => expect(await queued()).toBeGreaterThan(400));
  const second = outbox.deliver();
  await eventually(async () => expect(await shares()).toEqual([16, 16]));
  await outbox.atRest();
  expect(await queued()).toBe(0);
  await Promise.all([first.stop(), second.stop()]);
});

test("stopped and started again under load, nothing is lost and nothing comes twice", async () => {
  receiver.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), 5);
  for (let i = 0; i < 4; i += 1) {
    const delivery = outbox.deliver();
    await outbox.append(webhooks, 15);
    await receiver.waitFor(600 * i + 150);
    await delivery.stop();
  }
  outbox.deliver();
  await outbox.atRest();
  expect(arrivals().size).toBe(40 * 60);
  expect(receiver.deliveries.length).toBe(40 * 60);
});

test("after a kill another process takes over when the lease expires, and repeats only what was in flight", async () => {
  receiver.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), 5);
  const child = await runChild(`
    import { pino } from "pino";
    import { startDelivery } from "./server/delivery/deliver.ts";
    import { noKeys } from "./server/settings/keyring.ts";
    import { createPool } from "./server/store/pool.ts";
    const pool = createPool(${JSON.stringify(outbox.databaseUrl)}, { name: "victim" });
    startDelivery({ pool, log: pino({ level: "silent" }), keyring: noKeys, allowPrivateTargets: true, leaseSeconds: 10 });
    report("started");
  `);
  await outbox.append(webhooks, 50);
  await receiver.waitFor(400);
  await child.kill();
  await eventually(async () =>
    expect((await outbox.pool.query("SELECT FROM pg_stat_activity WHERE application_name = 'victim'")).rowCount).toBe(
      0,
    ),
  );
  const { rows } = await outbox.pool.query<{ id: string }>(
    "SELECT message_id AS id FROM notifications n JOIN attempts a USING (webhook_id, sequence)",
  );
  const onRecord = new Set(rows.map(({ id }) => id));
  const before = receiver.deliveries.length;
  expect(onRecord.size).toBeLessThan(40 * 50);
  outbox.deliver();
  await outbox.atRest();
  expect(arrivals().size).toBe(40 * 50);
  for (const id of repeated()) expect(onRecord).not.toContain(id);
  expect(repeated().length).toBeLessThanOrEqual(before - onRecord.size);
  const numbers = (await Promise.all(webhooks.map(outbox.attempts))).flat().map(({ number }) => number);
  expect(new Set(numbers)).toEqual(new Set([1]));
});

test("a backlog and retries are taken over too", async () => {
  const refusing = webhooks.slice(0, 2);
  receiver.answer = (_, response) => response.writeHead(503).end();
  const first = outbox.deliver();
  await outbox.append(refusing, 60);
  await eventually(async () => expect((await outbox.pool.query("SELECT FROM retries")).rowCount).toBeGreaterThan(3));
  await first.stop();
  expect(await outbox.unattempted()).toBeGreaterThan(50);
  const { rows } = await outbox.pool.query("SELECT backlog_from FROM endpoint_states WHERE backlog_from IS NOT NULL");
  expect(rows.length).toBe(2);
  await outbox.pool.query("UPDATE retries SET due_at = now()");
  receiver.answer = (_, response) => response.writeHead(204).end();
  outbox.deliver();
  await outbox.atRest();
  await eventually(async () => expect((await outbox.pool.query("SELECT FROM retries")).rowCount).toBe(0));
  await eventually(async () => expect((await outbox.pool.query("SELECT FROM endpoint_states")).rowCount).toBe(0));
});

test("an owner that has lost its lease changes nothing any more, and notices it", async () => {
  const held: (() => void)[] = [];
  receiver.answer = (_, response) => void held.push(() => response.writeHead(204).end());
  const metrics = createMetrics();
  outbox.deliver({ leaseSeconds: 60, metrics });
  const [webhook] = webhooks;
  if (!webhook) throw new Error("no webhook");
  await outbox.append([webhook], 2);
  await receiver.waitFor(2);
  const change = (to: string) =>
    outbox.pool.query(`UPDATE leases SET ${to} WHERE kind = 'shard' AND key = $1`, [String(webhook.shard)]);
  await change("owner = gen_random_uuid(), epoch = epoch + 1, expires_at = now() + interval '60 seconds'");
  for (const end of held.splice(0)) end();
  // As soon as it was refused a result, and not before: until then a third one would be sent.
  const own = `kind="shard",key="${webhook.shard}"`;
  await eventually(async () => expect(await metrics.text()).not.toContain(own));
  await outbox.append([webhook]);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await outbox.attempts(webhook)).toEqual([]);
  expect(receiver.deliveries.length).toBe(2);
  // The thief never worked; when its lease has ended, all three are sent, two of them again.
  receiver.answer = (_, response) => response.writeHead(204).end();
  await change("expires_at = now()");
  outbox.deliver();
  await outbox.atRest();
  expect((await outbox.attempts(webhook)).map(({ sequence, number }) => [sequence, number])).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
});
