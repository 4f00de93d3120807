/**
 * The record of a move, one row in each of the two cells. No transaction spans both, so every step is a transaction of one cell that first
 * looks here whether it is still to be done, and by whom.
 */
import { ServiceError } from "../../base/errors.ts";
import type { MoveState } from "../accounts/may-change.ts";
import { inTransaction, type Pool, type Queryable, within } from "../pool.ts";

/** A cell: its database, and how to name it in messages. */
type Cell = { pool: Pool; name: string };

/** The old cell of a move, and the new one. */
export type Cells = { from: Cell; to: Cell };

/** A run of a move. */
export type Run = {
  /** The move's, the same in both cells and in every run. */
  id: string;
  /** This run's. A later run has another one, and ends this one's right to change anything. */
  run: string;
  account: string;
};

type Direction = "out" | "in";

/**
 * In the old cell: copying, frozen (the account's changes are refused), released (nothing is recorded for it), left (the move can only be
 * completed), moved. In the new cell: copying, arrived (all of it is there, and nothing is recorded), taken (notifications are recorded),
 * moved. In both instead: aborted.
 */
export type MoveStage = "copying" | "frozen" | "released" | "left" | "arrived" | "taken" | "moved" | "aborted";

export type RecordedMove = { id: string; state: MoveStage; otherCell: string };

/** The newest record of an account's move, finished or not, that was not undone. */
export async function readMove(
  db: Queryable,
  account: string,
  direction: Direction,
): Promise<RecordedMove | undefined> {
  const { rows } = await db.query<RecordedMove>(
    `SELECT id, state, other_cell AS "otherCell" FROM moves WHERE account = $1 AND direction = $2 AND state <> 'aborted'
     ORDER BY finished_at DESC NULLS FIRST LIMIT 1`,
    [account, direction],
  );
  return rows[0];
}

/** The state of a move in one cell; undefined if the cell does not know the move. */
export async function readState(db: Queryable, id: string, direction: Direction): Promise<MoveStage | undefined> {
  const { rows } = await db.query<{ state: MoveStage }>("SELECT state FROM moves WHERE id = $1 AND direction = $2", [
    id,
    direction,
  ]);
  return rows[0]?.state;
}

/** Records that this run does the move from now on. @returns the state that it finds */
export async function claimMove(
  db: Queryable,
  { id, run, account }: Run,
  { direction, otherCell }: { direction: Direction; otherCell: string },
): Promise<MoveStage> {
  await db.query(
    "INSERT INTO moves (id, account, direction, other_cell, run) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
    [id, account, direction, otherCell, run],
  );
  const { rows } = await db.query<{ state: MoveStage | null }>(
    `UPDATE moves SET run = CASE direction WHEN $3 THEN $2::uuid ELSE run END WHERE id = $1
     RETURNING CASE direction WHEN $3 THEN state END AS state`,
    [id, run, direction],
  );
  if (!rows[0])
    throw new ServiceError("move_refused", `Another move of ${account} began at the same time. Run the command again.`);
  if (rows[0].state === null)
    throw new ServiceError("move_refused", "The new cell's database must be another one than this cell's.");
  return rows[0].state;
}

/**
 * Locks the move's row until the transaction ends.
 *
 * @returns its state
 * @throws {ServiceError} `move_overtaken` if another run has taken over
 */
export async function holdMove(db: Queryable, { id, run, account }: Run): Promise<MoveStage> {
  const { rows } = await db.query<{ state: MoveStage }>(
    "SELECT state FROM moves WHERE id = $1 AND run = $2 FOR NO KEY UPDATE",
    [id, run],
  );
  if (rows[0]) return rows[0].state;
  throw new ServiceError("move_overtaken", `Another run of this command has taken over the move of ${account}.`);
}

export async function setState(db: Queryable, { id }: Run, state: MoveStage): Promise<void> {
  await db.query(
    `UPDATE moves SET state = $2, changed_at = clock_timestamp(), finished_at = CASE WHEN $2 IN ('moved', 'aborted') THEN clock_timestamp() END WHERE id = $1`,
    [id, state],
  );
}

/** @returns the id that the account has in the new cell, or will have there */
export async function reserveId(db: Queryable, { id }: Run): Promise<number> {
  const { rows } = await db.query<{ reserved: number }>(
    `UPDATE moves m SET arriving_as = COALESCE(arriving_as, (SELECT a.id FROM accounts a WHERE a.name = m.account),
       nextval(pg_get_serial_sequence('accounts', 'id'))) WHERE id = $1 RETURNING arriving_as AS reserved`,
    [id],
  );
  if (!rows[0]) throw new Error(`the new cell does not know the move ${id}`);
  return rows[0].reserved;
}

/** @throws {ServiceError} `account_not_found` */
export async function accountIdOf(db: Queryable, account: string): Promise<number> {
  const { rows } = await db.query<{ id: number }>("SELECT id FROM accounts WHERE name = $1", [account]);
  if (!rows[0]) throw new ServiceError("account_not_found", `There is no account ${account}.`);
  return rows[0].id;
}

/** @property seconds for how long it has been in its state */
export type UnfinishedMove = {
  account: string;
  direction: Direction;
  otherCell: string;
  state: MoveStage;
  seconds: number;
};

const patienceMs = 5_000;

/** @returns what has been in its state for longest first */
export async function readUnfinishedMoves(db: Queryable): Promise<UnfinishedMove[]> {
  const { rows } = await db.query<UnfinishedMove>(
    within(patienceMs, {
      name: "unfinished-moves",
      text: `SELECT account, direction, other_cell AS "otherCell", state,
               GREATEST(0, extract(epoch FROM clock_timestamp() - changed_at))::float8 AS seconds
             FROM moves WHERE finished_at IS NULL ORDER BY changed_at`,
      values: [],
    }),
  );
  return rows;
}

/**
 * Removes accounts that have moved away, once nothing of their history is left in this cell. Addresses follow in small parts.
 *
 * @param keptDays how long notifications are kept
 */
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
