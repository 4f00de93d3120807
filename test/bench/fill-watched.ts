/** Fills the tables with webhooks and the addresses that they watch, as fast as PostgreSQL can. */
import { createHash } from "node:crypto";
import { ensureChain } from "../../server/store/chain-cursor.ts";
import type { Pool } from "../../server/store/pool.ts";
import { inTransaction } from "../../server/store/pool.ts";

/** The nth watched address; those of negative numbers are watched by nobody. */
export function watchedAddress(n: number): string {
  return `0x${createHash("sha256").update(String(n)).digest("hex").slice(0, 40)}`;
}

/** @returns how many bytes the addresses take, with their indexes */
export async function fillWatched(
  pool: Pool,
  { chainId, addresses, webhooks }: { chainId: string; addresses: number; webhooks: number },
): Promise<number> {
  await ensureChain(pool, chainId);
  await pool.query("UPDATE chains SET cursor_number = 0, cursor_hash = '\\x00'");
  await inTransaction(pool, async (db) => {
    // Neither foreign keys row by row nor indexes in random order.
    await db.query("SET LOCAL session_replication_role = replica");
    await db.query("SET LOCAL maintenance_work_mem = '1GB'");
    const { rows: indexes } = await db.query<{ name: string; definition: string }>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
       WHERE tablename = 'webhook_addresses' AND indexname NOT LIKE '%pkey'`,
    );
    for (const { name } of indexes) await db.query(`DROP INDEX ${name}`);
    await db.query("ALTER TABLE webhook_addresses DROP CONSTRAINT webhook_addresses_pkey");
    await db.query("INSERT INTO accounts (name) VALUES ('bench')");
    await db.query(
      `INSERT INTO webhooks (id, account_id, shard, chain_id, url, status, status_reason, status_since, created_at, name,
         description, event_type, event_signatures, include_internal_txs, include_logs, effective_from_block, address_count)
       SELECT md5(n::text)::uuid, 1, n % 32, $1, 'https://example.com/hook', 'active', 'created', now(), now(), '', '',
         'address_activity', '{}', false, true, 1, $3 FROM generate_series(0, $2::int - 1) n`,
      [chainId, webhooks, Math.round(addresses / webhooks)],
    );
    await db.query(
      `INSERT INTO webhook_addresses (chain_id, address, webhook_id, effective_from_block)
       SELECT $1, substr(sha256(n::text::bytea), 1, 20), md5((n % $3)::text)::uuid, 1 FROM generate_series(0, $2::int - 1) n`,
      [chainId, addresses, webhooks],
    );
    await db.query("ALTER TABLE webhook_addresses ADD PRIMARY KEY (chain_id, address, webhook_id)");
    for (const { definition } of indexes) await db.query(definition);
  });
  await pool.query("VACUUM ANALYZE");
  const { rows } = await pool.query<{ bytes: string }>("SELECT pg_total_relation_size('webhook_addresses') AS bytes");
  return Number(rows[0]?.bytes);
}
