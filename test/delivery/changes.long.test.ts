/** What changes of webhooks cost those that do not change. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type Outbox, type OutboxWebhook, openOutbox } from "../support/outbox.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

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

test("webhooks that change without end are read again for a small part of the time, and for all shards together", async () => {
  receiver.answer = ({ path }, response) => void (path === "/hanging" || response.writeHead(204).end());
  const hanging: OutboxWebhook[] = [];
  while (hanging.length < 320) hanging.push(await outbox.addWebhook(`${receiver.url}/hanging`));
  const healthy = await outbox.addWebhook(`${receiver.url}/healthy`, undefined, await outbox.addAccount());
  let reads = 0;
  let readingMs = 0;
  const { query } = outbox.pool;
  const watched = vi.spyOn(outbox.pool, "query").mockImplementation(async (...args: unknown[]) => {
    const from = performance.now();
    const answer = await Reflect.apply(query, outbox.pool, args);
    if ((args[0] as { name?: string }).name === "read-endpoints") {
      reads += 1;
      readingMs += performance.now() - from;
    }
    return answer;
  });
  outbox.deliver({ timeoutMs: 20_000 });
  await outbox.append(hanging, 2);
  await receiver.waitFor(200, ({ path }) => path === "/hanging");

  const startedAt = performance.now();
  [reads, readingMs] = [0, 0];
  let changes = 0;
  while (performance.now() - startedAt < 1_000) {
    await outbox.pool.query("UPDATE webhooks SET url = url WHERE url LIKE '%/hanging'");
    changes += 1;
  }
  expect(readingMs / (performance.now() - startedAt)).toBeLessThan(0.5);
  expect(reads).toBeLessThanOrEqual(changes + 1);
  watched.mockRestore();

  // A change holds all the same.
  await outbox.pool.query("UPDATE webhooks SET url = $1 WHERE id = $2", [`${receiver.url}/changed`, healthy.id]);
  await eventually(async () => {
    await outbox.append([healthy]);
    await receiver.waitFor(1, ({ path }) => path === "/changed", 200);
  });
});
