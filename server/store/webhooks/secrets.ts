/** The secrets that sign a webhook's notifications: the current one, and for a day the previous one. */
import { randomBytes } from "node:crypto";
import { webhookNotFound } from "../../base/errors.ts";
import type { KeptSecret, Keyring } from "../../settings/keyring.ts";
import { assertMayChange } from "../accounts/may-change.ts";
import type { Queryable } from "../pool.ts";

/** A webhook's secrets, as the API returns them. */
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
