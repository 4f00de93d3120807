/** What becomes of a notification when its endpoint does not simply accept it, seen from outside the service. */

import type { ServerResponse } from "node:http";
import { pad } from "viem";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { patienceMs } from "../support/patience.ts";
import type { Delivered } from "../support/receiver.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

let next = 0x2000n;
const freshAddress = () => pad(`0x${(next++).toString(16)}`, { size: 20 });

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => {
  world.receiver.answer = (_, response) => response.writeHead(204).end();
});
afterAll(() => world.stop());

async function watch(): Promise<{ id: string; to: `0x${string}`; of: (delivered: Delivered) => boolean }> {
  const to = freshAddress();
  const body = {
    url: `${world.receiver.url}/${to}`,
    chainId: testChainId,
    eventType: "address_activity" as const,
    metadata: { addresses: [to] },
  };
  const { id } = await world.client.createWebhook({ body });
  return { id, to, of: ({ notification }) => notification.webhookId === id };
}

type Attempt = {
  number: number;
  response_status: number | null;
  error_class: string | null;
  response_body: string | null;
};
async function attemptsOf(webhookId: string, sequence = 1): Promise<Attempt[]> {
  const { rows } = await world.service.database.pool.query<Attempt>(
    "SELECT number, response_status, error_class, response_body FROM attempts WHERE webhook_id = $1 AND sequence = $2 ORDER BY number",
    [webhookId, sequence],
  );
  return rows;
}

/** Lets time pass for a webhook's retries: what would be due later is due now. */
async function makeDue(webhookId: string): Promise<{ attempts: number; inSeconds: number }> {
  const { rows } = await world.service.database.pool.query<{ attempts: number; seconds: number }>(
    `WITH before AS (SELECT webhook_id, sequence, extract(epoch FROM due_at - clock_timestamp())::float8 AS seconds FROM retries WHERE webhook_id = $1)
     UPDATE retries r SET due_at = clock_timestamp() FROM before b WHERE r.webhook_id = b.webhook_id AND r.sequence = b.sequence
     RETURNING r.attempts, b.seconds`,
    [webhookId],
  );
  const [row] = rows;
  if (!row) throw new Error("nothing waits to be sent again");
  return { attempts: row.attempts, inSeconds: row.seconds };
}

async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (
    const deadline = Date.now() + patienceMs;
    Date.now() < deadline;
    await new Promise((resolve) => setTimeout(resolve, 25))
  ) {
    const found = await look();
    if (found) return found;
  }
  throw new Error("what was waited for did not come");
}

test("a refused notification is sent again under the same messageId by the schedule, until it is accepted", async () => {
  let refusals = 2;
  world.receiver.answer = (_, response) => response.writeHead(refusals-- > 0 ? 500 : 200).end("no");
  const { id, to, of } = await watch();
  await world.wallet.send(to, 1n);
  await until(async () => (await attemptsOf(id)).length === 1);
  const first = await makeDue(id);
  expect(first.inSeconds).toBeGreaterThan(8);
  expect(first.inSeconds).toBeLessThan(11.1);
  await until(async () => (await attemptsOf(id)).length === 2);
  const second = await makeDue(id);
  expect(second.inSeconds).toBeGreaterThan(53);
  expect(second.inSeconds).toBeLessThan(66.1);
  const delivered = await world.receiver.waitFor(3, of);
  expect(new Set(delivered.map(({ notification }) => notification.messageId)).size).toBe(1);
  expect(new Set(delivered.map(({ rawBody }) => rawBody)).size).toBe(1);
  await until(async () => (await attemptsOf(id)).length === 3);
  expect(await attemptsOf(id)).toMatchObject([
    { number: 1, response_status: 500, error_class: "bad_status", response_body: "no" },
    { number: 2, response_status: 500, error_class: "bad_status" },
    { number: 3, response_status: 200, error_class: null },
  ]);
  await expect(makeDue(id)).rejects.toThrow("nothing waits");
});

test("Retry-After puts the next attempt off, up to twice the step", async () => {
  const asked = ["15", "3600"];
  world.receiver.answer = (_, response) => response.writeHead(429, { "retry-after": asked.shift() ?? "1" }).end();
  const { id, to } = await watch();
  await world.wallet.send(to, 1n);
  await until(async () => (await attemptsOf(id)).length === 1);
  expect((await makeDue(id)).inSeconds).toBeGreaterThan(13);
  await until(async () => (await attemptsOf(id)).length === 2);
  const { inSeconds } = await makeDue(id);
  expect(inSeconds).toBeGreaterThan(117);
  expect(inSeconds).toBeLessThan(120.1);
});

test("the webhook shows since when its endpoint fails, until it accepts again", async () => {
  let accepts = false;
  world.receiver.answer = (_, response) => response.writeHead(accepts ? 204 : 500).end();
  const { id, to } = await watch();
  const record = () => world.client.getWebhook({ path: { id } });
  expect(await record()).not.toHaveProperty("failingSince");
  await world.wallet.send(to, 1n);
  const { failingSince = 0 } = await until(async () => {
    const found = await record();
    return found.failingSince !== undefined && found;
  });
  expect(Math.abs(Date.now() - failingSince)).toBeLessThan(60_000);
  const { webhooks } = await world.client.listWebhooks();
  expect(webhooks.find((each) => each.id === id)).toMatchObject({ status: "active", failingSince });
  accepts = true;
  await makeDue(id);
  await until(async () => (await record()).failingSince === undefined);
});

test("after the tenth attempt a notification is not sent any more", async () => {
  world.receiver.answer = (_, response) => response.writeHead(503).end();
  const { id, to } = await watch();
  await world.wallet.send(to, 1n);
  for (let number = 1; number < 10; number += 1) {
    await until(async () => (await attemptsOf(id)).length === number);
    expect((await makeDue(id)).attempts).toBe(number);
  }
  await until(async () => (await attemptsOf(id)).length === 10);
  const { rows } = await world.service.database.pool.query(
    "SELECT attempts, due_at FROM retries WHERE webhook_id = $1",
    [id],
  );
  expect(rows).toEqual([{ attempts: 10, due_at: null }]);
});

test("a 410 makes the webhook inactive; pending notifications wait, and are sent when it is active again", async () => {
  world.receiver.answer = (_, response) => response.writeHead(410).end();
  const { id, to, of } = await watch();
  const path = { id };
  await world.wallet.send(to, 1n);
  const record = await until(async () => {
    const webhook = await world.client.getWebhook({ path });
    return webhook.status === "inactive" && webhook;
  });
  expect(record.statusReason).toBe("endpoint_gone");
  await makeDue(id);
  world.receiver.answer = (_, response) => response.writeHead(204).end();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(world.receiver.deliveries.filter(of)).toHaveLength(1);
  await world.client.updateWebhook({ path, body: { status: "active" } });
  const [first, second] = await world.receiver.waitFor(2, of);
  expect(second?.notification.messageId).toBe(first?.notification.messageId);
});

test("five days in which every attempt failed make the webhook inactive", async () => {
  world.receiver.answer = (_, response) => response.writeHead(500).end();
  const { id, to } = await watch();
  const { pool } = world.service.database;
  await world.wallet.send(to, 1n);
  await until(
    async () =>
      (await pool.query("SELECT FROM endpoint_states WHERE webhook_id = $1 AND failing_since IS NOT NULL", [id]))
        .rowCount,
  );
  await pool.query(
    "UPDATE endpoint_states SET failing_since = now() - interval '5 days 1 minute' WHERE webhook_id = $1",
    [id],
  );
  // Any change of its webhooks has the owner look again.
  await pool.query("UPDATE webhooks SET url = url WHERE id = $1", [id]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await makeDue(id);
  const webhook = await until(async () => {
    const record = await world.client.getWebhook({ path: { id } });
    return record.status === "inactive" && record;
  });
  expect(webhook.statusReason).toBe("endpoint_failing");
});

test("a redirect is not followed", async () => {
  world.receiver.answer = (_, response) =>
    response.writeHead(307, { location: `${world.receiver.url}/elsewhere` }).end();
  const { id, to } = await watch();
  await world.wallet.send(to, 1n);
  await until(async () => (await attemptsOf(id)).length === 1);
  expect(await attemptsOf(id)).toMatchObject([{ response_status: 307, error_class: "bad_status" }]);
  expect(world.receiver.deliveries.filter(({ path }) => path === "/elsewhere")).toEqual([]);
});

test("an endpoint that answers without end is cut off, and its status counts", async () => {
  world.receiver.answer = (_, response) => {
    response.writeHead(200);
    const more = () => response.writable && response.write("x".repeat(8192)) && setImmediate(more);
    more();
  };
  const { id, to } = await watch();
  await world.wallet.send(to, 1n);
  await until(async () => (await attemptsOf(id)).length === 1);
  const [attempt] = await attemptsOf(id);
  expect(attempt).toMatchObject({ response_status: 200, error_class: null });
  expect(attempt?.response_body).toBe("x".repeat(1024));
});

test("an endpoint that hangs times out after ten seconds, and meanwhile others are served", async () => {
  const hanging: ServerResponse[] = [];
  const slow = await watch();
  const quick = await watch();
  world.receiver.answer = ({ notification }, response) => {
    if (notification.webhookId === slow.id) hanging.push(response);
    else response.writeHead(204).end();
  };
  for (let count = 0; count < 12; count += 1) await world.wallet.send(slow.to, 1n);
  for (let count = 0; count < 5; count += 1) await world.wallet.send(quick.to, 1n);
  await world.receiver.waitFor(5, quick.of);
  expect(hanging.length).toBeLessThanOrEqual(10);
  await until(async () => (await attemptsOf(slow.id)).length === 1);
  expect(await attemptsOf(slow.id)).toMatchObject([{ response_status: null, error_class: "timeout" }]);
  world.receiver.answer = (_, response) => response.writeHead(204).end();
  await until(async () => (await attemptsOf(slow.id, 12)).length === 1);
});

test("a deleted webhook gets nothing more, not even what was pending", async () => {
  world.receiver.answer = (_, response) => response.writeHead(500).end();
  const { id, to, of } = await watch();
  await world.wallet.send(to, 1n);
  await until(async () => (await attemptsOf(id)).length === 1);
  await makeDue(id).then(() => world.client.deleteWebhook({ path: { id } }));
  const before = world.receiver.deliveries.filter(of).length;
  await world.wallet.send(to, 1n);
  await new Promise((resolve) => setTimeout(resolve, 800));
  expect(world.receiver.deliveries.filter(of).length).toBeLessThanOrEqual(before + 1);
  const { rowCount } = await world.service.database.pool.query(
    "SELECT FROM notifications WHERE webhook_id = $1 AND sequence > 1",
    [id],
  );
  expect(rowCount).toBe(0);
});

test("a changed url applies to retries", async () => {
  world.receiver.answer = (_, response) => response.writeHead(500).end();
  const { id, to, of } = await watch();
  await world.wallet.send(to, 1n);
  await until(async () => (await attemptsOf(id)).length === 1);
  world.receiver.answer = (_, response) => response.writeHead(204).end();
  await world.client.updateWebhook({ path: { id }, body: { url: `${world.receiver.url}/moved` } });
  await makeDue(id);
  const [, again] = await world.receiver.waitFor(2, of);
  expect(again?.path).toBe("/moved");
});
