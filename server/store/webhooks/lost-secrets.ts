/** Replaces the secrets that were lost with a key. */

import type { Keyring } from "../../settings/keyring.ts";
import { inTransaction, type Pool } from "../pool.ts";
import { forgetUnused, haveReadAgain } from "./secret-keys.ts";
import { insertSecret } from "./secrets.ts";

/**
 * Gives a new secret to every webhook whose current one is encrypted under a key that the keyring does not have, and deletes all
 * secrets under such keys. Delivery to those webhooks continues; their owners must fetch the new secret.
 *
 * @returns the ids of those webhooks
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
  await forgetUnused(pool, keyring.keyIds[0] ?? null);
  await haveReadAgain(pool);
  return replaced;
}
