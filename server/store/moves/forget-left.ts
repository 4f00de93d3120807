/** Removes accounts that have moved away, once nothing of their history is left in this cell. Addresses follow in small parts. */
import type { MoveState } from "../accounts/may-change.ts";
import { inTransaction, type Pool } from "../pool.ts";

/** @param keptDays how long notifications are kept */
export async function forgetLeft(pool: Pool, keptDays: number): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(
    `SELECT id FROM accounts a WHERE move_state = 'left' AND now() - make_interval(days => $1 + 1) > (
       SELECT max(finished_at) FROM moves m WHERE m.account = a.name AND direction = 'out')`,
    [keptDays],
  );
  for (const { id } of rows) await forgetAccount(pool, id, "left");
}

/** Removes an account that is in this state and in no move. */
export async function forgetAccount(pool: Pool, id: number, state: MoveState): Promise<void> {
  while (await forgetPart(pool, id, state));
}

/** How many webhooks are deleted in one transaction. Each writes the account's counts again: 10,000 in one took more than 25 s. */
const part = 500;

/** @returns whether there is more */
function forgetPart(pool: Pool, id: number, state: MoveState): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ name: string }>(
      "SELECT name FROM accounts WHERE id = $1 AND move_state = $2 FOR UPDATE",
      [id, state],
    );
    // It may be on its way back: its webhooks' addresses would be removed after they were copied. A move that begins waits for this lock.
    const moving = await db.query("SELECT FROM moves WHERE account = $1 AND finished_at IS NULL", [rows[0]?.name]);
    if (!rows[0] || moving.rowCount) return false;
    const { rowCount } = await db.query(
      "DELETE FROM webhooks WHERE id = ANY(ARRAY(SELECT id FROM webhooks WHERE account_id = $1 LIMIT $2))",
      [id, part],
    );
    if (rowCount === part) return true;
    for (const table of ["api_keys", "idempotency_keys"])
      await db.query(`DELETE FROM ${table} WHERE account_id = $1`, [id]);
    await db.query("DELETE FROM accounts WHERE id = $1", [id]);
    return false;
  });
}
