/** What is kept for how long, and that nothing is left of what is gone. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { maintain, retentionDays } from "../../server/store/outbox/retention.ts";
import { type Outbox, openOutbox } from "../support/outbox.ts";

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
const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");

test("days are made ahead of time and dropped when they are too old, with the retries of what was in them", async () => {
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
  await outbox.pool.query(`DROP TABLE events_${day(3)}`);
  expect(await partitions()).toContain(oldName);
  await maintain(outbox.pool);
  const kept = await partitions();
  expect(kept).not.toContain(oldName);
  expect(kept).toContain(`events_${day(3)}`);
  const { rows } = await outbox.pool.query("SELECT sequence FROM retries");
  expect(rows).toEqual([{ sequence: 2 }]);
});

test("days are made ahead also while something else cannot be cleaned up", async () => {
  await outbox.pool.query("ALTER TABLE retries RENAME TO retries_away");
  await outbox.pool.query(`DROP TABLE events_${day(3)}`);
  await expect(maintain(outbox.pool)).rejects.toThrow();
  await outbox.pool.query("ALTER TABLE retries_away RENAME TO retries");
  expect(await partitions()).toContain(`events_${day(3)}`);
});

test("what was written for a webhook while it was being deleted is removed; what belongs to others stays", async () => {
  const webhook = await outbox.addWebhook("http://127.0.0.1/");
  const note = (id: string) =>
    outbox.pool.query("INSERT INTO endpoint_states (shard, webhook_id, backlog_from) VALUES (0, $1, 1)", [id]);
  await note(webhook.id);
  await note(crypto.randomUUID());
  await maintain(outbox.pool);
  const { rows } = await outbox.pool.query("SELECT webhook_id FROM endpoint_states");
  expect(rows).toEqual([{ webhook_id: webhook.id }]);
});

test("several may maintain at once", async () => {
  await Promise.all(Array.from({ length: 4 }, () => maintain(outbox.pool)));
});
