/** API keys and their accounts. A key is shown once, on creation; the database keeps only its SHA-256. */
import { hash, timingSafeEqual } from "node:crypto";
import { ServiceError } from "../../base/errors.ts";
import { inTransaction, type Pool, type Queryable } from "../pool.ts";
import { isWellFormed, makeKey, prefixOf } from "./key-form.ts";
import { accountElsewhere, assertMayChange, type MoveState } from "./may-change.ts";

/** What a key allows. */
export type Scope = "read" | "write";
export const scopes: readonly Scope[] = ["read", "write"];

/** The caller of a request. */
export type Caller = { keyId: number; accountId: number; scopes: readonly Scope[] };

/** A key, as listed. */
export type KeyInfo = {
  id: number;
  account: string;
  /** The key's first characters. */
  prefix: string;
  scopes: readonly Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  /** To the minute. */
  lastUsedAt: Date | null;
  revokedAt: Date | null;
};

const sha256 = (key: string) => hash("sha256", key, "buffer");

/**
 * Creates a key with the account's tag and 256 random bits, and the account if none has that name.
 *
 * @returns the key, which nobody can read again
 */
export async function createKey(
  pool: Pool,
  options: { account: string; scopes: readonly Scope[]; expiresAt?: Date },
): Promise<{ id: number; key: string; prefix: string }> {
  return inTransaction(pool, async (db) => {
    await db.query("INSERT INTO accounts (name) VALUES ($1) ON CONFLICT DO NOTHING", [options.account]);
    const { rows: accounts } = await db.query<{ id: number; tag: string }>(
      "SELECT id, tag FROM accounts WHERE name = $1",
      [options.account],
    );
    const [account] = accounts;
    if (!account) throw new ServiceError("account_not_found", `There is no account ${options.account}.`);
    await assertMayChange(db, account.id);
    const key = makeKey(account.tag);
    const prefix = prefixOf(key);
    const { rows } = await db.query<{ id: number }>(
      "INSERT INTO api_keys (account_id, prefix, hash, scopes, expires_at) VALUES ($1, $2, $3, $4, $5) RETURNING id",
      [account.id, prefix, sha256(key), options.scopes, options.expiresAt ?? null],
    );
    return { id: rows[0]?.id ?? 0, key, prefix };
  });
}

/** Lists the keys of one account or of all, the oldest first. */
export async function listKeys(db: Queryable, account?: string): Promise<KeyInfo[]> {
  const { rows } = await db.query<KeyInfo>(
    `SELECT k.id, a.name AS account, k.prefix, k.scopes, k.created_at AS "createdAt", k.expires_at AS "expiresAt",
       k.last_used_at AS "lastUsedAt", k.revoked_at AS "revokedAt"
     FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE $1::text IS NULL OR a.name = $1 ORDER BY k.id`,
    [account ?? null],
  );
  return rows;
}

/**
 * Revokes a key immediately and permanently.
 *
 * @param which its id, or its prefix as listed
 * @throws {ServiceError} `api_key_not_found` when no such key exists or it is already revoked; `account_elsewhere`
 */
export async function revokeKey(pool: Pool, which: string): Promise<void> {
  await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ accountId: number }>(
      `UPDATE api_keys SET revoked_at = now() WHERE (id::text = $1 OR prefix = $1) AND revoked_at IS NULL
       RETURNING account_id AS "accountId"`,
      [which],
    );
    if (!rows[0]) throw new ServiceError("api_key_not_found", `There is no active key ${which}.`);
    for (const { accountId } of rows) await assertMayChange(db, accountId);
  });
}

/** Whether a key, `k`, is valid. */
const isValid = "k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())";

/**
 * Finds a key's account.
 *
 * @returns undefined when the key is unknown, expired or revoked
 * @throws {ServiceError} `account_elsewhere` while another cell answers for the account
 */
export async function findCaller(db: Queryable, key: string): Promise<Caller | undefined> {
  if (!isWellFormed(key)) return undefined;
  const hash = sha256(key);
  const { rows } = await db.query<Caller & { hash: Buffer; moveState: MoveState | null }>({
    name: "find-caller",
    text: `SELECT k.id AS "keyId", account_id AS "accountId", scopes, hash, move_state AS "moveState"
           FROM api_keys k JOIN accounts a ON a.id = k.account_id
           WHERE hash = $1 AND ${isValid}`,
    values: [hash],
  });
  // The index lookup's time depends on the hash only, which reveals nothing about the key. The comparison takes constant time.
  const [found] = rows;
  if (!found || !timingSafeEqual(found.hash, hash)) return undefined;
  const { keyId, accountId, scopes, moveState } = found;
  if (moveState !== null && moveState !== "leaving") throw accountElsewhere(moveState);
  return { keyId, accountId, scopes };
}

/** @returns the keys among these that are valid, and whose account this cell answers for */
export async function findValidKeys(db: Queryable, keyIds: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT k.id FROM api_keys k JOIN accounts a ON a.id = k.account_id
     WHERE k.id = ANY($1::bigint[]) AND ${isValid} AND (move_state IS NULL OR move_state = 'leaving')`,
    [keyIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Records that a key was used, at most once a minute. */
export async function noteKeyUse(db: Queryable, keyId: number): Promise<void> {
  await db.query(
    "UPDATE api_keys SET last_used_at = now() WHERE id = $1 AND (last_used_at < now() - interval '1 minute') IS NOT FALSE",
    [keyId],
  );
}

/**
 * What keys say of their account, without a secret: by this a proxy finds the account's cell. An account and the marks of its keys: its tag,
 * and the first eight digits of each key that was made before there were tags.
 */
export type AccountMarks = { account: string; marks: string[]; moveState: MoveState | null };

/** Lists the marks of all accounts. Keys without a tag that are revoked have none. */
export async function listMarks(db: Queryable): Promise<AccountMarks[]> {
  const { rows } = await db.query<AccountMarks>(
    `SELECT a.name AS account, a.move_state AS "moveState", a.tag || COALESCE(k.marks, '{}') AS marks
     FROM accounts a LEFT JOIN (
       SELECT account_id, array_agg(DISTINCT substr(prefix, 5)) AS marks FROM api_keys
       WHERE prefix ~ '^cwk_[0-9a-f]{8}$' AND revoked_at IS NULL GROUP BY account_id) k ON k.account_id = a.id
     ORDER BY a.id`,
  );
  return rows;
}

/** How many accounts a cell answers for, and what is theirs. */
export type AccountTotals = { accounts: number; webhooks: number; addresses: number };

export async function countAccounts(db: Queryable): Promise<AccountTotals> {
  const { rows } = await db.query<AccountTotals>(
    `SELECT count(*)::int AS accounts, COALESCE(sum(webhooks), 0)::float8 AS webhooks,
       COALESCE(sum(addresses), 0)::float8 AS addresses
     FROM accounts WHERE move_state IS NULL OR move_state = 'leaving'`,
  );
  return rows[0] ?? { accounts: 0, webhooks: 0, addresses: 0 };
}
