/** Days' partitions are made ahead and dropped after retention while notifications are recorded, sent and read. */

import { Client } from "pg";
import { expect, test } from "vitest";
import { maintain } from "../../../server/store/outbox/retention.ts";
import { createPool } from "../../../server/store/pool.ts";
import { eventually } from "../../support/eventually.ts";
import type { Outbox } from "../../support/outbox.ts";
import { countDuplicates, keepAppending, openScene } from "./scene.ts";

const retentionDays = 30;
const parents = ["notifications", "attempts", "events"];
const dayAt = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const partitionOf = (parent: string, day: string) => `${parent}_${day.replaceAll("-", "")}`;

async function partitions({ pool }: Outbox): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = ANY($1::text[]::regclass[])",
    [parents],
  );
  return rows.map(({ name }) => name);
}

/** Days that are too old, one with rows in it, and a day to come that is missing, as it is anyway after midnight. */
async function shiftDays({ pool }: Outbox): Promise<{ old: string[]; missing: string[] }> {
  const days = [dayAt(-retentionDays - 3), dayAt(-retentionDays - 2)];
  for (const parent of parents) {
    for (const day of days)
      await pool.query(
        `CREATE TABLE ${partitionOf(parent, day)} PARTITION OF ${parent} FOR VALUES FROM ('${day}') TO ('${day}'::date + 1)`,
      );
    await pool.query(`DROP TABLE IF EXISTS ${partitionOf(parent, dayAt(3))}`);
  }
  await pool.query(
    `INSERT INTO notifications (recorded_on, shard, chain_id, position, webhook_id, sequence, message_id, occurrence, event_id)
     SELECT $1::text::date, 40, 'gone', n, gen_random_uuid(), n, gen_random_uuid(), 0, n FROM generate_series(1, 1000) n`,
    [days[0]],
  );
  return {
    old: parents.flatMap((parent) => days.map((day) => partitionOf(parent, day))),
    missing: parents.map((parent) => partitionOf(parent, dayAt(3))),
  };
}

test("under load, with several processes at it, everything arrives once and nobody is refused", async () => {
  const scene = await openScene(20);
  const { outbox, receiver, startSender, allDelivered } = scene;
  const sender = await startSender({ env: { ROLES: "api,deliver" } });
  const stopAppending = keepAppending(scene);
  await receiver.waitFor(100);
  for (let round = 0; round < 3; round += 1) {
    const { old, missing } = await shiftDays(outbox);
    await Promise.all([
      maintain(outbox.pool, retentionDays),
      maintain(outbox.pool, retentionDays),
      maintain(outbox.pool, retentionDays),
    ]);
    const now = await partitions(outbox);
    expect(old.filter((name) => now.includes(name))).toEqual([]);
    expect(now).toEqual(expect.arrayContaining(missing));
    await receiver.waitFor(receiver.deliveries.length + 100);
  }
  await stopAppending();
  const ledger = await allDelivered();
  expect(countDuplicates(ledger)).toBe(0);
  // A connection that a busy machine opens too slowly was refused nothing, and is opened again.
  const refused = sender.logged.filter(
    ({ err }) => err && !/connection timeout|timeout exceeded when trying to connect/.test(JSON.stringify(err)),
  );
  expect(refused).toEqual([]);
});

test("while a reading transaction stays open, partitions are created without waiting; old ones are dropped later", async () => {
  const scene = await openScene(5);
  const { outbox, receiver, webhooks, allDelivered } = scene;
  outbox.deliver();
  await outbox.append(webhooks);
  await allDelivered();
  const { old, missing } = await shiftDays(outbox);
  // Such as a backup, which takes hours.
  const reader = new Client({ connectionString: outbox.databaseUrl });
  await reader.connect();
  await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await reader.query(
    "SELECT count(*) FROM notifications JOIN events ON id = event_id JOIN attempts USING (webhook_id)",
  );
  const impatient = createPool(outbox.databaseUrl, { max: 2, patienceMs: 3_000 });
  const maintained = maintain(impatient, retentionDays).catch((error: unknown) => error);
  // Far more often than a lock would have to be waited for.
  for (let round = 0; round < 10; round += 1) {
    await outbox.append(webhooks, 2);
    await receiver.waitFor(5 + 10 * (round + 1));
  }
  expect(await maintained).toMatchObject({ code: "57014" });
  await impatient.end();
  expect(await partitions(outbox)).toEqual(expect.arrayContaining(missing));
  await reader.query("ROLLBACK");
  await reader.end();
  await eventually(async () => {
    await maintain(outbox.pool, retentionDays);
    const now = await partitions(outbox);
    expect(old.filter((name) => now.includes(name))).toEqual([]);
  });
  await allDelivered();
  expect(receiver.deliveries.length).toBe(105);
});

test("dropping a day with notifications in flight and waiting delays nothing", async () => {
  const { outbox, receiver, webhooks } = await openScene(2);
  const held: (() => void)[] = [];
  receiver.answer = (_, response) => void held.push(() => response.writeHead(500).end());
  outbox.deliver();
  await outbox.append(webhooks, 3);
  await receiver.waitFor(4);
  // As if today was past retention.
  for (const parent of parents) await outbox.pool.query(`DROP TABLE ${partitionOf(parent, dayAt(0))}`);
  receiver.answer = (_, response) => response.writeHead(204).end();
  for (const answer of held) answer();
  await outbox.pool.query("SELECT ensure_partitions(3)");
  await outbox.append(webhooks, 3);
  await outbox.atRest();
  const { rows } = await outbox.pool.query("SELECT sequence, number FROM attempts WHERE sequence > 3 ORDER BY 1");
  expect(rows).toEqual([4, 4, 5, 5, 6, 6].map((sequence) => ({ sequence, number: 1 })));
});
