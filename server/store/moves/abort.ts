/** Undoes a move, whatever step it had reached before the new cell took over. It can be interrupted and repeated, like the move. */
import { ServiceError } from "../../errors.ts";
import { setMoveState } from "../accounts/may-change.ts";
import { inTransaction, type Queryable } from "../pool.ts";
import { removeAddresses } from "./addresses.ts";
import { continueLanes, readReleased } from "./lanes.ts";
import { accountIdOf, type Cells, holdMove, type Run, setState } from "./record.ts";

/** @throws {ServiceError} `move_refused` once the new cell has taken over */
export async function undo({ from, to }: Cells, move: Run): Promise<void> {
  await inTransaction(to.pool, (db) => forgetArrival(db, move));
  await inTransaction(from.pool, (db) => keepAccount(db, move));
  await to.pool.query("DELETE FROM moves WHERE id = $1 AND state = 'aborted'", [move.id]);
}

/** In one transaction with the check, so that the new cell never takes over afterwards. */
async function forgetArrival(db: Queryable, move: Run): Promise<void> {
  const { rows } = await db.query<{ id: number }>("SELECT id FROM accounts WHERE name = $1", [move.account]);
  const [account] = rows;
  const state = await holdMove(db, move);
  if (state === "aborted") return;
  if (state !== "copying" && state !== "arrived")
    throw new ServiceError(
      "move_refused",
      `The new cell already answers and records for ${move.account}. Run the command without --abort to complete the move; afterwards the account can be moved back.`,
    );
  if (account && state === "arrived") await forgetAccount(db, account.id);
  await db.query(removeAddresses(`(SELECT webhook_id FROM move_webhooks WHERE move_id = '${move.id}')`));
  await setState(db, move, "aborted");
}

/** An account that was here before is as it was: left. */
async function forgetAccount(db: Queryable, accountId: number): Promise<void> {
  const { rowCount: hadLeft } = await db.query(
    `SELECT FROM moves m JOIN accounts a ON a.name = m.account WHERE a.id = $1 AND direction = 'out' AND state = 'moved' LIMIT 1`,
    [accountId],
  );
  if (hadLeft) {
    await db.query("UPDATE accounts SET move_state = 'left' WHERE id = $1", [accountId]);
    return;
  }
  for (const table of ["api_keys", "idempotency_keys", "webhooks"])
    await db.query(`DELETE FROM ${table} WHERE account_id = $1`, [accountId]);
  await db.query("DELETE FROM accounts WHERE id = $1", [accountId]);
}

/** The old cell continues the lanes that it released, as the new one would have done. */
async function keepAccount(db: Queryable, move: Run): Promise<void> {
  const accountId = await accountIdOf(db, move.account);
  await setMoveState(db, accountId, null);
  if ((await holdMove(db, move)) === "released") await continueLanes(db, await readReleased(db, move.id));
  await db.query("DELETE FROM moves WHERE id = $1", [move.id]);
}
