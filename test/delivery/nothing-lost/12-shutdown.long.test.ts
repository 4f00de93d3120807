/** Processes shut down under load, and others join, also of another version: zero duplicates, zero losses. */

import { expect, test } from "vitest";
import { migrate } from "../../../server/store/migrate.ts";
import { eventually } from "../../support/eventually.ts";
import { countDuplicates, keepAppending, openScene } from "./scene.ts";

test("SIGTERM under load: it ends with 0 within 15 s, another goes on, and everything comes once", async () => {
  const scene = await openScene(20);
  const { receiver, startSender, allDelivered } = scene;
  // One in twenty takes so long that it is in flight during most shutdowns.
  receiver.answer = ({ sequence }, response) =>
    void setTimeout(() => response.writeHead(204).end(), sequence % 20 === 0 ? 3_000 : 10);
  const first = await startSender();
  const stopAppending = keepAppending(scene);
  await receiver.waitFor(1, ({ sequence }) => sequence === 20);
  const shutdownAt = performance.now();
  first.signal("SIGTERM");
  const second = startSender();
  expect(await first.ended).toEqual({ code: 0, signal: null });
  expect(performance.now() - shutdownAt).toBeLessThan(15_000);
  await second;
  await stopAppending();
  const ledger = await allDelivered();
  expect(countDuplicates(ledger)).toBe(0);
  expect(receiver.deliveries.length).toBe(ledger.recorded.size);
});

test("a newer process migrates the schema while an older one works, then takes over", async () => {
  const scene = await openScene(20);
  const { outbox, receiver, startSender, allDelivered } = scene;
  const old = await startSender({ env: { ROLES: "api,deliver", LEASE_SECONDS: "3" } });
  const stopAppending = keepAppending(scene);
  await receiver.waitFor(200);
  // What the rule for migrations allows, done to every table that a process at work has statements prepared for.
  const tables =
    "chains webhooks webhook_secrets events notifications attempts retries leases endpoint_states delivery_cursors";
  for (const table of tables.split(" "))
    await outbox.pool.query(`ALTER TABLE ${table} ADD COLUMN added_later text DEFAULT 'later'`);
  await outbox.pool.query("CREATE TABLE added_later (id bigint PRIMARY KEY)");
  await outbox.pool.query("CREATE INDEX ON retries (added_later)");
  await outbox.pool.query(
    `INSERT INTO schema_migrations (version, name, md5, run_at)
     SELECT max(version) + 1, 'added later', '', now() FROM schema_migrations`,
  );
  await receiver.waitFor(receiver.deliveries.length + 200);
  // Started again meanwhile, the older one takes the newer schema as it is.
  expect(await migrate(outbox.pool)).toEqual([]);
  const young = await startSender({ env: { ROLES: "api,deliver", LEASE_SECONDS: "2" } });
  await eventually(async () => {
    const { rows } = await outbox.pool.query("SELECT DISTINCT owner FROM leases WHERE kind = 'shard'");
    expect(rows.length).toBe(2);
  });
  await receiver.waitFor(receiver.deliveries.length + 200);
  old.signal("SIGTERM");
  expect(await old.ended).toEqual({ code: 0, signal: null });
  await receiver.waitFor(receiver.deliveries.length + 200);
  await stopAppending();
  const ledger = await allDelivered();
  expect(countDuplicates(ledger)).toBe(0);
  expect(receiver.deliveries.length).toBe(ledger.recorded.size);
  for (const { logged } of [old, young]) expect(logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
