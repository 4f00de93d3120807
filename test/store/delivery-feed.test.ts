/** What a delivery process reads: pages of bounded size, fair to every webhook. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { readBacklogs } from "../../server/store/delivery-backlog.ts";
import { readHeads, readStream } from "../../server/store/delivery-feed.ts";
import { readDueRetries } from "../../server/store/due-retries.ts";
import { readEventTexts } from "../../server/store/event-texts.ts";
import { type Outbox, type OutboxWebhook, openOutbox, outboxChainId } from "../support/outbox.ts";

let outbox: Outbox;
let webhooks: OutboxWebhook[];
beforeAll(async () => {
  outbox = await openOutbox();
  const first = await outbox.addWebhook("http://127.0.0.1/");
  webhooks = [first, ...(await Promise.all([1, 2, 3].map(() => outbox.addWebhook("http://127.0.0.1/", first.shard))))];
  webhooks.sort((a, b) => (a.id < b.id ? -1 : 1));
  await outbox.append(webhooks, 30);
});
afterAll(() => outbox.close());

const at = (index: number) => webhooks[index] ?? raise("no such webhook");
const raise = (message: string): never => {
  throw new Error(message);
};

test("a stream is read by position, up to where it was committed, a limited number at a time", async () => {
  const { shard } = at(0);
  const { positions, today } = await readHeads(outbox.pool, [shard]);
  expect(positions.get(outboxChainId)).toBe(120);
  const options = { since: today, recovering: false };
  const page = await readStream(outbox.pool, outboxChainId, [{ shard, position: 50, upTo: 100, limit: 40 }], options);
  expect(page.map(({ position }) => position)).toEqual(Array.from({ length: 40 }, (_, index) => 51 + index));
  const end = [{ shard, position: 90, upTo: 100, limit: 40 }];
  const rest = await readStream(outbox.pool, outboxChainId, end, options);
  expect(rest.length).toBe(10);
  const without = webhooks.slice(1).map(({ id }) => id);
  const ofOne = await readStream(outbox.pool, outboxChainId, end, { ...options, without });
  expect(ofOne).toEqual(rest.filter(({ webhookId }) => webhookId === at(0).id));
  expect(ofOne.length).toBeGreaterThan(1);
});

test("a page of a backlog begins at its sequence and ends at a position; what has attempts is told", async () => {
  const { id, shard } = at(1);
  await outbox.pool.query(
    `INSERT INTO attempts (recorded_on, shard, webhook_id, sequence, number, sent_at, duration_ms)
     SELECT recorded_on, shard, webhook_id, sequence, 1, now(), 1 FROM notifications WHERE webhook_id = $1 AND sequence = 12`,
    [id],
  );
  const found = await readBacklogs(outbox.pool, [
    { webhookId: id, from: 10, upTo: 120, count: 4 },
    { webhookId: at(2).id, from: 28, upTo: 114, count: 10 },
  ]);
  expect(found.get(id)?.map(({ sequence, attempted }) => [sequence, attempted])).toEqual([
    [10, false],
    [11, false],
    [12, true],
    [13, false],
  ]);
  // The 29th of the third webhook is at 115, one behind the limit.
  expect(found.get(at(2).id)?.map(({ sequence }) => sequence)).toEqual([28]);
  const options = { since: "2020-01-01", recovering: true };
  const whole = [{ shard, position: 0, upTo: 120, limit: 250 }];
  const stream = await readStream(outbox.pool, outboxChainId, whole, options);
  expect(stream.filter(({ attempted }) => attempted).map(({ sequence }) => sequence)).toEqual([12]);
});

test("due retries are looked at webhook by webhook, a few of each, going on where the last look ended", async () => {
  await outbox.pool.query(
    `INSERT INTO retries (shard, webhook_id, sequence, recorded_on, attempts, due_at)
     SELECT shard, webhook_id, sequence, recorded_on, 1, CASE webhook_id WHEN $1 THEN now() + interval '1 h' ELSE now() END
     FROM notifications WHERE sequence <= 20`,
    [at(1).id],
  );
  await outbox.pool.query("UPDATE webhooks SET status = 'inactive' WHERE id = $1", [at(2).id]);
  const look = (webhookId: string | undefined, webhooksAtOnce: number) =>
    readDueRetries(outbox.pool, [{ shard: at(0).shard, webhookId }], { webhooks: webhooksAtOnce, perWebhook: 5 });
  const first = await look(undefined, 3);
  expect(first.map(({ webhookId, due }) => [webhookId, due.length])).toEqual([
    [at(0).id, 5],
    [at(1).id, 0],
    [at(2).id, 0],
  ]);
  const second = await look(at(2).id, 3);
  expect(second.map(({ webhookId, due }) => [webhookId, due.length])).toEqual([[at(3).id, 5]]);
});

test("texts are read as long as they are not too much at once, and one in any case", async () => {
  const big = await outbox.addWebhook("http://127.0.0.1/");
  const body = JSON.stringify({ transaction: { input: "x".repeat(100_000) } });
  await outbox.append([big], 3, body);
  const { rows } = await outbox.pool.query<{ recordedOn: string; eventId: number }>(
    `SELECT recorded_on AS "recordedOn", event_id AS "eventId" FROM notifications WHERE webhook_id = $1 ORDER BY sequence DESC`,
    [big.id],
  );
  const events = [...rows, { recordedOn: rows[0]?.recordedOn ?? "", eventId: 999_999 }];
  const found = await readEventTexts(outbox.pool, events, 150_000);
  const sizes = rows.map(({ eventId }) => found.get(eventId)?.length ?? found.get(eventId));
  expect(sizes).toEqual([body.length, body.length, null]);
  expect(found.has(999_999)).toBe(false);
  const one = await readEventTexts(outbox.pool, rows, 1);
  expect(rows.map(({ eventId }) => one.get(eventId) === null)).toEqual([false, true, true]);
});

test("texts of several days are read as if they were of one", async () => {
  const webhook = await outbox.addWebhook("http://127.0.0.1/");
  const body = JSON.stringify({ transaction: { input: "y".repeat(1_000) } });
  await outbox.append([webhook], 3, body);
  const { rows } = await outbox.pool.query<{ recordedOn: string; eventId: number }>(
    `SELECT recorded_on AS "recordedOn", event_id AS "eventId" FROM notifications WHERE webhook_id = $1 ORDER BY sequence`,
    [webhook.id],
  );
  const [, second] = rows.map(({ eventId }) => eventId);
  const { rows: moved } = await outbox.pool.query<{ recordedOn: string }>(
    `UPDATE events SET recorded_on = recorded_on - 1 WHERE id = $1 RETURNING recorded_on AS "recordedOn"`,
    [second],
  );
  const events = rows.map((row) => ({ ...row, ...(row.eventId === second && moved[0]) }));
  const all = await readEventTexts(outbox.pool, events, 150_000);
  expect(events.map(({ eventId }) => all.get(eventId))).toEqual([body, body, body]);
  const some = await readEventTexts(outbox.pool, events, 1_500);
  expect(events.map(({ eventId }) => some.get(eventId)?.length ?? null)).toEqual([body.length, body.length, null]);
});
