/** Remembers the answer to a request with an Idempotency-Key, so that repeating the request has no further effect. */
import { idempotencyKeyReused, idempotentWebhookDeleted } from "../../base/errors.ts";
import { hashOfBody } from "../../base/hash-of-json.ts";
import { assertFewUsed } from "../../settings/limits.ts";
import type { Queryable } from "../pool.ts";

/** The answer to a creation. It must survive JSON. */
type Created = { body: { id: string } };

/** A request that the client may repeat. */
type RepeatableRequest = { accountId: number; key: string; body: unknown };

/**
 * Does the work and remembers its answer, or returns the answer that this key got within the last 24 hours. A concurrent
 * request with the same key waits until this transaction ends. Work that throws is not remembered.
 *
 * @param db inside the transaction of the work
 * @param work creates a webhook
 * @throws {ServiceError} `idempotency_key_reused` when the key came with another body; the order of its fields does not matter.
 * `idempotent_webhook_deleted` when the webhook was deleted, since the first answer shows it as active.
 * `over_quota` when the account has used too many keys
 */
export async function answerOnce<Answer extends Created>(
  db: Queryable,
  { accountId, key, body }: RepeatableRequest,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const hash = hashOfBody(body);
  const claimed = await db.query(
    `INSERT INTO idempotency_keys AS k (account_id, key, body_hash) VALUES ($1, $2, $3)
     ON CONFLICT (account_id, key) DO UPDATE SET body_hash = excluded.body_hash, answer = NULL, created_at = excluded.created_at
     WHERE k.created_at < now() - interval '24 hours'`,
    [accountId, key, hash],
  );
  if (claimed.rowCount) {
    await assertFewKeys(db, accountId);
    const answer = await work();
    await db.query("UPDATE idempotency_keys SET answer = $3 WHERE account_id = $1 AND key = $2", [
      accountId,
      key,
      JSON.stringify(answer),
    ]);
    return answer;
  }
  const { rows } = await db.query<{ body_hash: Buffer; answer: Answer }>(
    "SELECT body_hash, answer FROM idempotency_keys WHERE account_id = $1 AND key = $2",
    [accountId, key],
  );
  if (!rows[0]?.body_hash.equals(hash)) throw idempotencyKeyReused();
  const { answer } = rows[0];
  const { rowCount: exists } = await db.query("SELECT FROM webhooks WHERE id = $1", [answer.body.id]);
  if (!exists) throw idempotentWebhookDeleted();
  return answer;
}

/** Whether `answerOnce` has an answer to the request, or refuses it, without doing its work. */
export async function wasAnswered(
  db: Queryable,
  { accountId, key }: Omit<RepeatableRequest, "body">,
): Promise<boolean> {
  const { rowCount } = await db.query(
    "SELECT FROM idempotency_keys WHERE account_id = $1 AND key = $2 AND created_at >= now() - interval '24 hours'",
    [accountId, key],
  );
  return rowCount === 1;
}

/** Takes 1 ms for an account at its limit. */
async function assertFewKeys(db: Queryable, accountId: number): Promise<void> {
  const { rows } = await db.query<{ count: number }>(
    "SELECT count(*) FROM idempotency_keys WHERE account_id = $1 AND created_at > now() - interval '24 hours'",
    [accountId],
  );
  assertFewUsed(rows[0]?.count ?? 0);
}
