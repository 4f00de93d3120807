/** How far everything is followed, for tests that wait for it. */
import type { Pool } from "../../server/store/pool.ts";

/** @returns the hash of the block at which all lanes are; undefined while they differ, or a webhook is in another one than it wants */
export async function followedTo(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ hash: string | null }>(
    `SELECT '0x' || encode(min(cursor_hash), 'hex') AS hash FROM chain_lanes
     HAVING count(*) = count(cursor_hash) AND count(DISTINCT cursor_hash) = 1 AND NOT bool_or(catches_up)
       AND NOT EXISTS (SELECT FROM webhooks w JOIN chain_lanes l USING (chain_id, lane)
         WHERE l.traces <> (w.include_internal_txs AND w.status = 'active'))`,
  );
  return rows[0]?.hash ?? undefined;
}
