/** Removes accounts that have moved away, once nothing of their history is left in this cell. Addresses follow in small parts. */
import { inTransaction, type Pool } from "../pool.ts";

/** @param keptDays how long notifications are kept */
export async function forgetLeft(pool: Pool, keptDays: number): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(
    `SELECT id FROM accounts a WHERE move_state = 'left' AND now() - make_interval(days => $1 + 1) > (
       SELECT max(finished_at) FROM moves m WHERE m.account = a.name AND direction = 'out')`,
    [keptDays],
  );
  for (const { id } of rows)
    await inTransaction(pool, async (db) => {
      // It may be on its way back.
      const { rowCount } = await db.query("SELECT FROM accounts WHERE id = $1 AND move_state = 'left' FOR UPDATE", [
        id,
      ]);
      if (!rowCount) return;
      for (const table of ["api_keys", "idempotency_keys", "webhooks"])
        await db.query(`DELETE FROM ${table} WHERE account_id = $1`, [id]);
      await db.query("DELETE FROM accounts WHERE id = $1", [id]);
    });
}
