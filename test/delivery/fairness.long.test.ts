/** Endpoints that hang, are slow or keep failing: they get what is theirs, and hold up nobody else. */

import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type Outbox, openOutbox } from "../support/outbox.ts";
import { type Delivered, type Receiver, startReceiver } from "../support/receiver.ts";

let outbox: Outbox;
let receiver: Receiver;
beforeEach(async () => {
  [outbox, receiver] = await Promise.all([openOutbox(), startReceiver()]);
});
afterEach(async () => {
  // First, so that nobody waits for what hangs.
  await receiver.close();
  await outbox.close();
});

const at = (path: string) => (delivered: Delivered) => delivered.path === path;

test("first attempts start in the order of the sequence, including those that wait in the tables", async () => {
  // No request is answered before the concurrency limit is reached, so the arrivals show what was started.
  const inFlight: { sequence: number; response: ServerResponse }[] = [];
  receiver.answer = ({ sequence }, response) => void inFlight.push({ sequence, response });
  const webhook = await outbox.addWebhook(receiver.url);
  outbox.deliver();
  await outbox.append([webhook], 120);
  let sent = 0;
  for (let limit = 2; sent < 240; limit = Math.min(10, 2 * limit)) {
    const expected = Array.from({ length: Math.min(limit, 240 - sent) }, (_, index) => sent + index + 1);
    await eventually(() => expect(inFlight.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(expected));
    sent += expected.length;
    // More comes while the endpoint is far behind.
    if (sent === 34) await outbox.append([webhook], 120);
    for (const { response } of inFlight.splice(0)) response.writeHead(204).end();
  }
  await eventually(async () => expect((await outbox.attempts(webhook)).length).toBe(240));
  expect(receiver.deliveries.length).toBe(240);
  await eventually(async () => expect((await outbox.pool.query("SELECT FROM endpoint_states")).rowCount).toBe(0));
});

test("an endpoint that hangs does not delay the others of its shard", async () => {
  receiver.answer = ({ path }, response) => void (path === "/hanging" || response.writeHead(204).end());
  const hanging = await outbox.addWebhook(`${receiver.url}/hanging`);
  const healthy = await outbox.addWebhook(`${receiver.url}/healthy`, hanging.shard);
  outbox.deliver();
  await outbox.append([hanging], 300);
  await receiver.waitFor(2, at("/hanging"));
  for (let i = 0; i < 10; i += 1) await outbox.append([healthy], 30);
  await receiver.waitFor(300, at("/healthy"));
  expect(receiver.deliveries.filter(at("/hanging")).map(({ endedAt }) => endedAt)).toEqual([undefined, undefined]);
});

test("one endpoint's backlog does not delay the others, and all of it arrives", async () => {
  const waiting = 2_500;
  receiver.answer = ({ path }, response) => void (path === "/hanging" || response.writeHead(204).end());
  const hanging = await outbox.addWebhook(`${receiver.url}/hanging`);
  const healthy = await outbox.addWebhook(`${receiver.url}/healthy`, hanging.shard);
  await outbox.append([hanging], waiting);
  await outbox.append([healthy]);
  const query = vi.spyOn(outbox.pool, "query");
  outbox.deliver({ timeoutMs: 5_000 });
  await receiver.waitFor(1, at("/healthy"));
  const read = await Promise.all(
    query.mock.calls.map(async ([question], index) => {
      const { name } = question as { name?: string };
      const answer: { rows: unknown[] } | undefined = await query.mock.results[index]?.value;
      return name?.startsWith("read-stream") ? (answer?.rows.length ?? 0) : 0;
    }),
  );
  expect(read.reduce((sum, count) => sum + count, 0)).toBeLessThan(waiting / 2);
  query.mockRestore();
  const before = receiver.deliveries.filter(at("/hanging")).length;
  receiver.answer = (_, response) => response.writeHead(204).end();
  await receiver.waitFor(waiting + before, at("/hanging"));
  await eventually(async () =>
    expect((await outbox.attempts(hanging)).length).toBeGreaterThanOrEqual(waiting + before),
  );
});

test("a hundred endpoints that hang leave room for one that does not", async () => {
  receiver.answer = ({ path }, response) => void (path === "/hanging" || response.writeHead(204).end());
  const hanging = await Promise.all(Array.from({ length: 100 }, () => outbox.addWebhook(`${receiver.url}/hanging`)));
  const healthy = await outbox.addWebhook(`${receiver.url}/healthy`);
  outbox.deliver();
  await outbox.append(hanging, 20);
  await receiver.waitFor(200, at("/hanging"));
  await outbox.append([healthy], 20);
  await receiver.waitFor(20, at("/healthy"));
  expect(receiver.deliveries.filter(at("/hanging")).filter(({ endedAt }) => endedAt !== undefined)).toEqual([]);
});

test("an endpoint that fails for a while gets everything in the end, each notification once accepted", async () => {
  let refusals = 8;
  const accepted: number[] = [];
  receiver.answer = ({ sequence }, response) => {
    refusals -= 1;
    if (refusals < 0) accepted.push(sequence);
    response.writeHead(refusals < 0 ? 204 : 503).end();
  };
  const webhook = await outbox.addWebhook(receiver.url);
  outbox.deliver();
  await outbox.append([webhook], 150);
  await outbox.atRest();
  await outbox.pool.query("UPDATE retries SET due_at = now()");
  await eventually(() => expect(accepted.length).toBe(150));
  expect(new Set(accepted).size).toBe(150);
  await eventually(async () => expect((await outbox.pool.query("SELECT FROM retries")).rowCount).toBe(0));
});
