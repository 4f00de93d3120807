/** Several delivery processes on one database: each notification is one's alone, whoever comes, goes or dies. */
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Delivery, startDelivery } from "../../server/delivery/deliver.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { runChild } from "../support/child.ts";
import { type Outbox, openOutbox } from "../support/outbox.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const log = pino({ level: process.env.TEST_LOG ?? "silent" });
let outbox: Outbox;
let receiver: Receiver;
let running: { delivery: Delivery; pool: Pool }[];

beforeEach(async () => {
  [outbox, receiver] = await Promise.all([openOutbox(), startReceiver()]);
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map(stop));
  await receiver.close();
  await outbox.close();
});

function start(): { delivery: Delivery; pool: Pool } {
  const pool = createPool(outbox.url);
  const process = { delivery: startDelivery({ pool, log, allowPrivateTargets: true, leaseSeconds: 2 }), pool };
  running.push(process);
  return process;
}

async function stop(process: { delivery: Delivery; pool: Pool }): Promise<void> {
  running = running.filter((other) => other !== process);
  await process.delivery.stop();
  await process.pool.end();
}

async function owners(): Promise<number[]> {
  const { rows } = await outbox.pool.query<{ shards: number }>(
    "SELECT count(*)::int AS shards FROM leases WHERE kind = 'shard' AND owner IS NOT NULL AND expires_at > now() GROUP BY owner",
  );
  return rows.map(({ shards }) => shards);
}

async function until(look: () => Promise<boolean> | boolean, timeoutMs = 15_000): Promise<void> {
  for (
    const deadline = Date.now() + timeoutMs;
    !(await look());
    await new Promise((resolve) => setTimeout(resolve, 50))
  ) {
    if (Date.now() > deadline) throw new Error("what was waited for did not come");
  }
}

const arrived = () => receiver.deliveries.map(({ notification }) => notification.messageId).sort();

test("two processes divide the shards within a lease time, and none is sent by both; a third takes over from one that stops", async () => {
  const webhooks = await Promise.all(
    Array.from({ length: 40 }, (_, index) => outbox.createWebhook(`${receiver.url}/${index}`)),
  );
  const first = start();
  await until(async () => (await owners()).join() === "32");
  start();
  const expected = await outbox.record(webhooks, 5);
  await until(async () => (await owners()).join() === "16,16");
  expected.push(...(await outbox.record(webhooks, 5)));
  await stop(first);
  expected.push(...(await outbox.record(webhooks, 5)));
  await until(() => receiver.deliveries.length >= expected.length);
  await until(async () => (await owners()).join() === "32");
  expect(arrived()).toEqual(expected.sort());
});

test("what a killed process had under way is sent by another after the lease, and nothing else twice", async () => {
  const webhooks = await Promise.all(
    Array.from({ length: 20 }, (_, index) => outbox.createWebhook(`${receiver.url}/${index}`)),
  );
  const child = await runChild<string>(`
    import { pino } from "pino";
    import { startDelivery } from "./server/delivery/deliver.ts";
    import { createPool } from "./server/store/pool.ts";
    startDelivery({ pool: createPool(${JSON.stringify(outbox.url)}), log: pino({ level: "silent" }), allowPrivateTargets: true, leaseSeconds: 2 });
    report("started");
  `);
  const expected = await outbox.record(webhooks, 10);
  await until(() => receiver.deliveries.length >= expected.length);
  // What is accepted and not on record any more is what it dies with.
  await until(async () => (await outbox.pool.query("SELECT FROM attempts")).rowCount === expected.length);
  receiver.answer = () => undefined;
  expected.push(...(await outbox.record(webhooks, 1)));
  await until(() => receiver.deliveries.length >= expected.length);
  await child.kill();
  receiver.answer = (_, response) => response.writeHead(204).end();
  start();
  await until(
    async () =>
      (await outbox.pool.query("SELECT FROM attempts WHERE error_class IS NULL")).rowCount === expected.length,
  );
  expect([...new Set(arrived())]).toEqual(expected.sort());
  expect(receiver.deliveries.length).toBe(expected.length + webhooks.length);
  const { rows } = await outbox.pool.query("SELECT DISTINCT number FROM attempts");
  expect(rows).toEqual([{ number: 1 }]);
});

test("a process whose lease was taken changes nothing any more", async () => {
  const webhook = await outbox.createWebhook(receiver.url);
  const { delivery } = start();
  await until(async () => (await owners()).join() === "32");
  let answer = () => {};
  receiver.answer = (_, response) => {
    answer = () => response.writeHead(204).end();
  };
  await outbox.record([webhook]);
  await until(() => receiver.deliveries.length === 1);
  await outbox.pool.query(
    "UPDATE leases SET owner = gen_random_uuid(), epoch = epoch + 1, expires_at = now() + interval '1 hour'",
  );
  answer();
  await delivery.stop();
  expect((await outbox.pool.query("SELECT FROM attempts")).rowCount).toBe(0);
});

test("broken database connections lose nothing", async () => {
  const webhooks = await Promise.all(
    Array.from({ length: 10 }, (_, index) => outbox.createWebhook(`${receiver.url}/${index}`)),
  );
  start();
  const expected: string[] = [];
  for (let round = 0; round < 10; round += 1) {
    expected.push(...(await outbox.record(webhooks, 5)));
    await outbox.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await until(
    async () =>
      (await outbox.pool.query("SELECT FROM attempts WHERE error_class IS NULL")).rowCount === expected.length,
  );
  expect([...new Set(arrived())]).toEqual(expected.sort());
});

test("an endpoint that cannot keep up has a backlog, which costs one row and arrives in order", async () => {
  const slow = await outbox.createWebhook(`${receiver.url}/slow`);
  const quick = await outbox.createWebhook(`${receiver.url}/quick`);
  receiver.answer = ({ path }, response) =>
    void setTimeout(() => response.writeHead(204).end(), path === "/slow" ? 20 : 0);
  start();
  await outbox.record([slow], 1_000);
  await outbox.record([quick], 20);
  await receiver.waitFor(20, ({ path }) => path === "/quick");
  expect(receiver.deliveries.filter(({ path }) => path === "/slow").length).toBeLessThan(900);
  await until(
    async () => (await outbox.pool.query("SELECT FROM endpoint_states WHERE backlog_from IS NOT NULL")).rowCount === 1,
  );
  const delivered = await receiver.waitFor(1_000, ({ path }) => path === "/slow", 25_000);
  const late = delivered.filter(({ sequence }, index) => Math.abs(sequence - 1 - index) > 10);
  expect(late).toEqual([]);
  expect(new Set(delivered.map(({ sequence }) => sequence)).size).toBe(1_000);
  await until(async () => (await outbox.pool.query("SELECT FROM endpoint_states")).rowCount === 0);
});
