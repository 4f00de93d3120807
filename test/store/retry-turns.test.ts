/** Whose a retry is, in a database from before that was recorded, and beside a process that does not record it. */
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import Postgrator from "postgrator";
import { expect, test } from "vitest";
import { migrate } from "../../server/store/migrate.ts";
import { createPool } from "../../server/store/pool.ts";
import { createEmptyDatabase } from "../support/database.ts";

test("a retry knows its account, whichever version recorded it, and none when its webhook is gone", async () => {
  const database = await createEmptyDatabase();
  const pool = createPool(database.url);
  const older = new Postgrator({
    migrationPattern: fileURLToPath(new URL("../../server/store/migrations/*.sql", import.meta.url)),
    driver: "pg",
    schemaTable: "schema_migrations",
    execQuery: (sql) => pool.query(sql),
  });
  await older.migrate("021");
  const [before, after, gone] = [randomUUID(), randomUUID(), randomUUID()];
  const insert = (webhookId: string, sequence: number) =>
    pool.query(
      "INSERT INTO retries (shard, webhook_id, sequence, recorded_on, attempts, due_at) VALUES (0, $1, $2, now(), 1, now())",
      [webhookId, sequence],
    );
  await pool.query("INSERT INTO accounts (name) VALUES ('one'), ('two')");
  await pool.query("INSERT INTO chains (chain_id) VALUES ('7')");
  for (const [accountId, id] of [before, after].entries())
    await pool.query(
      `INSERT INTO webhooks (id, account_id, shard, chain_id, url, status, status_reason, status_since, created_at, name, description,
         event_type, event_signatures, include_internal_txs, include_logs, effective_from_block, address_count)
       VALUES ($1, $2, 0, '7', '', 'active', 'created', now(), now(), '', '', 'address_activity', '{}', false, false, 5, 0)`,
      [id, accountId + 1],
    );
  await insert(before, 1);
  await migrate(pool);
  await insert(before, 2);
  await insert(after, 1);
  await insert(gone, 1);
  const { rows } = await pool.query<{ webhookId: string; accountId: number | null }>(
    `SELECT webhook_id AS "webhookId", account_id AS "accountId" FROM retries ORDER BY account_id, sequence`,
  );
  expect(rows.map(({ webhookId, accountId }) => [webhookId, accountId])).toEqual([
    [before, 1],
    [before, 1],
    [after, 2],
    [gone, null],
  ]);
  await pool.end();
  await database.drop();
});
