/** Reads webhooks. An account sees only its own. */
import { webhookNotFound } from "../../base/errors.ts";
import { shownAddresses } from "../../settings/limits.ts";
import type { Queryable } from "../pool.ts";
import { type RecordRow, recordColumns, toRecord, type Webhook } from "./record.ts";

/** A position in the list of webhooks, newest first. */
export type ListPosition = { createdAt: Date; id: string };

/** Reads a webhook of an account. @throws {ServiceError} `webhook_not_found` */
export async function getWebhook(db: Queryable, accountId: number, id: string): Promise<Webhook> {
  const { rows } = await db.query<RecordRow>(
    `SELECT ${recordColumns(shownAddresses)} FROM webhooks w WHERE w.id = $1 AND w.account_id = $2`,
    [id, accountId],
  );
  if (!rows[0]) throw webhookNotFound(id);
  return toRecord(rows[0]);
}

/**
 * Lists an account's webhooks, newest first.
 *
 * @param options.addresses the maximum number of addresses of each
 * @returns at most `limit` webhooks, those after `after`
 */
export async function listWebhooks(
  db: Queryable,
  accountId: number,
  options: {
    limit: number;
    addresses: number;
    status?: Webhook["status"] | undefined;
    after?: ListPosition | undefined;
  },
): Promise<Webhook[]> {
  const { rows } = await db.query<RecordRow>(
    `SELECT ${recordColumns(options.addresses)} FROM webhooks w
     WHERE w.account_id = $1 AND ($2::text IS NULL OR w.status = $2)
       AND ($3::timestamptz IS NULL OR (w.created_at, w.id) < ($3, $4))
     ORDER BY w.created_at DESC, w.id DESC LIMIT $5`,
    [accountId, options.status ?? null, options.after?.createdAt ?? null, options.after?.id ?? null, options.limit],
  );
  return rows.map(toRecord);
}

/** @throws {ServiceError} `webhook_not_found` unless the webhook is the account's */
export async function assertWebhook(db: Queryable, accountId: number, id: string): Promise<void> {
  const { rowCount } = await db.query("SELECT FROM webhooks WHERE id = $1 AND account_id = $2", [id, accountId]);
  if (!rowCount) throw webhookNotFound(id);
}
