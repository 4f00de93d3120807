/** What an account's old cell still has to send. */
import { SHARDS } from "../delivery/shards.ts";
import type { Queryable } from "../pool.ts";

/**
 * Counts an account's notifications that no attempt has delivered and that will be attempted, in this cell. Of the sequences in a backlog, those
 * of an earlier stay elsewhere are another cell's to send.
 */
export async function countPending(db: Queryable, accountId: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `WITH own AS MATERIALIZED (SELECT id FROM webhooks WHERE account_id = $1)
     SELECT (SELECT count(*) FROM retries r JOIN own ON own.id = r.webhook_id WHERE due_at IS NOT NULL AND NOT delivered)
       + (SELECT count(*) FROM endpoint_states e JOIN own ON own.id = e.webhook_id
          JOIN notifications n ON n.webhook_id = e.webhook_id AND n.sequence >= e.backlog_from AND n.position > 0)
       + (SELECT count(*) FROM chains c CROSS JOIN unnest($2::smallint[]) s(shard)
          LEFT JOIN delivery_cursors d ON d.shard = s.shard AND d.chain_id = c.chain_id
          JOIN LATERAL (
            SELECT webhook_id, recorded_on, sequence FROM notifications
            WHERE shard = s.shard AND chain_id = c.chain_id AND position > COALESCE(d.position, 0) AND webhook_id IN (SELECT id FROM own)) n ON true
          LEFT JOIN endpoint_states e ON e.webhook_id = n.webhook_id
          WHERE n.sequence < COALESCE(e.backlog_from, n.sequence + 1)
            AND NOT EXISTS (SELECT FROM attempts a
              WHERE a.recorded_on = n.recorded_on AND a.webhook_id = n.webhook_id AND a.sequence = n.sequence)) AS count`,
    [accountId, Array.from({ length: SHARDS }, (_, shard) => shard)],
  );
  return Number(rows[0]?.count ?? 0);
}
