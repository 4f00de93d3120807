/** Counts what waits in a day that retention ends, so that nothing is deleted silently. */
import type pg from "pg";
import type { waits } from "../delivery/figures.ts";
import { within } from "../pool.ts";

/** Notifications of one day that no attempt has delivered, though one was still to be made. */
export type Undelivered = {
  /** As in `20261123`. */
  day: string;
  waitingFor: (typeof waits)[number];
  notifications: number;
  webhooks: number;
};

/** @param partition of the table notifications, quoted. What has failed for good is not counted, since its webhook's owner can see that. */
export async function countUndelivered(
  db: pg.ClientBase,
  partition: string,
  timeoutMs: number,
): Promise<Undelivered[]> {
  const { rows } = await db.query<Undelivered>(
    within(timeoutMs, {
      text: `SELECT $1 AS day, wait AS "waitingFor", count(*)::float8 AS notifications, count(DISTINCT webhook_id)::float8 AS webhooks
     FROM (
       SELECT n.webhook_id, CASE
         WHEN r.due_at IS NOT NULL AND NOT r.delivered THEN 'retry'
         WHEN n.sequence >= e.backlog_from THEN CASE w.status WHEN 'active' THEN 'endpoint' ELSE 'activation' END
         WHEN n.position > COALESCE(c.position, 0) AND r.webhook_id IS NULL THEN 'first_attempt'
       END AS wait
       FROM ${partition} n JOIN webhooks w ON w.id = n.webhook_id
       LEFT JOIN endpoint_states e ON e.webhook_id = n.webhook_id
       LEFT JOIN retries r ON r.webhook_id = n.webhook_id AND r.sequence = n.sequence
       LEFT JOIN delivery_cursors c ON c.shard = n.shard AND c.chain_id = n.chain_id) pending
     WHERE wait IS NOT NULL GROUP BY wait`,
      values: [partition.slice(-8)],
    }),
  );
  return rows;
}
