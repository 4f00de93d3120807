/** Begins a move, or finds the one in progress. */
import { randomUUID } from "node:crypto";
import { ServiceError } from "../../base/errors.ts";
import type { Keyring } from "../../settings/keyring.ts";
import type { MoveState } from "../accounts/may-change.ts";
import { assertNothingThere, assertSameChains } from "./checks.ts";
import { accountIdOf, type Cells, claimMove, type MoveStage, type Run, readMove, readState } from "./record.ts";
import { planSecrets } from "./secrets.ts";

/**
 * Whether the account has moved away, and the new cell answers for it: the one that it moved to, or another one that it has moved on to.
 *
 * @throws {ServiceError} `move_refused` if the account has moved to another cell than this
 */
export async function hasMoved({ from, to }: Cells, account: string): Promise<boolean> {
  const { rows } = await from.pool.query<{ tag: string }>(
    "SELECT tag FROM accounts WHERE name = $1 AND move_state = 'left'",
    [account],
  );
  const known = await readMove(from.pool, account, "out");
  if (!rows[0] || known?.state !== "moved") return false;
  const there = await readState(to.pool, known.id, "in");
  if (there !== undefined && there !== "moved") return false;
  const { rowCount: isHome } = await to.pool.query(
    "SELECT FROM accounts WHERE name = $1 AND tag = $2 AND move_state IS NULL",
    [account, rows[0].tag],
  );
  if (isHome) return true;
  if (there === undefined)
    throw new ServiceError(
      "move_refused",
      `The account ${account} has moved to ${known.otherCell}. Move it from there.`,
    );
  const onwards = (await readMove(to.pool, account, "out"))?.otherCell ?? "another cell";
  throw new ServiceError(
    "move_refused",
    `${to.name} no longer answers for ${account}, which has moved on to ${onwards}. Give --to the cell that answers for it now.`,
  );
}

type States = { out: MoveStage; in: MoveStage };

const notHere: Readonly<Record<MoveState, string>> = {
  leaving: "is already leaving this cell; run the command without --dry-run to continue, or with --abort",
  left: "has moved away from this cell",
  arriving: "is still moving to this cell",
};

/** Makes this run the one that does the move, from the states that it finds. */
export async function claim(cells: Cells, account: string, keyring: Keyring): Promise<{ move: Run; states: States }> {
  const { from, to } = cells;
  const known = await readMove(from.pool, account, "out");
  const isBack = known?.state === "moved" && (await readState(to.pool, known.id, "in")) !== "taken";
  const current = isBack ? undefined : known;
  if (current) await assertKnown(cells, current);
  else await assertMayBegin(cells, account, keyring);
  const move = { id: current?.id ?? randomUUID(), run: randomUUID(), account };
  const states = await claimBoth(cells, move);
  if (states.out === "aborted" || states.in === "aborted")
    throw new ServiceError("move_refused", `The move of ${account} was undone at the same time.`);
  return { move, states };
}

/** @throws {ServiceError} `move_refused`, `secret_unreadable` */
export async function assertMayBegin(cells: Cells, account: string, keyring: Keyring): Promise<void> {
  const { rows } = await cells.from.pool.query<{ move_state: MoveState | null }>(
    "SELECT move_state FROM accounts WHERE name = $1",
    [account],
  );
  const state = rows[0]?.move_state;
  if (state) throw new ServiceError("move_refused", `The account ${account} ${notHere[state]}.`);
  await assertNothingThere(cells, { account });
  await assertSameChains(cells, { account });
  await planSecrets({ from: cells.from.pool, to: cells.to.pool }, await accountIdOf(cells.from.pool, account), keyring);
}

/** @throws {ServiceError} `move_refused` unless the new cell is the one that the move began with */
async function assertKnown(
  { to }: Cells,
  { id, state, otherCell }: { id: string; state: MoveStage; otherCell: string },
) {
  if ((await readState(to.pool, id, "in")) !== undefined) return;
  if (state === "copying" && otherCell === to.name) return;
  throw new ServiceError("move_refused", `A move to ${otherCell} is in progress. Complete or abort it with that one.`);
}

/** The old cell first: nothing is in the new one that the old one does not know of. */
async function claimBoth({ from, to }: Cells, move: Run): Promise<States> {
  const out = await claimMove(from.pool, move, { direction: "out", otherCell: to.name });
  const states = { out, in: await claimMove(to.pool, move, { direction: "in", otherCell: from.name }) };
  // What is left of an earlier stay may be being forgotten. From here on it is kept (record.ts).
  await to.pool.query("SELECT FROM accounts WHERE name = $1 FOR SHARE", [move.account]);
  return states;
}
