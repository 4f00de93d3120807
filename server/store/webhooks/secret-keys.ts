/** The keys that encrypt the signing secrets and webhooks' headers in the database, and the change from one key to another. */
import { ServiceError } from "../../base/errors.ts";
import type { KeptSecret, Keyring } from "../../settings/keyring.ts";
import { SHARDS } from "../delivery/shards.ts";
import { inTransaction, type Pool, type Queryable } from "../pool.ts";
import { accountOwner, ensureSharedSecret, headersOwner, insertSecret } from "./secrets.ts";

/**
 * Checks that this process has every key that secrets are encrypted under, and records the key that it will encrypt with. A process
 * without a needed key therefore does not start, instead of failing to sign.
 *
 * @throws {ServiceError} `secret_key_missing`
 */
export async function claimKeys(pool: Pool, keyring: Keyring): Promise<void> {
  await inTransaction(pool, async (db) => {
    const [current] = keyring.keyIds;
    // If two processes start with different keys on a new database, the second sees the first one's.
    if (current !== undefined) await db.query("LOCK TABLE secret_keys IN SHARE ROW EXCLUSIVE MODE");
    const missing = (await readKeyIds(db)).filter((keyId) => !keyring.keyIds.includes(keyId));
    if (missing.length > 0) throw new ServiceError("secret_key_missing", missingKeys(missing, keyring));
    if (current !== undefined)
      await db.query("INSERT INTO secret_keys (key_id) VALUES ($1) ON CONFLICT DO NOTHING", [current]);
  });
}

function missingKeys(missing: readonly string[], { keyIds }: Keyring): string {
  const keys = missing.length === 1 ? `the key ${missing[0]}` : `the keys ${missing.join(" and ")}`;
  const has = keyIds.length === 0 ? "is not set" : `holds ${keyIds.join(" and ")} only`;
  return `SECRET_KEY must hold ${keys}, which signing secrets in the database are encrypted under; it ${has}.`;
}

async function readKeyIds(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ key_id: string }>("SELECT key_id FROM secret_keys ORDER BY created_at");
  return rows.map(({ key_id }) => key_id);
}

/** How many secrets are under a key; null for those that are not encrypted. */
type KeyUse = { keyId: string | null; secrets: number };

/** Counts secrets by key, including keys that have none. */
export async function countByKey(db: Queryable): Promise<KeyUse[]> {
  const { rows } = await db.query<KeyUse>(
    `WITH s AS (SELECT key_id, true AS is FROM webhook_secrets UNION ALL SELECT key_id, true FROM shared_secrets
       UNION ALL SELECT key_id, true FROM webhook_headers)
     SELECT k.key_id AS "keyId", count(s.is) AS secrets FROM secret_keys k LEFT JOIN s USING (key_id) GROUP BY 1
     UNION ALL SELECT NULL, count(*) FROM s WHERE key_id IS NULL
     ORDER BY 1`,
  );
  return rows;
}

/** A secret, whose it is, and what it is encrypted for. */
type Row = KeptSecret & { id: string; owner: string; createdAt: string };

/** A table of secrets: who owns one, and what it is encrypted for. */
type SecretTable = { table: string; id: string; type: string; from: string; owner: string };

const webhookSecrets: SecretTable = {
  ...{ table: "webhook_secrets", id: "webhook_id", type: "uuid", from: "webhook_secrets s", owner: "webhook_id::text" },
};
const sharedSecrets: SecretTable = {
  ...{ table: "shared_secrets", id: "account_id", type: "bigint" },
  ...{ from: "shared_secrets s JOIN accounts a ON a.id = s.account_id", owner: `'${accountOwner("")}' || a.tag` },
};
const webhookHeaders: SecretTable = {
  ...{ table: "webhook_headers", id: "webhook_id", type: "uuid", from: "webhook_headers s" },
  owner: `'${headersOwner("")}' || webhook_id`,
};

const batchSize = 500;

/**
 * Encrypts every secret under the keyring's first key, or decrypts it if the keyring is empty. It does a few at a time, so that processes
 * keep running, and it can be interrupted and repeated.
 *
 * @param from decrypts the stored secrets @param to encrypts them
 * @returns how many were written, and the webhooks, or accounts, whose secret no key decrypts
 */
export async function reseal(
  pool: Pool,
  from: Keyring,
  to: Keyring,
): Promise<{ written: number; unreadable: string[] }> {
  const [keyId = null] = to.keyIds;
  const unreadable: string[] = [];
  let written = 0;
  for (const table of [webhookSecrets, sharedSecrets, webhookHeaders]) {
    let after: Row | undefined;
    for (;;) {
      const rows: Row[] = await inTransaction(pool, async (db) => {
        if (keyId !== null)
          await db.query("INSERT INTO secret_keys (key_id) VALUES ($1) ON CONFLICT DO NOTHING", [keyId]);
        const page = await readPage(db, table, { keyId, after });
        const opened = page.flatMap(({ id, owner, createdAt, ...kept }) => {
          try {
            return [{ id, owner, createdAt, ...to.seal(owner, from.open(owner, kept)) }];
          } catch {
            unreadable.push(owner);
            return [];
          }
        });
        await writePage(db, table, opened);
        written += opened.length;
        return page;
      });
      after = rows.at(-1);
      if (rows.length < batchSize) break;
    }
  }
  await forgetUnused(pool, keyId);
  await haveReadAgain(pool);
  return { written, unreadable };
}

/** Reads and locks the next secrets that are not under this key. Times as text, since a Date is coarser. */
async function readPage(
  db: Queryable,
  { id, type, from, owner }: SecretTable,
  { keyId, after }: { keyId: string | null; after: Row | undefined },
): Promise<Row[]> {
  const least = type === "uuid" ? "00000000-0000-0000-0000-000000000000" : "0";
  const { rows } = await db.query<Row>(
    `SELECT ${id}::text AS id, ${owner} AS owner, s.created_at::text AS "createdAt", secret, key_id AS "keyId", sealed FROM ${from}
     WHERE key_id IS DISTINCT FROM $1
       AND ${id} >= $2::${type} AND (${id}, s.created_at) > ($2::${type}, $3::timestamptz)
     ORDER BY s.${id}, s.created_at LIMIT $4 FOR NO KEY UPDATE OF s`,
    [keyId, after?.id ?? least, after?.createdAt ?? "-infinity", batchSize],
  );
  return rows;
}

async function writePage(db: Queryable, { table, id, type }: SecretTable, rows: readonly Row[]): Promise<void> {
  await db.query(
    `UPDATE ${table} s SET secret = n.secret, key_id = n.key_id, sealed = n.sealed
     FROM unnest($1::${type}[], $2::text[], $3::bytea[], $4::text[], $5::bytea[]) AS n(id, created_at, secret, key_id, sealed)
     WHERE s.${id} = n.id AND s.created_at = n.created_at::timestamptz`,
    [
      rows.map(({ id: own }) => own),
      rows.map(({ createdAt }) => createdAt),
      rows.map(({ secret }) => secret),
      rows.map(({ keyId }) => keyId),
      rows.map(({ sealed }) => sealed),
    ],
  );
}

/** Removes the names of keys without secrets, so that processes may start without them. */
async function forgetUnused(pool: Pool, keyId: string | null): Promise<void> {
  await inTransaction(pool, async (db) => {
    // No secret is encrypted under a key meanwhile.
    await db.query("LOCK TABLE secret_keys IN SHARE ROW EXCLUSIVE MODE");
    await db.query(
      `DELETE FROM secret_keys k WHERE key_id IS DISTINCT FROM $1
         AND NOT EXISTS (SELECT FROM webhook_secrets s WHERE s.key_id = k.key_id)
         AND NOT EXISTS (SELECT FROM shared_secrets s WHERE s.key_id = k.key_id)
         AND NOT EXISTS (SELECT FROM webhook_headers h WHERE h.key_id = k.key_id)`,
      [keyId],
    );
  });
}

/** Makes delivery processes that lacked a key read the secrets again. One shard at a time, so that processes cannot deadlock. */
async function haveReadAgain(pool: Pool): Promise<void> {
  for (let shard = 0; shard < SHARDS; shard += 1)
    await pool.query("UPDATE shard_versions SET version = version + 1 WHERE shard = $1", [shard]);
}

/**
 * Gives a new secret to every webhook whose current one is encrypted under a key that the keyring does not have, and deletes all
 * secrets under such keys. Delivery to those webhooks continues; their owners must fetch the new secret. The same for shared secrets. Headers
 * are lost: nothing is sent to a webhook without its headers, so its notifications wait until its owner sets others.
 *
 * @returns the ids of those webhooks, `account ` with the tag of those accounts, and `headers ` with the id of those webhooks
 */
export async function replaceLost(pool: Pool, keyring: Keyring): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    "SELECT DISTINCT webhook_id AS id FROM webhook_secrets WHERE key_id <> ALL($1::text[]) ORDER BY 1",
    [keyring.keyIds],
  );
  const replaced: string[] = [];
  for (const { id } of rows) {
    await inTransaction(pool, async (db) => {
      // A rotation locks the webhook too, and may have replaced the secret meanwhile.
      const { rowCount } = await db.query("SELECT FROM webhooks WHERE id = $1 FOR UPDATE", [id]);
      if (!rowCount) return;
      const lost = await db.query<{ current: boolean }>(
        `DELETE FROM webhook_secrets WHERE webhook_id = $1 AND key_id <> ALL($2::text[]) RETURNING expires_at IS NULL AS current`,
        [id, keyring.keyIds],
      );
      if (!lost.rows.some(({ current }) => current)) return;
      await insertSecret(db, id, keyring);
      replaced.push(id);
    });
  }
  replaced.push(...(await replaceLostShared(pool, keyring)));
  const { rows: lost } = await pool.query<{ id: string }>(
    "DELETE FROM webhook_headers WHERE key_id <> ALL($1::text[]) RETURNING webhook_id AS id",
    [keyring.keyIds],
  );
  replaced.push(...lost.map(({ id }) => headersOwner(id)).sort());
  await forgetUnused(pool, keyring.keyIds[0] ?? null);
  await haveReadAgain(pool);
  return replaced;
}

async function replaceLostShared(pool: Pool, keyring: Keyring): Promise<string[]> {
  const { rows } = await pool.query<{ id: number; tag: string }>(
    `SELECT DISTINCT a.id, a.tag FROM shared_secrets s JOIN accounts a ON a.id = s.account_id WHERE key_id <> ALL($1::text[]) ORDER BY 1`,
    [keyring.keyIds],
  );
  const replaced: string[] = [];
  for (const { id, tag } of rows) {
    await inTransaction(pool, async (db) => {
      await db.query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [id]);
      const lost = await db.query<{ current: boolean }>(
        `DELETE FROM shared_secrets WHERE account_id = $1 AND key_id <> ALL($2::text[]) RETURNING expires_at IS NULL AS current`,
        [id, keyring.keyIds],
      );
      if (!lost.rows.some(({ current }) => current)) return;
      await ensureSharedSecret(db, id, keyring);
      replaced.push(accountOwner(tag));
    });
  }
  return replaced;
}
