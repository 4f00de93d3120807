/** What a delivery process sends again: notifications that were not accepted and are due. */
import type { Attempt } from "./attempts.ts";
import { type FeedRow, feedColumns } from "./delivery-feed.ts";
import type { Queryable } from "./pool.ts";

/** What was made of a notification before the attempt that is due, and what makes that one. */
export type AttemptsBefore = {
  attempts: number;
  /** How many of them the schedule made. */
  step: number;
  trigger: Attempt["trigger"];
};

/** A notification that is due again. */
export type DueRetry = FeedRow &
  AttemptsBefore & {
    /** When the attempt was due, in ms since the epoch by the database's clock. */
    dueAtMs: number;
  };

/** A webhook that was looked at, and what of it is due. */
export type RetryingWebhook = { shard: number; webhookId: string; due: DueRetry[] };

/**
 * Looks at the next webhooks that have retries, a few of each shard, however many retries one of them has: webhooks are found
 * by skipping from one to the next in the index.
 *
 * @param after for each shard the webhook looked at last; undefined to begin with the first
 * @param options.webhooks so many of a shard; one for which fewer come back is through
 * @param options.perWebhook at most so many retries of each
 * @returns webhooks in order; those that are not active have nothing due
 */
export async function readDueRetries(
  db: Queryable,
  after: readonly { shard: number; webhookId: string | undefined }[],
  { webhooks, perWebhook }: { webhooks: number; perWebhook: number },
): Promise<RetryingWebhook[]> {
  const { rows } = await db.query<DueRetry & { endpointShard: number; endpoint: string }>({
    name: "read-due-retries",
    text: `WITH RECURSIVE endpoint AS (
             SELECT first.*, 1 AS count FROM unnest($1::smallint[], $2::uuid[]) AS s(shard, after) CROSS JOIN LATERAL (
               SELECT shard, webhook_id FROM retries
               WHERE shard = s.shard AND webhook_id > COALESCE(s.after, '00000000-0000-0000-0000-000000000000') AND due_at IS NOT NULL
               ORDER BY webhook_id LIMIT 1) first
             UNION ALL
             SELECT next.*, e.count + 1 FROM endpoint e CROSS JOIN LATERAL (
               SELECT shard, webhook_id FROM retries
               WHERE shard = e.shard AND webhook_id > e.webhook_id AND due_at IS NOT NULL
               ORDER BY webhook_id LIMIT 1) next
             WHERE e.count < $3)
           SELECT e.shard AS "endpointShard", e.webhook_id AS endpoint, ${feedColumns}, r.attempts, r.step,
             COALESCE(r.extra, 'schedule') AS trigger, extract(epoch FROM r.due_at)::float8 * 1000 AS "dueAtMs"
           FROM endpoint e LEFT JOIN webhooks w ON w.id = e.webhook_id AND w.status = 'active'
           LEFT JOIN LATERAL (
             SELECT * FROM retries
             WHERE shard = e.shard AND webhook_id = w.id AND due_at <= clock_timestamp()
             ORDER BY due_at LIMIT $4) r ON true
           LEFT JOIN notifications n ON n.recorded_on = r.recorded_on AND n.webhook_id = r.webhook_id AND n.sequence = r.sequence
           ORDER BY e.shard, e.webhook_id, r.due_at`,
    values: [after.map(({ shard }) => shard), after.map(({ webhookId }) => webhookId), webhooks, perWebhook],
  });
  const found: RetryingWebhook[] = [];
  for (const { endpointShard, endpoint, ...row } of rows) {
    let last = found.at(-1);
    if (last?.webhookId !== endpoint) {
      last = { shard: endpointShard, webhookId: endpoint, due: [] };
      found.push(last);
    }
    if (row.webhookId) last.due.push(row);
  }
  return found;
}
