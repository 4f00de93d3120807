/**
 * Finds a webhook's notifications by status, ordered by sequence. A status is no column, since the outbox is append-only.
 * Pending and failed ones are found through delivery's own tables, so that a million delivered ones are not read. LATERAL makes the
 * planner look up attempts one by one, up to the limit; otherwise it hashes them all. Among a million notifications over 30 days a page
 * takes 1 to 15 ms. Pending ones behind 450,000 that failed permanently take 80 ms.
 *
 * What another cell recorded before the account moved is listed only if this one has sent it again (`isOnRecord`).
 */

import type { Queryable } from "../pool.ts";
import { isOnlyRead, isOnRecord, type NotificationPlace, type NotificationRecord } from "./notifications.ts";

/** A page: where its notifications are stored, and the sequence after which the next page starts; undefined on the last page. */
export type PlacePage = { places: NotificationPlace[]; next: number | undefined };

/** How many notifications a page examines at most when it must examine each. */
const lookedThrough = 10_000;

/** Finds at most `limit` notifications after the sequence `after`. The caller has checked that the webhook is the account's. */
export async function findNotifications(
  db: Queryable,
  webhookId: string,
  { status, after, limit }: { status?: NotificationRecord["status"] | undefined; after: number; limit: number },
): Promise<PlacePage> {
  const areOnlyRead = status !== undefined && (await hasFeedOnly(db, webhookId));
  if (areOnlyRead && status !== "delivered") return { places: [], next: undefined };
  if (status === "delivered" && !areOnlyRead) return findDelivered(db, webhookId, after, limit);
  const find = status === undefined || areOnlyRead ? findAny : status === "failed" ? findFailed : findPending;
  const found = await find(db, webhookId, after, limit + 1);
  const places = found.slice(0, limit);
  return { places, next: found.length > limit ? places.at(-1)?.sequence : undefined };
}

async function hasFeedOnly(db: Queryable, webhookId: string): Promise<boolean> {
  const { rows } = await db.query<{ is: boolean | null }>(`SELECT ${isOnlyRead("$1")} AS is`, [webhookId]);
  return rows[0]?.is ?? false;
}

type Find = (db: Queryable, webhookId: string, after: number, limit: number) => Promise<NotificationPlace[]>;

const findAny: Find = async (db, webhookId, after, limit) => {
  const { rows } = await db.query<NotificationPlace>(
    `SELECT recorded_on AS "recordedOn", sequence FROM notifications n
     WHERE webhook_id = $1 AND sequence > $2 AND ${isOnRecord} ORDER BY sequence LIMIT $3`,
    [webhookId, after, limit],
  );
  return rows;
};

const findFailed: Find = async (db, webhookId, after, limit) => {
  const { rows } = await db.query<NotificationPlace>(
    `SELECT recorded_on AS "recordedOn", sequence FROM retries
     WHERE webhook_id = $1 AND sequence > $2 AND due_at IS NULL ORDER BY sequence LIMIT $3`,
    [webhookId, after, limit],
  );
  return rows;
};

/** Without attempts are only notifications above the stream's cursor or in the backlog. The other pending ones are in `retries`. */
const findPending: Find = async (db, webhookId, after, limit) => {
  const { rows } = await db.query<NotificationPlace>(
    `(SELECT recorded_on AS "recordedOn", sequence FROM retries
      WHERE webhook_id = $1 AND sequence > $2 AND due_at IS NOT NULL AND NOT delivered ORDER BY sequence LIMIT $3)
     UNION ALL
     (SELECT n.recorded_on, n.sequence FROM notifications n LEFT JOIN LATERAL (
        SELECT true AS attempted FROM attempts a
        WHERE a.recorded_on = n.recorded_on AND a.webhook_id = $1 AND a.sequence = n.sequence LIMIT 1) a ON true
      WHERE n.webhook_id = $1 AND n.sequence > $2 AND n.sequence >= $4 AND n.position > 0 AND attempted IS NULL ORDER BY n.sequence LIMIT $3)
     ORDER BY sequence LIMIT $3`,
    [webhookId, after, limit, await firstUnattempted(db, webhookId)],
  );
  return rows;
};

/** @returns a sequence below which every notification of the webhook has been attempted */
async function firstUnattempted(db: Queryable, webhookId: string): Promise<number> {
  const { rows } = await db.query<{ sequence: number }>(
    `SELECT LEAST(
       (SELECT backlog_from FROM endpoint_states WHERE webhook_id = $1),
       COALESCE((
         SELECT n.sequence + 1 FROM notifications n
         WHERE n.webhook_id = $1 AND n.position > 0 AND n.position <= COALESCE((
           SELECT c.position FROM delivery_cursors c JOIN webhooks w ON c.shard = w.shard AND c.chain_id = w.chain_id
           WHERE w.id = $1), 0)
         ORDER BY n.sequence DESC LIMIT 1), 0)) AS sequence`,
    [webhookId],
  );
  return rows[0]?.sequence ?? 0;
}

/** Most are delivered, so the search goes one by one, up to a limit. */
async function findDelivered(db: Queryable, webhookId: string, after: number, limit: number): Promise<PlacePage> {
  const { rows } = await db.query<NotificationPlace & { last: number }>(
    `WITH candidate AS MATERIALIZED (
       SELECT recorded_on, sequence FROM notifications
       WHERE webhook_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $4)
     SELECT p.*, l.last FROM (SELECT CASE WHEN count(*) = $4 THEN max(sequence) END AS last FROM candidate) l
     LEFT JOIN (
       SELECT c.recorded_on AS "recordedOn", c.sequence FROM candidate c CROSS JOIN LATERAL (
         SELECT FROM attempts a
         WHERE a.recorded_on = c.recorded_on AND a.webhook_id = $1 AND a.sequence = c.sequence AND a.error_class IS NULL LIMIT 1) a
       ORDER BY c.sequence LIMIT $3) p ON true
     ORDER BY p.sequence`,
    [webhookId, after, limit + 1, lookedThrough],
  );
  const found = rows.filter(({ sequence }) => sequence !== null);
  const places = found.slice(0, limit);
  const next = found.length > limit ? places.at(-1)?.sequence : rows[0]?.last;
  return { places, next: next ?? undefined };
}
