/** The backlogs of endpoints that could not take all of their notifications when the stream was read. */

import type { Queryable } from "../pool.ts";
import { attemptedLateral, type NotificationRow, notificationColumns } from "./feed.ts";

/** A page of a backlog. */
export type BacklogQuery = {
  webhookId: string;
  /** The first sequence to read. */
  from: number;
  /** Up to this position of the webhook's chain. */
  upTo: number;
  /** The maximum number of rows. */
  count: number;
};

export type BacklogRow = NotificationRow & { attempted: boolean };

/** @returns the pages' notifications by webhook, ordered by sequence. A page that is not full is the last one */
export async function readBacklogs(db: Queryable, pages: readonly BacklogQuery[]): Promise<Map<string, BacklogRow[]>> {
  const { rows } = await db.query<BacklogRow>({
    name: "read-backlogs",
    text: `SELECT ${notificationColumns}, a.attempted IS NOT NULL AS attempted
           FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::int[]) AS p(webhook_id, first, up_to, count)
           CROSS JOIN LATERAL (
             SELECT * FROM notifications
             -- What another cell sends has a position below 0. A backlog from an earlier stay can begin before it.
             WHERE webhook_id = p.webhook_id AND sequence >= p.first AND position > 0 AND position <= p.up_to
             ORDER BY sequence LIMIT p.count) n
           ${attemptedLateral}
           ORDER BY n.webhook_id, n.sequence`,
    values: [
      pages.map(({ webhookId }) => webhookId),
      pages.map(({ from }) => from),
      pages.map(({ upTo }) => upTo),
      pages.map(({ count }) => count),
    ],
  });
  const found = new Map<string, BacklogRow[]>(pages.map(({ webhookId }) => [webhookId, []]));
  for (const row of rows) found.get(row.webhookId)?.push(row);
  return found;
}

/** @returns the active webhooks of the shards that have a backlog */
export async function readBackloggedWebhooks(
  db: Queryable,
  shards: readonly number[],
): Promise<{ shard: number; webhookId: string }[]> {
  const { rows } = await db.query<{ shard: number; webhookId: string }>({
    name: "read-backlogged-webhooks",
    text: `SELECT s.shard, s.webhook_id AS "webhookId" FROM endpoint_states s JOIN webhooks w ON w.id = s.webhook_id
           WHERE s.shard = ANY($1::smallint[]) AND s.backlog_from IS NOT NULL AND w.status = 'active'`,
    values: [shards],
  });
  return rows;
}
