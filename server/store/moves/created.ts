/**
 * Factories create contracts while an account moves: the old cell refuses the account's changes, but records its blocks until it releases
 * them. What it has added to the account's addresses by then is copied after the release.
 */
import { inTransaction } from "../pool.ts";
import { copyAddresses } from "./addresses.ts";
import { accountIdOf, type Cells, holdMove, type Run } from "./record.ts";
import type { CopiedRow } from "./rows.ts";

/** The old cell has released the account, and the new one has its webhooks. */
export async function copyCreated(cells: Cells, move: Run): Promise<void> {
  const { from, to } = cells;
  const { rows } = await from.pool.query<{ row: CopiedRow }>(
    `SELECT row_to_json(w) AS row FROM (
       SELECT id, address_count, address_changes, status, status_reason, status_since FROM webhooks
       WHERE account_id = $1 AND options -> 'createdBy' ->> 'address' IS NOT NULL) w`,
    [await accountIdOf(from.pool, move.account)],
  );
  if (rows.length === 0) return;
  await copyAddresses(cells, move);
  await inTransaction(to.pool, async (db) => {
    await holdMove(db, move);
    await db.query(
      `UPDATE webhooks w SET address_count = n.address_count, address_changes = n.address_changes,
         status = n.status, status_reason = n.status_reason, status_since = n.status_since
       FROM json_populate_recordset(NULL::webhooks, $1) n WHERE w.id = n.id AND w.lane IS NULL`,
      [JSON.stringify(rows.map(({ row }) => row))],
    );
  });
}
