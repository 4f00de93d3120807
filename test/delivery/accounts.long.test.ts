/**
 * One account at its worst, and what another notices of it. What hangs does so until it is cut off, so that "not delayed" means:
 * delivered before the first of it has ended.
 */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readTest, requestTest, type TestState } from "../../server/store/delivery/test-sends.ts";
import { eventually } from "../support/eventually.ts";
import { type Outbox, type OutboxWebhook, openOutbox } from "../support/outbox.ts";
import { type Delivered, type Receiver, startReceiver } from "../support/receiver.ts";

let outbox: Outbox;
let receiver: Receiver;
beforeEach(async () => {
  [outbox, receiver] = await Promise.all([openOutbox(), startReceiver()]);
  receiver.answer = ({ path }, response) => void (path === "/hanging" || response.writeHead(204).end());
});
afterEach(async () => {
  // First, so that nobody waits for what hangs.
  await receiver.close();
  await outbox.close();
});

const timeoutMs = 20_000;
const at = (path: string) => (delivered: Delivered) => delivered.path === path;

async function webhooksOf(accountId: number, count: number, path: string): Promise<OutboxWebhook[]> {
  const webhooks: OutboxWebhook[] = [];
  // One by one: who waits for a connection to the database does so for 5 s only.
  while (webhooks.length < count)
    webhooks.push(await outbox.addWebhook(`${receiver.url}${path}`, undefined, accountId));
  return webhooks;
}

async function expectNotDelayed(count: number): Promise<void> {
  const arrived = await receiver.waitFor(count, at("/healthy"), timeoutMs + 10_000);
  const ended = receiver.deliveries.filter(at("/hanging")).flatMap(({ endedAt = Number.POSITIVE_INFINITY }) => endedAt);
  expect(Math.max(...arrived.map(({ receivedAt }) => receivedAt))).toBeLessThan(Math.min(...ended));
}

test("hundreds of new endpoints that hang leave room for another account's new ones", async () => {
  const [one, other] = [await outbox.addAccount(), await outbox.addAccount()];
  const hanging = await webhooksOf(one, 300, "/hanging");
  const healthy = await webhooksOf(other, 5, "/healthy");
  outbox.deliver({ timeoutMs });
  await outbox.append(hanging, 2);
  // As many as an account alone may have at endpoints that have not answered yet.
  await receiver.waitFor(256, at("/hanging"));
  await outbox.append(healthy, 20);
  await expectNotDelayed(100);
  expect(receiver.deliveries.filter(at("/hanging")).length).toBe(256);
});

test("one account's waiting notifications do not block reading another's", async () => {
  const [one, other] = [await outbox.addAccount(), await outbox.addAccount()];
  const hanging = await webhooksOf(one, 300, "/hanging");
  const healthy = await webhooksOf(other, 2, "/healthy");
  await outbox.append(hanging, 12);
  await outbox.append(healthy, 20);
  outbox.deliver({ timeoutMs });
  await expectNotDelayed(40);
});

test("an account read apart loses nothing, and nothing of it comes twice", async () => {
  const [one, other] = [await outbox.addAccount(), await outbox.addAccount()];
  const busy = await webhooksOf(one, 40, "/busy");
  const healthy = await webhooksOf(other, 2, "/healthy");
  await outbox.append(busy, 100);
  await outbox.append(healthy, 20);
  await outbox.append(busy, 20);
  outbox.deliver({ timeoutMs });
  await receiver.waitFor(4_840);
  await outbox.atRest();
  expect(receiver.deliveries.length).toBe(4_840);
  expect(new Set(receiver.deliveries.map(({ headers }) => headers["webhook-id"])).size).toBe(4_840);
});

test("tests of one account at an endpoint that hangs leave room for another account's", async () => {
  const [one, other] = [await outbox.addAccount(), await outbox.addAccount()];
  const [hanging] = await webhooksOf(one, 1, "/hanging");
  const [healthy] = await webhooksOf(other, 1, "/healthy");
  outbox.deliver({ timeoutMs });
  const ask = ({ id }: OutboxWebhook) => requestTest(outbox.pool, id, '{"transaction":{}}');
  if (!hanging || !healthy) throw new Error("there are no webhooks");
  // More than there are slots for all accounts together.
  await Promise.all(Array.from({ length: 80 }, () => ask(hanging)));
  await receiver.waitFor(32, at("/hanging"));
  const messageId = (await ask(healthy)) ?? "";
  const delivered: TestState = expect.objectContaining({ messageId, delivered: true });
  await eventually(async () => expect(await readTest(outbox.pool, messageId)).toEqual(delivered));
  await expectNotDelayed(1);
  expect(receiver.deliveries.filter(at("/hanging")).length).toBe(32);
});

/** Webhooks of one shard with notifications, in the order of their ids. All but the last hang; that one is another account's, and healthy. */
async function oneShard(count: number): Promise<OutboxWebhook[]> {
  const [one, other] = [await outbox.addAccount(), await outbox.addAccount()];
  const webhooks = (await webhooksOf(one, count, "/hanging")).map((webhook) => ({ ...webhook, shard: 0 }));
  webhooks.sort((a, b) => (a.id < b.id ? -1 : 1));
  await outbox.pool.query("UPDATE webhooks SET shard = 0");
  await outbox.pool.query("UPDATE webhooks SET account_id = $1, url = $2 WHERE id = $3", [
    ...[other, `${receiver.url}/healthy`, webhooks.at(-1)?.id],
  ]);
  await outbox.append(webhooks, 10);
  return webhooks;
}

test("many backlogs of one account do not block reading another's", async () => {
  const webhooks = await oneShard(100);
  const { pool } = outbox;
  await pool.query(
    `INSERT INTO delivery_cursors (shard, chain_id, position, recorded_on)
     SELECT 0, chain_id, last_position, (now() AT TIME ZONE 'utc')::date FROM chains`,
  );
  for (const { id } of webhooks)
    await pool.query("INSERT INTO endpoint_states (shard, webhook_id, backlog_from) VALUES (0, $1, 1)", [id]);
  const query = vi.spyOn(pool, "query");
  outbox.deliver({ timeoutMs });
  await receiver.waitFor(1, at("/healthy"));
  const questions = query.mock.calls.map(([question]) => question as { name?: string; values?: unknown[][] });
  query.mockRestore();
  const [first] = questions.filter(({ name }) => name === "read-backlogs");
  expect(first?.values?.[0]?.length).toBeLessThan(webhooks.length);
  expect(first?.values?.[0]).toContain(webhooks.at(-1)?.id);
});

test("many due retries of one account do not block reading another's", async () => {
  await oneShard(130);
  const { pool } = outbox;
  await pool.query(
    `INSERT INTO attempts (recorded_on, shard, webhook_id, sequence, number, sent_at, duration_ms, error_class)
     SELECT recorded_on, shard, webhook_id, sequence, 1, now(), 1, 'timeout' FROM notifications`,
  );
  await pool.query(
    `INSERT INTO retries (shard, account_id, webhook_id, sequence, recorded_on, attempts, step, due_at)
     SELECT shard, (SELECT account_id FROM webhooks WHERE id = webhook_id), webhook_id, sequence, recorded_on, 1, 1, now() FROM notifications`,
  );
  outbox.deliver({ timeoutMs });
  const [first] = await receiver.waitFor(1, at("/healthy"));
  const before = receiver.deliveries.filter(({ receivedAt }) => receivedAt < (first?.receivedAt ?? 0));
  // As many webhooks as were once read before it had two exchanges each.
  expect(before.length).toBeLessThan(60);
});
