/** Fills the tables with webhooks and the addresses that they watch, as fast as PostgreSQL can. */
import { createHash } from "node:crypto";
import { Client } from "pg";
import { ensureChain } from "../../server/store/chains/cursor.ts";
import type { Pool } from "../../server/store/pool.ts";
import { before } from "./synthetic-block.ts";

/** The nth watched address; those of negative numbers are watched by nobody. */
export function watchedAddress(n: number): string {
  return `0x${createHash("sha256").update(String(n)).digest("hex").slice(0, 40)}`;
}

/** The chain stands at the block `before` then. @returns how many rows the addresses are, and how many bytes they take with their indexes */
export async function fillWatched(
  pool: Pool,
  { chainId, addresses, webhooks }: { chainId: string; addresses: number; webhooks: number },
): Promise<{ rows: number; bytes: number }> {
  await ensureChain(pool, chainId);
  await pool.query("UPDATE chain_lanes SET cursor_number = $1, cursor_hash = decode(substr($2, 3), 'hex')", [
    before.number,
    before.hash,
  ]);
  // A connection of its own: an index of ten million addresses takes longer than the pool lets a statement take.
  const db = new Client({ connectionString: pool.options.connectionString });
  await db.connect();
  try {
    await db.query("BEGIN");
    await insertWebhooks(db, { chainId, addresses, webhooks });
    await insertAddresses(db, { chainId, addresses, webhooks });
    await db.query("COMMIT");
    await db.query("VACUUM ANALYZE");
    await db.query("CHECKPOINT");
    const { rows } = await db.query<{ rows: string; bytes: string }>(
      "SELECT count(*) AS rows, pg_total_relation_size('webhook_addresses') AS bytes FROM webhook_addresses",
    );
    return { rows: Number(rows[0]?.rows), bytes: Number(rows[0]?.bytes) };
  } finally {
    await db.end();
  }
}

type Wanted = Parameters<typeof fillWatched>[1];

async function insertWebhooks(db: Client, { chainId, addresses, webhooks }: Wanted): Promise<void> {
  await db.query("INSERT INTO accounts (name) VALUES ('bench')");
  await db.query(
    `INSERT INTO webhooks (id, account_id, shard, chain_id, url, status, status_reason, status_since, created_at, name,
       description, event_type, event_signatures, include_internal_txs, include_logs, effective_from_block, address_count)
     SELECT md5(n::text)::uuid, 1, n % 32, $1, 'https://example.com/hook', 'active', 'created', now(), now(), '', '',
       'address_activity', '{}', false, true, 1, $3 FROM generate_series(0, $2::int - 1) n`,
    [chainId, webhooks, Math.round(addresses / webhooks)],
  );
  await db.query("INSERT INTO webhook_sequences (webhook_id) SELECT id FROM webhooks");
}

async function insertAddresses(db: Client, { chainId, addresses, webhooks }: Wanted): Promise<void> {
  // Neither foreign keys row by row nor indexes in random order.
  await db.query("SET LOCAL session_replication_role = replica");
  await db.query("SET LOCAL maintenance_work_mem = '1GB'");
  const { rows: indexes } = await db.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = 'webhook_addresses' AND indexname NOT LIKE '%pkey'`,
  );
  for (const { name } of indexes) await db.query(`DROP INDEX ${name}`);
  await db.query("ALTER TABLE webhook_addresses DROP CONSTRAINT webhook_addresses_pkey");
  await db.query(
    `INSERT INTO webhook_addresses (chain_id, address, webhook_id, addition)
     SELECT $1, substr(sha256(n::text::bytea), 1, 20), md5((n % $3)::text)::uuid, 0 FROM generate_series(0, $2::int - 1) n`,
    [chainId, addresses, webhooks],
  );
  await db.query("ALTER TABLE webhook_addresses ADD PRIMARY KEY (chain_id, address, webhook_id)");
  for (const { definition } of indexes) await db.query(definition);
}
