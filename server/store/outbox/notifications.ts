/** Reads a webhook's notifications with their outcomes. */
import type { components } from "../../../generated/types.ts";
import { notificationNotFound } from "../../base/errors.ts";
import type { WebhookOptions } from "../../matching/new-webhook.ts";
import { type AttemptRow, attemptColumns, toAttempt } from "../delivery/results.ts";
import type { Queryable } from "../pool.ts";

/** A notification's record. */
export type NotificationRecord = components["schemas"]["NotificationRecord"];

/** Where a notification is stored. */
export type NotificationPlace = { recordedOn: string; sequence: number };

type Row = {
  message_id: string;
  sequence: number;
  block_number: number;
  block_hash: string;
  transaction_hash: string;
  removed: boolean;
  finalized: boolean | null;
  recorded_at: Date;
  status: NotificationRecord["status"];
  due_at: Date | null;
} & (AttemptRow | { [Column in keyof AttemptRow]: null });

/** The condition that the webhook of an id is only read by its feed: being there, its notifications are delivered. */
export const isOnlyRead = (id: string) => `(SELECT url IS NULL FROM webhooks WHERE id = ${id})`;

/**
 * The condition that a notification `n` is on record here for clients: this cell recorded it, or has sent it again by a replay, or it is only
 * read. Of what else another cell recorded before the account moved, the outcome is known there only. Scalar subqueries, which the planner
 * never hashes, are run for positions below 0 alone.
 */
export const isOnRecord = `(n.position > 0
  OR ${isOnlyRead("n.webhook_id")}
  OR (SELECT true FROM retries WHERE webhook_id = n.webhook_id AND sequence = n.sequence)
  OR (SELECT true FROM attempts WHERE recorded_on = n.recorded_on AND webhook_id = n.webhook_id AND sequence = n.sequence LIMIT 1))`;

/** The condition that an event `e` says that it is final. A text that is long is stored outside its row, and only its beginning is read. */
const isFinalized = `left(e.body, 18) = '{"finalized":true,'`;

/** Finds a notification of a webhook. @throws {ServiceError} `notification_not_found` */
export async function findNotification(
  db: Queryable,
  webhookId: string,
  messageId: string,
): Promise<NotificationPlace & { eventId: number }> {
  // After its day was dropped, a messageId can be recorded again; use the newest.
  const { rows } = await db.query<NotificationPlace & { eventId: number }>(
    `SELECT recorded_on AS "recordedOn", sequence, event_id AS "eventId" FROM notifications n
     WHERE message_id = $2 AND webhook_id = $1 AND ${isOnRecord} ORDER BY sequence DESC LIMIT 1`,
    [webhookId, messageId],
  );
  if (!rows[0]) throw notificationNotFound(webhookId, messageId);
  return rows[0];
}

/** Reads the records of notifications of one webhook. @returns them ordered by sequence */
export async function readNotifications(
  db: Queryable,
  webhookId: string,
  places: readonly NotificationPlace[],
): Promise<NotificationRecord[]> {
  if (places.length === 0) return [];
  // The query names the days for every table, so that the planner skips all others.
  const { rows } = await db.query<Row>(
    `SELECT n.message_id, n.sequence, e.block_number, '0x' || encode(e.block_hash, 'hex') AS block_hash,
       '0x' || encode(e.transaction_hash, 'hex') AS transaction_hash, e.removed, n.recorded_at, r.due_at, a.*,
       (SELECT options -> 'finality' IS NOT NULL FROM webhooks WHERE id = $1) AND ${isFinalized} AS finalized,
       CASE WHEN ${isOnlyRead("$1")} OR (a.error_class IS NULL AND a.number IS NOT NULL) THEN 'delivered'
            WHEN EXISTS (SELECT FROM attempts s WHERE s.recorded_on = n.recorded_on AND s.webhook_id = $1
                         AND s.sequence = n.sequence AND s.recorded_on = ANY($2::date[]) AND s.error_class IS NULL) THEN 'delivered'
            WHEN r.webhook_id IS NOT NULL AND r.due_at IS NULL THEN 'failed'
            ELSE 'pending' END AS status
     FROM notifications n
     JOIN events e ON e.recorded_on = n.recorded_on AND e.id = n.event_id AND e.recorded_on = ANY($2::date[])
     LEFT JOIN retries r ON r.webhook_id = $1 AND r.sequence = n.sequence
     LEFT JOIN LATERAL (
       SELECT ${attemptColumns} FROM attempts a
       WHERE a.recorded_on = n.recorded_on AND a.webhook_id = $1 AND a.sequence = n.sequence AND a.recorded_on = ANY($2::date[])
       ORDER BY a.number DESC LIMIT 1) a ON true
     WHERE n.webhook_id = $1 AND n.recorded_on = ANY($2::date[]) AND n.sequence = ANY($3::bigint[])
     ORDER BY n.sequence`,
    [webhookId, [...new Set(places.map(({ recordedOn }) => recordedOn))], places.map(({ sequence }) => sequence)],
  );
  return rows.map(toNotificationRecord);
}

function toNotificationRecord(row: Row): NotificationRecord {
  return {
    messageId: row.message_id,
    sequence: row.sequence,
    blockNumber: String(row.block_number),
    blockHash: row.block_hash,
    txHash: row.transaction_hash,
    removed: row.removed,
    ...(row.finalized && { finalized: true }),
    recordedAt: row.recorded_at.getTime(),
    status: row.status,
    attemptCount: row.number ?? 0,
    ...(row.due_at && { nextAttemptAt: row.due_at.getTime() }),
    ...(row.number !== null && { lastAttempt: toAttempt(row) }),
  };
}

/** A notification's record, the text of its event as it is stored, what changes it where it is sent or shown, and every attempt. */
type NotificationDetail = {
  record: NotificationRecord;
  eventText: string;
  options: Pick<WebhookOptions, "abi" | "compatibility">;
  attempts: components["schemas"]["Attempt"][];
};

/** Reads a notification with its event and all its attempts. @throws {ServiceError} `notification_not_found` */
export async function readNotification(
  db: Queryable,
  webhookId: string,
  messageId: string,
): Promise<NotificationDetail> {
  const { recordedOn, sequence, eventId } = await findNotification(db, webhookId, messageId);
  const [record] = await readNotifications(db, webhookId, [{ recordedOn, sequence }]);
  const { rows } = await db.query<{ body: string; options: WebhookOptions | null }>(
    `SELECT body, (SELECT options FROM webhooks WHERE id = $3) AS options FROM events WHERE recorded_on = $1 AND id = $2`,
    [recordedOn, eventId, webhookId],
  );
  const attempts = await db.query<AttemptRow>(
    `SELECT ${attemptColumns} FROM attempts a
     WHERE a.recorded_on = $1 AND a.webhook_id = $2 AND a.sequence = $3 ORDER BY a.number`,
    [recordedOn, webhookId, sequence],
  );
  if (!record || !rows[0]) throw notificationNotFound(webhookId, messageId);
  return { record, eventText: rows[0].body, options: rows[0].options ?? {}, attempts: attempts.rows.map(toAttempt) };
}
