/** What a block reads of the webhooks does not grow with them: with 20,000 of them, planned wrongly, it took 20 ms. */
import { expect, test } from "vitest";
import { plainLane, readCursor } from "../../server/store/chains/cursor.ts";
import { createPool, inTransaction, type Queryable } from "../../server/store/pool.ts";
import { addedSince } from "../../server/store/webhooks/watch-filter.ts";
import { findWatchers } from "../../server/store/webhooks/watchers.ts";
import { createTestDatabase } from "../support/database.ts";
import { chainAt } from "../support/move-cursor.ts";

const chainId = "43114";
const lane = plainLane(chainId);
const addressOf = (n: number) => `0x${n.toString(16).padStart(40, "0")}`;
const participants = Array.from({ length: 1_500 }, (_, n) => addressOf(n));

const insertion = `INSERT INTO webhooks (id, account_id, shard, chain_id, url, status, status_reason, status_since, created_at, name,
    description, event_type, event_signatures, include_internal_txs, include_logs, effective_from_block, address_count, options)
  SELECT gen_random_uuid(), 1, 1, $1, 'https://example.com', 'active', 'created', now(), now(), '', '', 'address_activity', '{}', false, false,
    n, 0, CASE WHEN n % 1000 = 0 THEN json_build_object('createdBy', json_build_object('address', $2::text)) END
  FROM generate_series(1, 20000) n`;

/** How many rows of the table the transaction has read one after the other. */
async function rowsRead(db: Queryable, table = "webhooks"): Promise<number> {
  const { rows } = await db.query<{ count: string }>(
    "SELECT seq_tup_read AS count FROM pg_stat_xact_user_tables WHERE relname = $1",
    [table],
  );
  return Number(rows[0]?.count);
}

test.each([
  ["no factory", false],
  ["factories", true],
])("among 20,000 webhooks, with %s, a block reads those it needs", async (_, hasFactories) => {
  const pool = createPool((await createTestDatabase()).url);
  await pool.query("INSERT INTO accounts (name) VALUES ('ours')");
  await chainAt(pool, chainId, 100);
  await pool.query(insertion, [chainId, addressOf(7)]);
  if (!hasFactories) await pool.query("UPDATE webhooks SET options = NULL");
  await pool.query("ANALYZE webhooks");
  await inTransaction(pool, async (db) => {
    const before = await rowsRead(db);
    const recorded = await readCursor(db, lane);
    expect(recorded.factories).toBe(hasFactories);
    const { block, limit } = { block: 15_001, limit: 10 };
    const added = await addedSince(db, chainId, { block, limit, hasFactories });
    const watched = await findWatchers(db, lane, participants);
    const found = watched.beyondAt(20_000)?.factories.length ?? 0;
    expect({ added: added?.length, found }).toEqual(
      hasFactories ? { added: 5 * 20, found: 20 } : { added: 0, found: 0 },
    );
    expect((await rowsRead(db)) - before).toBe(0);
  });
  await pool.end();
});

test("among 100,000 additions that took effect before, a block reads none", async () => {
  const pool = createPool((await createTestDatabase()).url);
  await chainAt(pool, chainId, 100_000);
  const insert =
    "INSERT INTO address_additions (chain_id, effective_from_block) SELECT $1, n FROM generate_series(1, $2::int) n";
  await pool.query(insert, [chainId, 100_000]);
  await pool.query("ANALYZE address_additions");
  await inTransaction(pool, async (db) => {
    const before = await rowsRead(db, "address_additions");
    expect((await readCursor(db, lane)).additions).toBe(false);
    expect((await rowsRead(db, "address_additions")) - before).toBe(0);
  });
  await pool.query("INSERT INTO address_additions (chain_id, effective_from_block) VALUES ($1, 100001)", [chainId]);
  expect((await readCursor(pool, lane)).additions).toBe(true);
  await pool.end();
});
