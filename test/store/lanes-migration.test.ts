/** A database from before there were lanes goes on where it was, and its webhooks with traces get a lane at their next block. */
import { fileURLToPath } from "node:url";
import Postgrator from "postgrator";
import { expect, test } from "vitest";
import { plainLane, readCursor } from "../../server/store/chains/cursor.ts";
import { readLanes, tendLane } from "../../server/store/chains/lanes.ts";
import { migrate } from "../../server/store/migrate.ts";
import { createPool } from "../../server/store/pool.ts";
import { createTestDatabase } from "../support/database.ts";

const hash = "ab".repeat(32);

test("cursors, recorded blocks and webhooks of chains are kept, and an older process records nothing more", async () => {
  const database = await createTestDatabase();
  const pool = createPool(database.url);
  const older = new Postgrator({
    migrationPattern: fileURLToPath(new URL("../../server/store/migrations/*.sql", import.meta.url)),
    driver: "pg",
    schemaTable: "schema_migrations",
    execQuery: (sql) => pool.query(sql),
  });
  await older.migrate("018");
  await pool.query(`
    INSERT INTO accounts (name) VALUES ('test');
    INSERT INTO chains (chain_id, cursor_number, cursor_hash, highest, head_number) VALUES ('7', 10, '\\x${hash}', 12, 15);
    INSERT INTO chain_blocks (chain_id, number, hash) SELECT '7', n, '\\x${hash}' FROM generate_series(8, 10) n;
    INSERT INTO webhooks SELECT gen_random_uuid(), 1, 0, '7', '', 'active', 'created', now(), now(), '', '', 'address_activity',
      '{}', traces, false, 5, 0 FROM unnest(ARRAY[true, false, true]) traces;
    INSERT INTO webhook_addresses SELECT '7', decode(lpad(to_hex(n), 40, '0'), 'hex'), id, CASE WHEN n = 1 THEN 9 ELSE 11 END
      FROM generate_series(1, 3) n, (SELECT id FROM webhooks LIMIT 1) w`);
  await migrate(pool);
  expect(await readCursor(pool, plainLane("7"))).toMatchObject({
    cursor: { number: 10, hash: `0x${hash}` },
    highest: 12,
  });
  const { rows: starts } = await pool.query(
    `SELECT count(*), a.effective_from_block AS start FROM webhook_addresses w JOIN address_additions a ON a.id = w.addition
     GROUP BY a.id ORDER BY a.effective_from_block`,
  );
  expect(starts).toEqual([
    { count: 1, start: 9 },
    { count: 2, start: 11 },
  ]);
  const [plain, ...others] = await readLanes(pool, "7", { traces: false, behind: false });
  if (!plain) throw new Error("no lane");
  expect([plain.untended, others]).toEqual([true, []]);
  await tendLane(pool, plain);
  const { rows } = await pool.query(
    `SELECT traces, cursor_number AS number, (SELECT count(*) FROM chain_blocks b WHERE b.lane = l.lane) AS blocks,
       (SELECT count(*) FROM webhooks w WHERE w.lane = l.lane) AS webhooks FROM chain_lanes l ORDER BY traces`,
  );
  expect(rows).toEqual([
    { traces: false, number: 10, blocks: 3, webhooks: 1 },
    { traces: true, number: 10, blocks: 3, webhooks: 2 },
  ]);
  // A process of the version before, still at work, cannot record a block: what it would begin, move or note fails.
  for (const statement of statementsBefore)
    await expect(pool.query(statement)).rejects.toThrow(/does not exist|null value/);
  await pool.end();
  await database.drop();
});

const statementsBefore = [
  "SELECT cursor_number, cursor_hash, cursor_mark AS mark, highest FROM chains WHERE chain_id = '7'",
  "UPDATE chains SET cursor_number = 11, cursor_hash = '\\xab' WHERE chain_id = '7' AND cursor_number IS NULL",
  "INSERT INTO chain_blocks (chain_id, number, hash) SELECT '7', 11, '\\xab'::bytea",
  "UPDATE chains SET cursor_number = 11, cursor_hash = '\\xab', stopped = NULL, highest = GREATEST(highest, 11) WHERE chain_id = '7' RETURNING cursor_mark",
  "UPDATE chains SET head_number = 11, head_seen_at = clock_timestamp() WHERE chain_id = '7'",
];
