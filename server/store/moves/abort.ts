/** Undoes a move, whatever step it had reached before the new cell took over. It can be interrupted and repeated, like the move. */
import { ServiceError } from "../../errors.ts";
import { setMoveState } from "../accounts/may-change.ts";
import { inTransaction, type Queryable } from "../pool.ts";
import { removeAddresses } from "./addresses.ts";
import { forgetAccount } from "./forget-left.ts";
import { continueLanes, readReleased } from "./lanes.ts";
import { accountIdOf, type Cells, holdMove, type Run, setState } from "./record.ts";

/** @throws {ServiceError} `move_refused` once the new cell has taken over */
export async function undo({ from, to }: Cells, move: Run): Promise<void> {
  const arrived = await inTransaction(to.pool, (db) => refuseArrival(db, move));
  if (arrived !== undefined) await forgetAccount(to.pool, arrived, "arriving");
  await inTransaction(from.pool, (db) => keepAccount(db, move));
  await to.pool.query("DELETE FROM moves WHERE id = $1 AND state = 'aborted'", [move.id]);
}

/**
 * In one transaction with the check, so that the new cell never takes over afterwards.
 *
 * @returns the account that has arrived, and must be forgotten
 */
async function refuseArrival(db: Queryable, move: Run): Promise<number | undefined> {
  const state = await holdMove(db, move);
  if (state === "copying" || state === "arrived") {
    await keepLeft(db, move);
    await db.query(removeAddresses(`(SELECT webhook_id FROM move_webhooks WHERE move_id = '${move.id}')`));
    await setState(db, move, "aborted");
  } else if (state !== "aborted")
    throw new ServiceError(
      "move_refused",
      `The new cell already answers and records for ${move.account}. Run the command without --abort to complete the move; afterwards the account can be moved back.`,
    );
  const { rows } = await db.query<{ id: number }>(
    "SELECT id FROM accounts WHERE name = $1 AND move_state = 'arriving'",
    [move.account],
  );
  return rows[0]?.id;
}

/** An account that was here before is as it was: left. */
async function keepLeft(db: Queryable, { account }: Run): Promise<void> {
  await db.query(
    `UPDATE accounts SET move_state = 'left' WHERE name = $1 AND move_state = 'arriving'
       AND EXISTS (SELECT FROM moves WHERE account = $1 AND direction = 'out' AND state = 'moved')`,
    [account],
  );
}

/** The old cell continues the lanes that it released, as the new one would have done. */
async function keepAccount(db: Queryable, move: Run): Promise<void> {
  const accountId = await accountIdOf(db, move.account);
  await setMoveState(db, accountId, null);
  if ((await holdMove(db, move)) === "released") await continueLanes(db, await readReleased(db, move.id));
  await db.query("DELETE FROM moves WHERE id = $1", [move.id]);
}
