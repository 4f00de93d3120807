/**
 * Whether an account may be changed here. While it moves to another cell, nothing may change that the other cell has already copied.
 * Every change checks this in its own transaction, and the move waits for those in flight.
 */
import { ServiceError } from "../../base/errors.ts";
import type { Queryable } from "../pool.ts";

/** Where an account is on its way. Leaving: it may still be read here. Left, arriving: another cell answers for it. */
export type MoveState = "leaving" | "left" | "arriving";

/** The error for an account that another cell answers for, or will soon. The API answers 503 either way, for the proxies' map to follow. */
export function accountElsewhere(state: MoveState): ServiceError {
  const message =
    state === "left"
      ? "The account has moved to another cell; change it there."
      : "The account is moving to another cell; try again later.";
  return new ServiceError("account_elsewhere", message);
}

const keyOf = (accountId: string) => `hashtextextended('chain-webhooks account stays ' || ${accountId}::bigint, 0)`;

/**
 * The call that keeps the account here until the transaction ends. Changes share this lock, and only a move takes it alone. It is no lock
 * of the account's row: a change that locks the row later would deadlock with a move that waits for it.
 */
export const keepHere = (accountId: string) => `pg_advisory_xact_lock_shared(${keyOf(accountId)})`;

/** Keeps the account here until the transaction ends. @throws {ServiceError} `account_elsewhere` */
export async function assertMayChange(db: Queryable, accountId: number): Promise<void> {
  await db.query(`SELECT ${keepHere("$1")}`, [accountId]);
  const { rows } = await db.query<{ move_state: MoveState | null }>("SELECT move_state FROM accounts WHERE id = $1", [
    accountId,
  ]);
  const state = rows[0]?.move_state;
  if (state) throw accountElsewhere(state);
}

/** Waits for the changes in flight and changes the account's state. The caller's transaction takes no other lock before. */
export async function setMoveState(db: Queryable, accountId: number, state: MoveState | null): Promise<void> {
  await db.query(`SELECT pg_advisory_xact_lock(${keyOf("$1")})`, [accountId]);
  await db.query("UPDATE accounts SET move_state = $2 WHERE id = $1", [accountId, state]);
}
