/** Requests one more attempt of notifications, in addition to their schedule. */

import { webhookNotFound } from "../../base/errors.ts";
import { assertMayChange } from "../accounts/may-change.ts";
import type { Attempt } from "../delivery/results.ts";
import type { Queryable } from "../pool.ts";
import type { NotificationPlace } from "./notifications.ts";

/**
 * Requests one more attempt of notifications of one webhook as soon as possible, inside the caller's transaction. For one that waits
 * for its first attempt this changes nothing. One that came from another cell had its first attempt there.
 *
 * @param trigger recorded with the attempts
 */
export async function requestResends(
  db: Queryable,
  webhook: { id: string; shard: number },
  trigger: Exclude<Attempt["trigger"], "schedule">,
  places: readonly NotificationPlace[],
): Promise<void> {
  if (places.length === 0) return;
  const { rows } = await db.query<{ sequence: number }>(
    `INSERT INTO retries (shard, account_id, webhook_id, sequence, recorded_on, attempts, due_at, extra)
     SELECT $2, (SELECT account_id FROM webhooks WHERE id = $1), $1, p.sequence, p.recorded_on, 1, clock_timestamp(), $3
     FROM unnest($4::bigint[], $5::date[]) AS p(sequence, recorded_on)
     WHERE EXISTS (SELECT FROM attempts a
       WHERE a.recorded_on = p.recorded_on AND a.webhook_id = $1 AND a.sequence = p.sequence)
       OR EXISTS (SELECT FROM notifications n
         WHERE n.recorded_on = p.recorded_on AND n.webhook_id = $1 AND n.sequence = p.sequence AND n.position < 0)
     ORDER BY p.sequence
     ON CONFLICT (webhook_id, sequence) DO UPDATE SET
       resume_at = CASE WHEN retries.extra IS NULL THEN retries.due_at ELSE retries.resume_at END,
       -- Never later than it was: of an ordered webhook, the ones behind it could be due before it.
       due_at = least(retries.due_at, EXCLUDED.due_at), extra = EXCLUDED.extra
     RETURNING sequence`,
    [
      ...[webhook.id, webhook.shard, trigger],
      places.map(({ sequence }) => sequence),
      places.map(({ recordedOn }) => recordedOn),
    ],
  );
  // Counted while the rows are locked: an attempt that was in flight has ended by now, recorded or not.
  await db.query(
    `UPDATE retries r SET attempts = a.count, delivered = a.delivered
     FROM (SELECT sequence, max(number) AS count, bool_or(error_class IS NULL) AS delivered FROM attempts
           WHERE webhook_id = $1 AND sequence = ANY($2::bigint[]) AND recorded_on = ANY($3::date[]) GROUP BY sequence) a
     WHERE r.webhook_id = $1 AND r.sequence = a.sequence`,
    [webhook.id, rows.map(({ sequence }) => sequence), [...new Set(places.map(({ recordedOn }) => recordedOn))]],
  );
}

/**
 * Keeps an account's webhook, and its account here, until the transaction ends.
 *
 * @throws {ServiceError} `webhook_not_found`, `account_elsewhere`
 */
export async function holdWebhook(
  db: Queryable,
  accountId: number,
  id: string,
): Promise<{ id: string; shard: number; chainId: string; url?: string }> {
  await assertMayChange(db, accountId);
  const { rows } = await db.query<{ id: string; shard: number; chainId: string; url: string | null }>(
    `SELECT id, shard, chain_id AS "chainId", url FROM webhooks WHERE id = $1 AND account_id = $2 AND chain_id <> 'operational'
     FOR KEY SHARE`,
    [id, accountId],
  );
  if (!rows[0]) throw webhookNotFound(id);
  const { url, ...webhook } = rows[0];
  return { ...webhook, ...(url !== null && { url }) };
}
