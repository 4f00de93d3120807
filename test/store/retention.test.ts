/** What is kept for how long, and that nothing is left of what is gone. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { maintain } from "../../server/store/outbox/retention.ts";
import { type Outbox, openOutbox, outboxChainId } from "../support/outbox.ts";

const retentionDays = 30;
let outbox: Outbox;
beforeAll(async () => {
  outbox = await openOutbox();
});
afterAll(() => outbox.close());

const partitions = async () => {
  const { rows } = await outbox.pool.query<{ relname: string }>(
    "SELECT relname FROM pg_class WHERE relname ~ '^(events|notifications|attempts)_[0-9]{8}$' AND relkind = 'r' ORDER BY 1",
  );
  return rows.map(({ relname }) => relname);
};
/** Three days ahead exists, unless midnight passed since the database was made. */
const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");

test("days are created in advance and dropped when too old, with their notifications' retries", async () => {
  const webhook = await outbox.addWebhook("http://127.0.0.1/");
  const old = new Date(Date.now() - (retentionDays + 2) * 86_400_000).toISOString().slice(0, 10);
  const next = new Date(Date.now() - (retentionDays + 1) * 86_400_000).toISOString().slice(0, 10);
  const oldName = `notifications_${old.replaceAll("-", "")}`;
  await outbox.pool.query(
    `CREATE TABLE ${oldName} PARTITION OF notifications FOR VALUES FROM ('${old}') TO ('${next}')`,
  );
  await outbox.pool.query(
    "INSERT INTO retries (shard, webhook_id, sequence, recorded_on, attempts) VALUES ($1, $2, 1, $3, 10), ($1, $2, 2, now(), 10)",
    [webhook.shard, webhook.id, old],
  );
  await outbox.pool.query(`DROP TABLE IF EXISTS events_${day(3)}`);
  expect(await partitions()).toContain(oldName);
  await maintain(outbox.pool, retentionDays);
  const kept = await partitions();
  expect(kept).not.toContain(oldName);
  expect(kept).toContain(`events_${day(3)}`);
  const { rows } = await outbox.pool.query("SELECT sequence FROM retries");
  expect(rows).toEqual([{ sequence: 2 }]);
});

test("the longest retention of any process holds until a day after the last one that had it", async () => {
  const { pool } = outbox;
  await pool.query("DELETE FROM retentions");
  const days = [-60, -45, -10];
  const nameOf = (offset: number) => `events_${day(offset)}`;
  const iso = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  for (const offset of days)
    await pool.query(
      `CREATE TABLE ${nameOf(offset)} PARTITION OF events FOR VALUES FROM ('${iso(offset)}') TO ('${iso(offset + 1)}')`,
    );
  const keptOf = async () => {
    const now = await partitions();
    return days.filter((offset) => now.includes(nameOf(offset)));
  };
  // A process with 50 days restarts with 30, then one with 7 by mistake; one with 50 goes on.
  expect(await maintain(pool, 50)).toBe(50);
  expect(await keptOf()).toEqual([-45, -10]);
  expect(await maintain(pool, 30)).toBe(50);
  expect(await maintain(pool, 7)).toBe(50);
  expect(await keptOf()).toEqual([-45, -10]);
  const lastSeen = (retention: number, ago: string) =>
    pool.query("UPDATE retentions SET seen_at = now() - $2::interval WHERE days = $1", [retention, ago]);
  await lastSeen(50, "23 hours");
  expect(await maintain(pool, 7)).toBe(50);
  await lastSeen(50, "25 hours");
  expect(await maintain(pool, 7)).toBe(30);
  expect(await keptOf()).toEqual([-10]);
  await lastSeen(30, "25 hours");
  expect(await maintain(pool, 7)).toBe(7);
  expect(await keptOf()).toEqual([]);
  await pool.query("DELETE FROM retentions");
});

test("what still waits when its day is dropped is counted by what it waits for, and what failed for good is not", async () => {
  const { pool } = outbox;
  const date = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const [from, to] = [date(-retentionDays - 3), date(-retentionDays - 2)];
  const name = `notifications_${from.replaceAll("-", "")}`;
  await pool.query(`CREATE TABLE ${name} PARTITION OF notifications FOR VALUES FROM ('${from}') TO ('${to}')`);
  const [inactive, behind, retried, failed, unread, delivered] = await Promise.all(
    Array.from({ length: 6 }, () => outbox.addWebhook("http://127.0.0.1/", 5)),
  );
  const onlyRead = await outbox.addWebhook(undefined, 5);
  const all = [inactive, behind, retried, failed, unread, delivered, onlyRead].map((webhook) => webhook?.id);
  const insert = `INSERT INTO notifications (recorded_on, shard, chain_id, position, webhook_id, sequence, message_id, occurrence, event_id)
    SELECT $1, 5, $2, CASE WHEN id IN ($4, $5) THEN 1000 + n ELSE n END, id, n, gen_random_uuid(), 0, 1
    FROM unnest($3::uuid[]) WITH ORDINALITY AS w(id, at), generate_series(100 * at, 100 * at + 1) n`;
  await pool.query(insert, [from, outboxChainId, all, unread?.id, onlyRead.id]);
  await pool.query(
    "INSERT INTO delivery_cursors (shard, chain_id, position, recorded_on) VALUES (5, $1, 999, now()) ON CONFLICT (shard, chain_id) DO UPDATE SET position = 999",
    [outboxChainId],
  );
  await pool.query("UPDATE webhooks SET status = 'inactive' WHERE id = $1", [inactive?.id]);
  await pool.query("INSERT INTO endpoint_states (shard, webhook_id, backlog_from) VALUES (5, $1, 100), (5, $2, 201)", [
    inactive?.id,
    behind?.id,
  ]);
  await pool.query(
    `INSERT INTO retries (shard, webhook_id, sequence, recorded_on, attempts, due_at) VALUES
      (5, $1, 300, $3, 2, now()), (5, $1, 301, $3, 10, NULL), (5, $2, 400, $3, 10, NULL), (5, $2, 401, $3, 10, NULL)`,
    [retried?.id, failed?.id, from],
  );
  const found: Record<string, [notifications: number, webhooks: number]> = {};
  await maintain(pool, retentionDays, ({ waitingFor, notifications, webhooks, day }) => {
    expect(name.endsWith(day)).toBe(true);
    found[waitingFor] = [notifications, webhooks];
  });
  expect(found).toEqual({ activation: [2, 1], endpoint: [1, 1], retry: [1, 1], first_attempt: [2, 1] });
  await maintain(pool, retentionDays, () => expect.unreachable());
  for (const table of ["delivery_cursors", "endpoint_states", "retries"]) await pool.query(`DELETE FROM ${table}`);
});

test("days are made ahead also while something else cannot be cleaned up", async () => {
  await outbox.pool.query("ALTER TABLE retries RENAME TO retries_away");
  await outbox.pool.query(`DROP TABLE IF EXISTS events_${day(3)}`);
  await expect(maintain(outbox.pool, retentionDays)).rejects.toThrow();
  await outbox.pool.query("ALTER TABLE retries_away RENAME TO retries");
  expect(await partitions()).toContain(`events_${day(3)}`);
});

test("rows written for a webhook during its deletion are removed; others' rows stay", async () => {
  const webhook = await outbox.addWebhook("http://127.0.0.1/");
  const note = (id: string) =>
    outbox.pool.query("INSERT INTO endpoint_states (shard, webhook_id, backlog_from) VALUES (0, $1, 1)", [id]);
  await note(webhook.id);
  await note(crypto.randomUUID());
  await maintain(outbox.pool, retentionDays);
  const { rows } = await outbox.pool.query("SELECT webhook_id FROM endpoint_states");
  expect(rows).toEqual([{ webhook_id: webhook.id }]);
});

test("several processes may maintain the tables concurrently", async () => {
  await Promise.all(Array.from({ length: 4 }, () => maintain(outbox.pool, retentionDays)));
});
