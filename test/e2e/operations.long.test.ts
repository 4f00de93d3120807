/** Tests, notifications and their resends, as a client sees them, on a real chain. */

import { pad } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyNotification } from "../../client/receiver/index.ts";
import { patienceMs } from "../support/patience.ts";
import type { Delivered } from "../support/receiver.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

let next = 0x2000n;
const freshAddress = () => pad(`0x${(next++).toString(16)}`, { size: 20 });

let world: World;
/** The status that each webhook's endpoint answers with, by its path; 204 by default. */
const answers = new Map<string, number>();
beforeAll(async () => {
  world = await startWorld();
  world.receiver.answer = ({ path }, response) => {
    const status = answers.get(path) ?? 204;
    response.writeHead(status).end(status === 204 ? undefined : "busy");
  };
});
afterAll(() => world.stop());

async function watch(address: string, metadata: { includeLogs?: boolean; includeInternalTxs?: boolean } = {}) {
  const path = `/${crypto.randomUUID()}`;
  const url = world.receiver.url + path;
  const { id } = await world.client.createWebhook({
    body: { url, chainId: testChainId, eventType: "address_activity", metadata: { addresses: [address], ...metadata } },
  });
  const ofPath = (delivered: Delivered) => delivered.path === path;
  return {
    id,
    path,
    delivered: (count: number) => world.receiver.waitFor(count, ofPath),
    notifications: async (query: { status?: "pending" | "delivered" | "failed" } = {}) =>
      (await world.client.listNotifications({ path: { id }, query })).notifications,
    get: (messageId: string) => world.client.getNotification({ path: { id, messageId } }),
    resend: (messageId: string) => world.client.resendNotification({ path: { id, messageId } }),
  };
}

/** Asks again until it is so. */
async function until<T>(read: () => Promise<T>, wanted: (value: T) => boolean): Promise<T> {
  for (const deadline = performance.now() + patienceMs; ; await new Promise((resolve) => setTimeout(resolve, 25))) {
    const value = await read();
    if (wanted(value)) return value;
    if (performance.now() > deadline) throw new Error(`still ${JSON.stringify(value)}`);
  }
}

test.each([{}, { includeLogs: true }, { includeInternalTxs: true }, { includeLogs: true, includeInternalTxs: true }])(
  "a test arrives signed, with the sequence 0, in the form of %j, and uses no sequence",
  async (form) => {
    const to = freshAddress();
    const webhook = await watch(to, form);
    const result = await world.client.testWebhook({ path: { id: webhook.id } });
    expect(result).toMatchObject({ delivered: true, responseStatus: 204, durationMs: expect.any(Number) });
    expect(Math.abs(result.sentAt - Date.now())).toBeLessThan(60_000);
    const [sent] = await webhook.delivered(1);
    const { secret } = await world.client.getWebhookSecret({ path: { id: webhook.id } });
    const verified = await verifyNotification(sent?.rawBody ?? "", sent?.headers ?? {}, secret);
    expect(verified).toMatchObject({ webhookId: webhook.id, messageId: result.messageId });
    expect(verified.event.transaction.chainId).toBe(testChainId);
    expect(verified.event.logs !== undefined).toBe(form.includeLogs === true);
    expect(verified.event.transaction.internalTransactions !== undefined).toBe(form.includeInternalTxs === true);
    expect(sent?.sequence).toBe(0);
    expect(await webhook.notifications()).toEqual([]);
    await world.wallet.send(to, 1n);
    expect((await webhook.delivered(2))[1]?.sequence).toBe(1);
  },
);

test("a test reports the failure and changes nothing, even after a 410, and works for an inactive webhook", async () => {
  const webhook = await watch(freshAddress());
  const path = { id: webhook.id };
  answers.set(webhook.path, 410);
  expect(await world.client.testWebhook({ path })).toMatchObject({
    delivered: false,
    responseStatus: 410,
    responseBody: "busy",
    errorClass: "bad_status",
  });
  expect(await world.client.getWebhook({ path })).toMatchObject({ status: "active" });
  await world.client.updateWebhook({ path, body: { status: "inactive", url: "http://127.0.0.1:2/" } });
  const unreachable = await world.client.testWebhook({ path });
  expect(unreachable).toMatchObject({ delivered: false, errorClass: "connection_refused" });
  expect(unreachable).not.toHaveProperty("responseStatus");
  expect(await world.client.getWebhook({ path })).toMatchObject({ status: "inactive", statusReason: "requested" });
});

test("a notification is shown as it was sent, with its attempts; resent, it comes under the same messageId", async () => {
  const to = freshAddress();
  const webhook = await watch(to);
  const receipt = await world.wallet.send(to, 1n);
  const [first] = await webhook.delivered(1);
  const [record] = await until(
    () => webhook.notifications({ status: "delivered" }),
    ({ length }) => length === 1,
  );
  const { messageId = "" } = record ?? {};
  expect(record).toMatchObject({
    messageId: first?.notification.messageId,
    sequence: 1,
    blockNumber: String(receipt.blockNumber),
    blockHash: receipt.blockHash,
    txHash: receipt.transactionHash,
    removed: false,
    attemptCount: 1,
    lastAttempt: { number: 1, trigger: "schedule", responseStatus: 204 },
  });
  const { payload, ...detail } = await webhook.get(messageId);
  expect(JSON.stringify(payload)).toBe(first?.rawBody);
  expect(detail).toEqual({ ...record, attempts: [record?.lastAttempt] });

  answers.set(webhook.path, 500);
  expect(await webhook.resend(messageId)).toMatchObject({ messageId, status: "delivered" });
  const failed = await until(
    () => webhook.get(messageId),
    ({ attemptCount }) => attemptCount === 2,
  );
  expect(failed).toMatchObject({
    status: "delivered",
    lastAttempt: { number: 2, trigger: "resend", responseStatus: 500, errorClass: "bad_status", responseBody: "busy" },
  });
  expect(failed).not.toHaveProperty("nextAttemptAt");
  answers.delete(webhook.path);
  await webhook.resend(messageId);
  const [, , third] = await webhook.delivered(3);
  expect(third?.rawBody).toBe(first?.rawBody);
  expect(third?.sequence).toBe(1);
  const { attempts } = await until(
    () => webhook.get(messageId),
    ({ attemptCount }) => attemptCount === 3,
  );
  expect(attempts.map(({ number, trigger }) => [number, trigger])).toEqual([
    [1, "schedule"],
    [2, "resend"],
    [3, "resend"],
  ]);
});

test("a resend that fails leaves the schedule as it was, one that succeeds ends it", async () => {
  const to = freshAddress();
  const webhook = await watch(to);
  answers.set(webhook.path, 503);
  await world.wallet.send(to, 1n);
  const [pending] = await until(
    () => webhook.notifications({ status: "pending" }),
    ([one]) => one?.attemptCount === 1,
  );
  const { messageId = "", nextAttemptAt } = pending ?? {};
  expect(nextAttemptAt).toBeGreaterThan(Date.now());
  await webhook.resend(messageId);
  const after = await until(
    () => webhook.get(messageId),
    ({ attemptCount }) => attemptCount === 2,
  );
  expect(after).toMatchObject({ status: "pending", nextAttemptAt, lastAttempt: { number: 2, trigger: "resend" } });
  answers.delete(webhook.path);
  await webhook.resend(messageId);
  const done = await until(
    () => webhook.get(messageId),
    ({ status }) => status === "delivered",
  );
  expect(done.attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
  expect(done).not.toHaveProperty("nextAttemptAt");
  const { rowCount } = await world.service.database.pool.query("SELECT FROM retries WHERE webhook_id = $1", [
    webhook.id,
  ]);
  expect(rowCount).toBe(0);
});

test("after a resend the schedule continues with the next number, at its own step", async () => {
  const to = freshAddress();
  const webhook = await watch(to);
  answers.set(webhook.path, 500);
  await world.wallet.send(to, 1n);
  const [one] = await until(
    () => webhook.notifications(),
    ([found]) => found?.attemptCount === 1,
  );
  const { messageId = "" } = one ?? {};
  await webhook.resend(messageId);
  await until(
    () => webhook.get(messageId),
    ({ attemptCount }) => attemptCount === 2,
  );
  const { pool } = world.service.database;
  await pool.query("UPDATE retries SET due_at = now() WHERE webhook_id = $1", [webhook.id]);
  const third = await until(
    () => webhook.get(messageId),
    ({ attemptCount }) => attemptCount === 3,
  );
  expect(third.lastAttempt).toMatchObject({ number: 3, trigger: "schedule" });
  // The second by schedule is followed by a minute's pause.
  const pauseMs = (third.nextAttemptAt ?? 0) - (third.lastAttempt?.sentAt ?? 0);
  expect(pauseMs).toBeGreaterThan(50_000);
  expect(pauseMs).toBeLessThan(70_000);
});

test("one that failed for good is listed so, is pending during a resend, and failed or delivered after it", async () => {
  const to = freshAddress();
  const webhook = await watch(to);
  answers.set(webhook.path, 500);
  await world.wallet.send(to, 1n);
  const [one] = await until(
    () => webhook.notifications(),
    ([found]) => found?.attemptCount === 1,
  );
  const { messageId = "" } = one ?? {};
  await world.service.database.pool.query("UPDATE retries SET due_at = NULL WHERE webhook_id = $1", [webhook.id]);
  expect(await webhook.notifications({ status: "failed" })).toMatchObject([{ messageId, status: "failed" }]);
  expect(await webhook.notifications({ status: "pending" })).toEqual([]);
  await webhook.resend(messageId);
  await until(
    () => webhook.get(messageId),
    ({ attemptCount }) => attemptCount === 2,
  );
  expect(await webhook.notifications({ status: "failed" })).toMatchObject([{ messageId, attemptCount: 2 }]);
  answers.delete(webhook.path);
  await webhook.resend(messageId);
  await until(
    () => webhook.notifications({ status: "delivered" }),
    ({ length }) => length === 1,
  );
  expect(await webhook.notifications({ status: "failed" })).toEqual([]);
});

test("while a webhook is inactive a resend waits", async () => {
  const to = freshAddress();
  const webhook = await watch(to);
  await world.wallet.send(to, 1n);
  await webhook.delivered(1);
  const [one] = await until(
    () => webhook.notifications(),
    ([found]) => found?.status === "delivered",
  );
  const path = { id: webhook.id };
  await world.client.updateWebhook({ path, body: { status: "inactive" } });
  const waiting = await webhook.resend(one?.messageId ?? "");
  expect(waiting).toMatchObject({ status: "delivered", nextAttemptAt: expect.any(Number), attemptCount: 1 });
  await world.client.updateWebhook({ path, body: { status: "active" } });
  expect((await webhook.delivered(2)).map(({ sequence }) => sequence)).toEqual([1, 1]);
});
