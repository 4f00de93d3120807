/**
 * Copies the account itself: its row, keys, webhooks, secrets, headers and Idempotency-Keys. Nothing changes them meanwhile. The webhooks are in no
 * lane yet, so nothing is recorded for them, and the API answers 503 to the account's keys.
 */
import { ServiceError } from "../../base/errors.ts";
import type { Keyring } from "../../settings/keyring.ts";
import { setMoveState } from "../accounts/may-change.ts";
import { inTransaction, type Queryable } from "../pool.ts";
import { accountIdOf, type Cells, holdMove, type Run, reserveId, setState } from "./record.ts";
import { type CopiedRow, readRows, writeRows } from "./rows.ts";
import { type PassSecrets, planSecrets } from "./secrets.ts";

/** @param keyring see `planSecrets` @throws {ServiceError} `move_refused` if something of the account exists there */
export async function arrive(cells: Cells, move: Run, keyring: Keyring): Promise<void> {
  const { from, to } = cells;
  await inTransaction(from.pool, async (source) => {
    await source.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await inTransaction(to.pool, async (target) => {
      const accountId = await accountIdOf(source, move.account);
      const pass = await planSecrets({ from: source, to: target }, accountId, keyring);
      const arrivedId = await writeAccount({ source, target }, move, accountId);
      if ((await holdMove(target, move)) !== "copying") return;
      await copyDependents({ source, target }, { accountId, arrivedId, pass });
      await setState(target, move, "arrived");
    });
  });
}

type Transactions = { source: Queryable; target: Queryable };

/** What another cell counts or decides for itself. */
const ownColumns = ["webhooks", "addresses", "move_state"];

async function writeAccount({ source, target }: Transactions, move: Run, accountId: number): Promise<number> {
  const left = await target.query<{ id: number }>("SELECT id FROM accounts WHERE name = $1 AND move_state = 'left'", [
    move.account,
  ]);
  // The first lock of the transaction, as it must be.
  if (left.rows[0]) await setMoveState(target, left.rows[0].id, "arriving");
  const arrivingAs = await reserveId(target, move);
  for await (const rows of readRows(source, `SELECT * FROM accounts WHERE id = ${accountId}`, [])) {
    // An account of this name may have been created here since the move began. It stays as it is.
    const written = await writeRows(
      target,
      "accounts",
      rows.map((row) => ({ ...row, id: arrivingAs })),
      {
        without: ownColumns,
        kept: ["id"],
        onConflict: "(name) DO UPDATE SET WHERE accounts.move_state = 'arriving' AND accounts.tag = excluded.tag",
      },
    );
    if (written < rows.length)
      throw new ServiceError("move_refused", `The new cell has another account ${move.account}.`);
  }
  await target.query("UPDATE accounts SET move_state = 'arriving' WHERE name = $1", [move.account]);
  // Otherwise nobody would find what was copied under the other.
  if ((await accountIdOf(target, move.account)) !== arrivingAs)
    throw new ServiceError("move_refused", `The new cell knew ${move.account} by another id when the move began.`);
  return arrivingAs;
}

type Dependents = { accountId: number; arrivedId: number; pass: PassSecrets };

async function copyDependents({ source, target }: Transactions, { accountId, arrivedId, pass }: Dependents) {
  const own = (row: CopiedRow): CopiedRow => ({ ...row, account_id: arrivedId });
  const copy = async (select: string, write: (rows: CopiedRow[]) => Promise<unknown>) => {
    for await (const rows of readRows(source, select, [])) await write(rows);
  };
  const ofWebhooks = (table: string) =>
    `SELECT t.* FROM ${table} t JOIN webhooks w ON w.id = t.webhook_id WHERE w.account_id = ${accountId}`;
  const ofAccount = (table: string) => `SELECT * FROM ${table} WHERE account_id = ${accountId}`;

  // Changes of addresses in parts end with a move. Those of an earlier stay may be younger than a day.
  for (const table of ["api_keys", "idempotency_keys", "address_changes"])
    await target.query(`DELETE FROM ${table} WHERE account_id = $1`, [arrivedId]);
  await copy(ofAccount("api_keys"), (rows) => writeRows(target, "api_keys", rows.map(own), { without: ["id"] }));
  await copy(ofAccount("idempotency_keys"), (rows) => writeRows(target, "idempotency_keys", rows.map(own)));
  // What was deleted since the account was here before.
  const { rows: known } = await source.query<{ id: string }>("SELECT id FROM webhooks WHERE account_id = $1", [
    accountId,
  ]);
  await target.query("DELETE FROM webhooks WHERE account_id = $1 AND id <> ALL($2::uuid[])", [
    arrivedId,
    known.map(({ id }) => id),
  ]);
  await copy(ofAccount("webhooks"), async (rows) => {
    const inNoLane = rows.map((row) => ({ ...own(row), lane: null }));
    const written = await writeRows(target, "webhooks", inNoLane, {
      onConflict: "(id) DO UPDATE SET WHERE webhooks.account_id = excluded.account_id",
      kept: ["address_count"],
    });
    if (written < rows.length)
      throw new ServiceError("move_refused", "The new cell has webhooks of another account with the same ids.");
    // Only where it differs, since the account's count follows each: 10,000 in one transaction took 30 s.
    await target.query(
      `UPDATE webhooks w SET address_count = n.address_count FROM json_populate_recordset(NULL::webhooks, $1) n
       WHERE w.id = n.id AND w.address_count <> n.address_count`,
      [JSON.stringify(inNoLane)],
    );
  });
  for (const [table, ofTable] of [
    ["webhook_secrets", pass.secret] as const,
    ["webhook_headers", pass.headers] as const,
  ]) {
    await target.query(`DELETE FROM ${table} s USING webhooks w WHERE w.id = s.webhook_id AND w.account_id = $1`, [
      arrivedId,
    ]);
    await copy(ofWebhooks(table), (rows) => writeRows(target, table, rows.map(ofTable)));
  }
  await target.query("DELETE FROM shared_secrets WHERE account_id = $1", [arrivedId]);
  await copy(ofAccount("shared_secrets"), (rows) =>
    writeRows(target, "shared_secrets", rows.map(pass.secret).map(own)),
  );
  await target.query(
    "DELETE FROM webhook_active_before b USING webhooks w WHERE w.id = b.webhook_id AND w.account_id = $1",
    [arrivedId],
  );
  await copy(ofWebhooks("webhook_active_before"), (rows) => writeRows(target, "webhook_active_before", rows));
  await copy(ofWebhooks("webhook_sequences"), (rows) =>
    writeRows(target, "webhook_sequences", rows, { onConflict: "(webhook_id) DO NOTHING" }),
  );
  // How long endpoints have failed: five days, wherever they passed, make a webhook inactive. An earlier stay's failures are over.
  await target.query(
    "UPDATE endpoint_states e SET failing_since = NULL FROM webhooks w WHERE w.id = e.webhook_id AND w.account_id = $1",
    [arrivedId],
  );
  await copy(
    `SELECT t.shard, webhook_id, failing_since FROM endpoint_states t JOIN webhooks w ON w.id = t.webhook_id
     WHERE w.account_id = ${accountId} AND failing_since IS NOT NULL`,
    (rows) =>
      writeRows(target, "endpoint_states", rows, {
        onConflict: "(webhook_id) DO UPDATE SET",
      }),
  );
  await copy(ofWebhooks("passed_over"), (rows) =>
    writeRows(target, "passed_over", rows, { onConflict: "(webhook_id) DO UPDATE SET" }),
  );
}
