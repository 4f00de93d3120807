/**
 * Moves an account to another cell while both run. Each step is a transaction of one cell and is skipped where it has been done, so the
 * move can be killed at any moment and run again. Its order is what keeps every promise:
 *
 * 1. Addresses, and the notifications that may have to be retracted, are copied while nothing changes for anybody.
 * 2. The old cell refuses changes of the account, and the rest is copied. The new cell has all of it, and records nothing yet.
 * 3. The old cell releases the account: it has recorded its notifications up to block B of each lane, and will send them.
 * 4. The old cell leaves the account to the new one, and answers 503 for it. This one transaction decides: until then the move can be undone,
 *    even if the new cell is gone for good, and from then on it can only be completed.
 * 5. The new cell takes over: it records from block B + 1 on, under the next sequences. Nobody recorded in between, and nothing is lost by that.
 * 6. The new cell answers for the account.
 */

import type { Keyring } from "../../settings/keyring.ts";
import { setMoveState } from "../accounts/may-change.ts";
import { inTransaction, type Queryable } from "../pool.ts";
import { copyAddresses, copyCreated, type OnCopied } from "./addresses.ts";
import { arrive } from "./arrive.ts";
import { claim, hasMoved } from "./begin.ts";
import { assertChainsGrown, assertNothingThere, assertSameChains, assertSameSchema } from "./checks.ts";
import { releaseLanes } from "./lanes.ts";
import { accountIdOf, type Cells, holdMove, type MoveStage, type Run, setState } from "./record.ts";
import { copyRecords } from "./records.ts";
import { removeHeld, takeOver } from "./take.ts";

type MoveOptions = {
  /** Decrypts secrets that the new cell cannot, and encrypts them for it. */
  keyring: Keyring;
  /** Receives a sentence about each step that was done. */
  report?: (sentence: string) => void;
  onCopied?: OnCopied;
};

/**
 * Moves an account, or continues its move.
 *
 * @returns false if it had moved before
 * @throws {ServiceError} `account_not_found`, `move_refused`, `move_overtaken`, `secret_unreadable`
 */
export async function moveAccount(cells: Cells, account: string, options: MoveOptions): Promise<boolean> {
  const { from, to } = cells;
  const { keyring, report = () => undefined, onCopied } = options;
  await assertSameSchema(cells);
  await accountIdOf(from.pool, account);
  if (await hasMoved(cells, account)) return false;
  const { move, states } = await claim(cells, account, keyring);
  if (states.in === "copying") {
    report(`${await copyAddresses(cells, move, onCopied)} addresses are copied.`);
    report(`${await copyRecords(cells, move)} notifications that may have to be retracted are copied.`);
    // Copying may have taken long. What no longer fits is refused while the account can still be changed.
    await assertNothingThere(cells, move);
    await assertSameChains(cells, move);
    if (states.out === "copying" || states.out === "frozen") await freeze(cells, move);
    const froze = performance.now();
    report("The account's changes are refused from now on, with 503.");
    await copyAddresses(cells, move);
    await arrive(cells, move, keyring);
    report(`The account is copied, ${Math.round(performance.now() - froze)} ms later.`);
  }
  if (states.out !== "left" && states.out !== "moved") {
    await release(cells, move);
    report(`${from.name} records nothing for the account any more, and sends what it has recorded.`);
    await copyCreated(cells, move);
    await copyRecords(cells, move);
    // What the new cell would refuse afterwards.
    await assertChainsGrown(cells, move);
    await leave(cells, move);
    report(`${from.name} has left the account to ${to.name}.`);
  }
  await takeOver(cells, move);
  report(`${to.name} records for the account.`);
  await forgetWork(cells, move);
  await open(cells, move);
  report(`${to.name} answers for the account.`);
  return true;
}

async function step(cells: Cells["from"], move: Run, wanted: MoveStage, work: (db: Queryable) => Promise<void>) {
  await inTransaction(cells.pool, async (db) => {
    const state = await holdMove(db, move);
    if (state === wanted) await work(db);
  });
}

async function freeze({ from }: Cells, move: Run): Promise<void> {
  const accountId = await accountIdOf(from.pool, move.account);
  await inTransaction(from.pool, async (db) => {
    await setMoveState(db, accountId, "leaving");
    if ((await holdMove(db, move)) === "copying") await setState(db, move, "frozen");
  });
}

async function release({ from }: Cells, move: Run): Promise<void> {
  const accountId = await accountIdOf(from.pool, move.account);
  await step(from, move, "frozen", async (db) => {
    await releaseLanes(db, move.id, accountId);
    await setState(db, move, "released");
  });
}

async function leave({ from }: Cells, move: Run): Promise<void> {
  await step(from, move, "released", async (db) => {
    await db.query("UPDATE accounts SET move_state = 'left' WHERE name = $1", [move.account]);
    await setState(db, move, "left");
  });
}

/** Unfinished replays continue in the new cell, and what is held is there. */
async function forgetWork({ from }: Cells, move: Run): Promise<void> {
  const accountId = await accountIdOf(from.pool, move.account);
  await step(from, move, "left", async (db) => {
    await db.query("DELETE FROM replays WHERE account_id = $1 AND status IN ('queued', 'running')", [accountId]);
    const { rows } = await db.query<{ id: string }>("SELECT id FROM webhooks WHERE account_id = $1", [accountId]);
    await removeHeld(
      db,
      rows.map(({ id }) => id),
    );
    await setState(db, move, "moved");
  });
}

async function open({ to }: Cells, move: Run): Promise<void> {
  await step(to, move, "taken", async (db) => {
    await db.query("UPDATE accounts SET move_state = NULL WHERE name = $1", [move.account]);
    await setState(db, move, "moved");
  });
}
