/**
 * Undoes a move. Until the old cell has left the account, the new one cannot take over. So one transaction of the old cell is enough, and the
 * new one may be away, or gone for good: if it ever returns, it neither records nor answers for the account. What was copied there is
 * removed as soon as it can be reached. All of it can be interrupted and repeated, like the move.
 */
import { randomUUID } from "node:crypto";
import { ServiceError } from "../../base/errors.ts";
import { setMoveState } from "../accounts/may-change.ts";
import { inTransaction, type Pool, type Queryable } from "../pool.ts";
import { removeCopiedAddresses } from "./addresses.ts";
import { hasSameSchema } from "./checks.ts";
import { continueLanes, readReleased } from "./lanes.ts";
import {
  accountIdOf,
  type Cells,
  claimMove,
  forgetAccount,
  holdMove,
  type RecordedMove,
  type Run,
  readMove,
  setState,
} from "./record.ts";

/** What undoing a move left: the cell that may have copies of the account, as the old cell knows it; undefined if none has. */
type Undone = { copiesIn: string | undefined };

/**
 * Undoes a move, or removes what a move that was undone has left in the new cell.
 *
 * @param options.isAway whether the new cell cannot be reached. Then its copies stay, until this is called again
 * @throws {ServiceError} `account_not_found`; `move_refused` if there is no move, or the old cell has left the account; `move_overtaken`
 */
export async function abortMove(cells: Cells, account: string, { isAway = false } = {}): Promise<Undone> {
  const { from, to } = cells;
  const known = await readMove(from.pool, account, "out");
  const current = known?.state === "moved" ? undefined : known;
  if (current) await keepAccount(from.pool, { id: current.id, run: randomUUID(), account }, current);
  const undone = await readUndone(from.pool, account);
  // A database that was created again knows no move.
  const canRemove = !isAway && (await hasSameSchema(cells));
  const there = canRemove ? await knownTo(to.pool, undone) : [];
  for (const { id } of there) await removeCopies(to.pool, { id, run: randomUUID(), account });
  const [newest] = undone;
  if (there.length > 0) return { copiesIn: undefined };
  if (current || (!canRemove && newest)) return { copiesIn: newest?.otherCell };
  throw new ServiceError("move_refused", `No move of ${account} is in progress.`);
}

/** The old cell continues the lanes that it released, as the new one would have done. */
async function keepAccount(pool: Pool, move: Run, { otherCell }: RecordedMove): Promise<void> {
  const accountId = await accountIdOf(pool, move.account);
  await claimMove(pool, move, { direction: "out", otherCell });
  await inTransaction(pool, async (db) => {
    await setMoveState(db, accountId, null);
    const state = await holdMove(db, move);
    if (state === "left" || state === "moved")
      throw new ServiceError(
        "move_refused",
        `${move.account} has left this cell for ${otherCell}. Run the command without --abort to complete the move; afterwards the account can be moved back.`,
      );
    if (state === "released") await continueLanes(db, await readReleased(db, move.id));
    for (const table of ["move_webhooks", "move_lanes"])
      await db.query(`DELETE FROM ${table} WHERE move_id = $1`, [move.id]);
    await setState(db, move, "aborted");
  });
}

/** @returns the account's moves out of this cell that were undone, the newest first */
async function readUndone(db: Queryable, account: string): Promise<RecordedMove[]> {
  const { rows } = await db.query<RecordedMove>(
    `SELECT id, state, other_cell AS "otherCell" FROM moves
     WHERE account = $1 AND direction = 'out' AND state = 'aborted' ORDER BY finished_at DESC`,
    [account],
  );
  return rows;
}

async function knownTo(db: Queryable, undone: readonly RecordedMove[]): Promise<RecordedMove[]> {
  const { rows } = await db.query<{ id: string }>(
    "SELECT id FROM moves WHERE direction = 'in' AND id = ANY($1::uuid[])",
    [undone.map(({ id }) => id)],
  );
  return undone.filter(({ id }) => rows.some((row) => row.id === id));
}

async function removeCopies(pool: Pool, move: Run): Promise<void> {
  await pool.query("UPDATE moves SET run = $2 WHERE id = $1", [move.id, move.run]);
  const arrived = await inTransaction(pool, (db) => refuseArrival(db, move));
  if (arrived !== undefined) await forgetAccount(pool, arrived, "arriving");
  await pool.query("DELETE FROM moves WHERE id = $1 AND state = 'aborted'", [move.id]);
}

/** @returns the account that has arrived, and must be forgotten */
async function refuseArrival(db: Queryable, move: Run): Promise<number | undefined> {
  const state = await holdMove(db, move);
  if (state === "copying" || state === "arrived") {
    await keepLeft(db, move);
    await db.query(removeCopiedAddresses(`(SELECT webhook_id FROM move_webhooks WHERE move_id = '${move.id}')`));
    await setState(db, move, "aborted");
  } else if (state !== "aborted") throw new Error(`the move ${move.id} was undone, and is ${state} in the new cell`);
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
