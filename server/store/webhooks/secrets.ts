/**
 * The secrets that sign notifications: a webhook's own, and the one that an account's webhooks with a `compatibility` share. Of each there is the
 * current one, and for a day the previous one. The headers of a webhook's own are kept in the same way.
 */
import { randomBytes } from "node:crypto";
import { ServiceError, webhookNotFound } from "../../base/errors.ts";
import { isSendableHeader, type WebhookHeader } from "../../matching/new-webhook.ts";
import type { KeptSecret, Keyring } from "../../settings/keyring.ts";
import { assertMayChange } from "../accounts/may-change.ts";
import { inTransaction, type Pool, type Queryable } from "../pool.ts";

/** The secrets of a webhook, or those that webhooks share, as the API returns them. */
export type SecretInfo = {
  /** 32 random bytes. */
  secret: Buffer;
  /** Until when the previous secret signs too; null if there is none. */
  previousExpiresAt: Date | null;
};

/** Creates a secret. */
export const newSecret = () => randomBytes(32);

/** Stores the current secret of a webhook that has none. */
export async function insertSecret(db: Queryable, webhookId: string, keyring: Keyring): Promise<Buffer> {
  const secret = newSecret();
  const kept = keyring.seal(webhookId, secret);
  await db.query(
    `WITH ${secretInsertion("SELECT $1::uuid AS id", { secret: "$2", keyId: "$3", sealed: "$4" })} SELECT`,
    [webhookId, kept.secret, kept.keyId, kept.sealed],
  );
  return secret;
}

/** The parts of a statement that store a webhook's current secret. @param webhook selects its `id` */
export const secretInsertion = (webhook: string, { secret, keyId, sealed }: Record<keyof KeptSecret, string>) => `
  key AS (INSERT INTO secret_keys (key_id) SELECT ${keyId}::text WHERE ${keyId}::text IS NOT NULL ON CONFLICT DO NOTHING),
  secret AS (INSERT INTO webhook_secrets (webhook_id, secret, key_id, sealed)
    SELECT id, ${secret}::bytea, ${keyId}::text, ${sealed}::bytea FROM (${webhook}) w)`;

/**
 * Reads the secret of an account's webhook.
 *
 * @throws {ServiceError} `webhook_not_found`
 * @throws UnreadableSecretError
 */
export async function getSecret(db: Queryable, accountId: number, id: string, keyring: Keyring): Promise<SecretInfo> {
  const { rows } = await db.query<KeptSecret & Pick<SecretInfo, "previousExpiresAt">>(
    `SELECT s.secret, s.key_id AS "keyId", s.sealed, (SELECT max(p.expires_at) FROM webhook_secrets p
                       WHERE p.webhook_id = w.id AND p.expires_at > now()) AS "previousExpiresAt"
     FROM webhooks w JOIN webhook_secrets s ON s.webhook_id = w.id AND s.expires_at IS NULL
     WHERE w.id = $1 AND w.account_id = $2`,
    [id, accountId],
  );
  const [row] = rows;
  if (!row) throw webhookNotFound(id);
  return { secret: keyring.open(id, row), previousExpiresAt: row.previousExpiresAt };
}

/**
 * Replaces the current secret, inside the caller's transaction. The previous one signs for 24 hours more; older ones stop,
 * so a notification never has more than two signatures. The previous one need not be readable.
 *
 * @throws {ServiceError} `webhook_not_found`
 */
export async function rotateSecret(
  db: Queryable,
  accountId: number,
  id: string,
  keyring: Keyring,
): Promise<SecretInfo> {
  await assertMayChange(db, accountId);
  const { rowCount } = await db.query("SELECT FROM webhooks WHERE id = $1 AND account_id = $2 FOR UPDATE", [
    id,
    accountId,
  ]);
  if (!rowCount) throw webhookNotFound(id);
  await db.query("DELETE FROM webhook_secrets WHERE webhook_id = $1 AND expires_at IS NOT NULL", [id]);
  const { rows } = await db.query<{ expires_at: Date }>(
    `UPDATE webhook_secrets SET expires_at = date_trunc('milliseconds', now()) + interval '24 hours'
     WHERE webhook_id = $1 RETURNING expires_at`,
    [id],
  );
  return { secret: await insertSecret(db, id, keyring), previousExpiresAt: rows[0]?.expires_at ?? null };
}

/** What a webhook's headers are encrypted for. */
export const headersOwner = (webhookId: string) => `headers ${webhookId}`;

/** A webhook's headers as stored: the names, and all of it encrypted. */
export type SealedHeaders = { names: readonly string[]; kept: KeptSecret };

/** @returns null where there are none */
export function sealHeaders(
  webhookId: string,
  headers: readonly WebhookHeader[],
  keyring: Keyring,
): SealedHeaders | null {
  if (headers.length === 0) return null;
  const kept = keyring.seal(headersOwner(webhookId), Buffer.from(JSON.stringify(headers)));
  return { names: headers.map(([name]) => name), kept };
}

/**
 * Decrypts a webhook's headers. A later version may reserve names that an earlier one stored: these are left out.
 *
 * @param kept undefined where they were lost with their key
 * @throws {ServiceError} `secret_unreadable`
 */
export function openHeaders(webhookId: string, kept: KeptSecret | undefined, keyring: Keyring): WebhookHeader[] {
  if (!kept)
    throw new ServiceError(
      "secret_unreadable",
      `What the headers of the webhook ${webhookId} contain was lost with its key, and its owner must set headers again.`,
    );
  const headers = JSON.parse(keyring.open(headersOwner(webhookId), kept).toString()) as WebhookHeader[];
  return headers.filter(isSendableHeader);
}

/** Stores a webhook's headers in place of those that it has, inside the caller's transaction, which writes the names (`header_names`). */
export async function writeHeaders(db: Queryable, webhookId: string, headers: SealedHeaders | null): Promise<void> {
  if (!headers) return void (await db.query("DELETE FROM webhook_headers WHERE webhook_id = $1", [webhookId]));
  const { secret, keyId, sealed } = headers.kept;
  await db.query(
    `WITH key AS (INSERT INTO secret_keys (key_id) SELECT $3::text WHERE $3::text IS NOT NULL ON CONFLICT DO NOTHING)
     INSERT INTO webhook_headers (webhook_id, secret, key_id, sealed) VALUES ($1, $2, $3, $4)
     ON CONFLICT (webhook_id) DO UPDATE SET secret = excluded.secret, key_id = excluded.key_id, sealed = excluded.sealed,
       created_at = excluded.created_at`,
    [webhookId, secret, keyId, sealed],
  );
}

/** What an account's shared secrets are encrypted for. The tag is the same in every cell. */
export const accountOwner = (tag: string) => `account ${tag}`;

/** Makes sure that an account has a shared secret, inside the caller's transaction. */
export async function ensureSharedSecret(db: Queryable, accountId: number, keyring: Keyring): Promise<void> {
  const { rows } = await db.query<{ tag: string; has: boolean }>(
    `SELECT tag, EXISTS (SELECT FROM shared_secrets WHERE account_id = a.id AND expires_at IS NULL) AS has FROM accounts a WHERE id = $1`,
    [accountId],
  );
  const [account] = rows;
  if (account && !account.has) await insertSharedSecret(db, { accountId, tag: account.tag }, keyring);
}

type Account = { accountId: number; tag: string };

/** Another process may create it at the same time. Then that one counts. */
async function insertSharedSecret(db: Queryable, { accountId, tag }: Account, keyring: Keyring): Promise<void> {
  const { secret, keyId, sealed } = keyring.seal(accountOwner(tag), newSecret());
  await db.query(
    `WITH key AS (INSERT INTO secret_keys (key_id) SELECT $3::text WHERE $3::text IS NOT NULL ON CONFLICT DO NOTHING)
     INSERT INTO shared_secrets (account_id, secret, key_id, sealed) VALUES ($1, $2, $3, $4)
     ON CONFLICT (account_id) WHERE expires_at IS NULL DO NOTHING`,
    [accountId, secret, keyId, sealed],
  );
}

/**
 * Reads an account's shared secret, and creates it if it is the first time that it is needed.
 *
 * @throws {ServiceError} `secret_unreadable`; `account_elsewhere` where it must be created
 */
export async function getSharedSecret(pool: Pool, accountId: number, keyring: Keyring): Promise<SecretInfo> {
  const found = await readSharedSecret(pool, accountId, keyring);
  if (found) return found;
  return inTransaction(pool, async (db) => {
    await assertMayChange(db, accountId);
    await ensureSharedSecret(db, accountId, keyring);
    const created = await readSharedSecret(db, accountId, keyring);
    if (!created) throw new Error(`there is no account ${accountId}`);
    return created;
  });
}

async function readSharedSecret(db: Queryable, accountId: number, keyring: Keyring): Promise<SecretInfo | undefined> {
  const { rows } = await db.query<KeptSecret & Pick<SecretInfo, "previousExpiresAt"> & { tag: string }>(
    `SELECT a.tag, s.secret, s.key_id AS "keyId", s.sealed, (SELECT max(p.expires_at) FROM shared_secrets p
                       WHERE p.account_id = a.id AND p.expires_at > now()) AS "previousExpiresAt"
     FROM accounts a JOIN shared_secrets s ON s.account_id = a.id AND s.expires_at IS NULL WHERE a.id = $1`,
    [accountId],
  );
  const [row] = rows;
  return row && { secret: keyring.open(accountOwner(row.tag), row), previousExpiresAt: row.previousExpiresAt };
}

/** Replaces an account's shared secret, inside the caller's transaction, as `rotateSecret` does a webhook's. */
export async function rotateSharedSecret(db: Queryable, accountId: number, keyring: Keyring): Promise<SecretInfo> {
  await assertMayChange(db, accountId);
  await db.query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
  await db.query("DELETE FROM shared_secrets WHERE account_id = $1 AND expires_at IS NOT NULL", [accountId]);
  await db.query(
    "UPDATE shared_secrets SET expires_at = date_trunc('milliseconds', now()) + interval '24 hours' WHERE account_id = $1",
    [accountId],
  );
  await ensureSharedSecret(db, accountId, keyring);
  const rotated = await readSharedSecret(db, accountId, keyring);
  if (!rotated) throw new Error(`there is no account ${accountId}`);
  return rotated;
}
