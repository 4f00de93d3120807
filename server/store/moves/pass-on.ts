/**
 * Passes on to the old cell what an account changed after its move. The old cell still sends what it had recorded, to the url, at the rate, with
 * the secrets and headers and in the status that it knows. Only the cell that answers for the account knows these: one that the account has left
 * remembers some of it, and forgets webhooks whose notifications the old cell still has to send.
 */

import type { Keyring } from "../../settings/keyring.ts";
import { assertMayChange } from "../accounts/may-change.ts";
import { inTransaction, type Queryable } from "../pool.ts";
import { accountIdOf, type Cells } from "./record.ts";
import { type CopiedRow, writeRows } from "./rows.ts";
import { planSecrets } from "./secrets.ts";

type Settings = {
  id: string;
  url: string | null;
  max_per_second: number | null;
  header_names: string[] | null;
  /** An operational webhook's, whose form may change; other webhooks' options never do. */
  options: object | null;
  status: string;
  status_reason: string;
  status_since: Date;
  /** Its row of `webhook_headers`. Null where it has none, or has lost them. */
  headers: CopiedRow | null;
};

/**
 * @param cells.to the cell that answers for the account, whichever it moved to from the old one
 * @param keyring decrypts secrets that the old cell cannot, and encrypts them for it; see `planSecrets`
 * @throws {ServiceError} `account_elsewhere` if it has left that cell, or is leaving it; `account_not_found`
 */
export function passOn({ from, to }: Cells, account: string, keyring: Keyring): Promise<void> {
  return inTransaction(to.pool, async (home) => {
    const accountId = await accountIdOf(home, account);
    // Until the end, so that nothing older than what the old cell has is passed on, and the account is not on its way back there.
    await assertMayChange(home, accountId);
    await passFrom(home, accountId, { cell: from, account, keyring });
  });
}

type Receiving = { cell: Cells["from"]; account: string; keyring: Keyring };

async function passFrom(home: Queryable, accountId: number, { cell, account, keyring }: Receiving): Promise<void> {
  const leftId = await accountIdOf(cell.pool, account);
  // The names and the headers in one statement, since their owner may set or remove them meanwhile.
  const { rows: settings } = await home.query<Settings>(
    `SELECT w.id, url, max_per_second, header_names, CASE WHEN chain_id = 'operational' THEN options END AS options, status, status_reason, status_since, row_to_json(h) AS headers
     FROM webhooks w LEFT JOIN webhook_headers h ON h.webhook_id = w.id WHERE account_id = $1`,
    [accountId],
  );
  const headers = settings.flatMap(({ headers: row }) => (row ? [row] : []));
  const secrets = await readSecrets(home, accountId);
  await inTransaction(cell.pool, async (db) => {
    await db.query("DELETE FROM webhooks WHERE account_id = $1 AND id <> ALL($2::uuid[])", [
      leftId,
      settings.map(({ id }) => id),
    ]);
    const withNewSecrets = await findChanged(db, leftId, secrets);
    const withNewHeaders = await findChangedHeaders(db, leftId, headers);
    const changed = [...withNewSecrets, ...withNewHeaders];
    if (changed.length > 0) {
      const pass = await planSecrets({ from: home, to: db }, accountId, keyring);
      const write = async (table: string, ids: readonly string[], rows: readonly CopiedRow[]) => {
        await db.query(`DELETE FROM ${table} WHERE webhook_id = ANY($1::uuid[])`, [ids]);
        await writeRows(db, table, rows);
      };
      const of = (ids: readonly string[]) => (row: CopiedRow) => ids.includes(String(row.webhook_id));
      await write("webhook_secrets", withNewSecrets, secrets.filter(of(withNewSecrets)).map(pass.secret));
      await write("webhook_headers", withNewHeaders, headers.filter(of(withNewHeaders)).map(pass.headers));
    }
    const isSharedChanged = await passShared({ home, accountId }, { db, leftId }, keyring);
    // Writing the url, even the same, makes the delivery processes read the webhook again.
    await db.query(
      `UPDATE webhooks w SET url = n.url, max_per_second = n.max_per_second, header_names = n.header_names, options = COALESCE(n.options, w.options), status = n.status, status_reason = n.status_reason, status_since = n.status_since
       FROM json_populate_recordset(NULL::webhooks, $2) n
       WHERE w.id = n.id AND w.account_id = $1
         AND ((w.url, w.max_per_second, w.header_names, w.status) IS DISTINCT FROM (n.url, n.max_per_second, n.header_names, n.status) OR w.id = ANY($3::uuid[])
           OR (n.options IS NOT NULL AND n.options ->> 'operational' IS DISTINCT FROM w.options ->> 'operational')
           OR ($4 AND w.options ->> 'compatibility' IS NOT NULL))`,
      [leftId, JSON.stringify(settings), changed, isSharedChanged],
    );
  });
}

/** Passes on the account's shared secrets. @returns whether they were rotated since: each has its own time of creation */
async function passShared(
  { home, accountId }: { home: Queryable; accountId: number },
  { db, leftId }: { db: Queryable; leftId: number },
  keyring: Keyring,
): Promise<boolean> {
  const times =
    "SELECT array_agg((created_at, expires_at)::text ORDER BY created_at) AS times FROM shared_secrets WHERE account_id = $1";
  const timesOf = async (at: Queryable, id: number) => JSON.stringify((await at.query(times, [id])).rows);
  if ((await timesOf(home, accountId)) === (await timesOf(db, leftId))) return false;
  const { rows } = await home.query<{ row: CopiedRow }>(
    "SELECT row_to_json(s) AS row FROM shared_secrets s WHERE account_id = $1",
    [accountId],
  );
  const pass = await planSecrets({ from: home, to: db }, accountId, keyring);
  await db.query("DELETE FROM shared_secrets WHERE account_id = $1", [leftId]);
  await writeRows(
    db,
    "shared_secrets",
    rows.map(({ row }) => ({ ...pass.secret(row), account_id: leftId })),
  );
  return true;
}

async function readSecrets(db: Queryable, accountId: number): Promise<CopiedRow[]> {
  const { rows } = await db.query<{ row: CopiedRow }>(
    "SELECT row_to_json(s) AS row FROM webhook_secrets s JOIN webhooks w ON w.id = s.webhook_id WHERE w.account_id = $1",
    [accountId],
  );
  return rows.map(({ row }) => row);
}

/** @returns the old cell's webhooks whose headers were set, removed or lost since: each setting has its own time */
async function findChangedHeaders(db: Queryable, accountId: number, headers: readonly CopiedRow[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT w.id FROM webhooks w LEFT JOIN webhook_headers h ON h.webhook_id = w.id
       LEFT JOIN json_populate_recordset(NULL::webhook_headers, $2) n ON n.webhook_id = w.id
     WHERE w.account_id = $1 AND h.created_at IS DISTINCT FROM n.created_at`,
    [accountId, JSON.stringify(headers)],
  );
  return rows.map(({ id }) => id);
}

/** @returns the old cell's webhooks whose secrets were rotated since: each secret has its own time of creation */
async function findChanged(db: Queryable, accountId: number, secrets: readonly CopiedRow[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT w.id FROM webhooks w WHERE w.account_id = $1 AND
       ARRAY(SELECT (created_at, expires_at)::text FROM webhook_secrets WHERE webhook_id = w.id ORDER BY created_at) <>
       ARRAY(SELECT (created_at, expires_at)::text FROM json_populate_recordset(NULL::webhook_secrets, $2) n
             WHERE n.webhook_id = w.id ORDER BY created_at)`,
    [accountId, JSON.stringify(secrets)],
  );
  return rows.map(({ id }) => id);
}
