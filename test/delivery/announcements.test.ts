/** What is announced is sent without waiting for the next look, and what is not announced by the next look. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announceWork, listenForWork, type Work } from "../../server/store/delivery/announcements.ts";
import { appendUnannounced, type Outbox, openOutbox } from "../support/outbox.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

let outbox: Outbox;
let receiver: Receiver;
beforeEach(async () => {
  [outbox, receiver] = await Promise.all([openOutbox(), startReceiver()]);
});
afterEach(async () => {
  await outbox.close();
  await receiver.close();
});

test("a notification is sent whether it was announced or not", async () => {
  const webhook = await outbox.addWebhook(receiver.url);
  outbox.deliver();
  await appendUnannounced(outbox.pool, [webhook]);
  await receiver.waitFor(1);
  await appendUnannounced(outbox.pool, [webhook]);
  await announceWork(outbox.pool, "notifications");
  await receiver.waitFor(2);
  await appendUnannounced(outbox.pool, [webhook]);
  await receiver.waitFor(3);
});

test("while nothing waits, delivery looks once a second", async () => {
  const looksAt: number[] = [];
  const { query } = outbox.pool;
  vi.spyOn(outbox.pool, "query").mockImplementation((...args: unknown[]) => {
    if ((args[0] as { name?: string }).name === "read-due-retries") looksAt.push(performance.now());
    return Reflect.apply(query, outbox.pool, args);
  });
  outbox.deliver({ leaseSeconds: 30 });
  const lastFourMs = () => (looksAt.at(-1) ?? 0) - (looksAt.at(-4) ?? Number.POSITIVE_INFINITY);
  await expect.poll(lastFourMs).toBeGreaterThan(2_700);
});

test("a listener hears others, and again after its connection broke", async () => {
  const heard: Work[] = [];
  const listener = listenForWork(outbox.pool, (work) => heard.push(work));
  await expect.poll(listener.hears).toBe(true);
  await announceWork(outbox.pool, "tests");
  await expect.poll(() => heard).toContain("tests");
  await outbox.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
  );
  await expect.poll(listener.hears).toBe(false);
  await expect.poll(listener.hears).toBe(true);
  listener.stop();
  expect(listener.hears()).toBe(false);
});
