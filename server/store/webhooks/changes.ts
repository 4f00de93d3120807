/** Changes and deletes webhooks; creation.ts creates them. Each function works inside the caller's transaction. */
import { assertMayChange } from "../accounts/may-change.ts";
import { assertFewHistories, assertMayWait } from "../chains/lanes.ts";
import type { Queryable } from "../pool.ts";
import { type SealedHeaders, writeHeaders } from "./secrets.ts";
import { lockWebhook, takeTurn } from "./watch-lock.ts";
import { getWebhook, type Webhook, type WebhookChange } from "./webhooks.ts";

/**
 * Changes a webhook of an account. A reactivated webhook is notified from its lane's next block on, though never from before its first
 * block: its lane may be behind the one it was created beside. If it now belongs in another lane, its lane's follower moves it there
 * (lanes.ts).
 *
 * @throws {ServiceError} `webhook_not_found`, `chain_not_followed`, `too_many_lanes`, `account_elsewhere`
 */
export async function updateWebhook(
  db: Queryable,
  accountId: number,
  id: string,
  change: WebhookChange & { headers?: SealedHeaders | null },
): Promise<Webhook> {
  const { url, maxPerSecond, headers, name, description, status, includeInternalTxs, includeLogs } = change;
  await assertMayChange(db, accountId);
  if (status !== undefined || includeInternalTxs !== undefined || includeLogs !== undefined) {
    const chainId = await takeTurn(db, accountId, id);
    const { webhook } = await lockWebhook(db, accountId, { id, chainId });
    await db.query(
      `UPDATE webhooks SET include_internal_txs = COALESCE($2, include_internal_txs), include_logs = COALESCE($3, include_logs)
       WHERE id = $1`,
      [id, includeInternalTxs ?? null, includeLogs ?? null],
    );
    if (status !== undefined && status !== webhook.status) await setStatus(db, id, status, webhook.nextBlock);
    if (includeInternalTxs || status === "active") await assertMayWait(db, accountId, webhook);
    if (includeInternalTxs) await assertFewHistories(db, accountId, { chainId, field: "includeInternalTxs" });
  }
  // Setting the url, even to the same value, makes the delivery processes read the webhook again.
  if (url !== undefined)
    await db.query("UPDATE webhooks SET url = $3 WHERE id = $1 AND account_id = $2", [id, accountId, url]);
  if (maxPerSecond !== undefined)
    await db.query("UPDATE webhooks SET max_per_second = NULLIF($3::smallint, 0) WHERE id = $1 AND account_id = $2", [
      ...[id, accountId, maxPerSecond],
    ]);
  // Written even where the names stay, so that the delivery processes read the values. It also locks the webhook for what follows.
  if (headers !== undefined) {
    const { rowCount } = await db.query("UPDATE webhooks SET header_names = $3 WHERE id = $1 AND account_id = $2", [
      ...[id, accountId, headers && [...headers.names]],
    ]);
    if (rowCount) await writeHeaders(db, id, headers);
  }
  if (name !== undefined || description !== undefined) {
    await db.query(
      `UPDATE webhooks SET name = COALESCE($3, name), description = COALESCE($4, description)
       WHERE id = $1 AND account_id = $2`,
      [id, accountId, name ?? null, description ?? null],
    );
  }
  return getWebhook(db, accountId, id);
}

async function setStatus(db: Queryable, id: string, status: Webhook["status"], firstBlock: number): Promise<void> {
  await db.query(
    `UPDATE webhooks SET status = $2, status_reason = 'requested', status_since = clock_timestamp(),
       effective_from_block = CASE $2 WHEN 'active' THEN GREATEST(effective_from_block, $3) ELSE effective_from_block END
     WHERE id = $1`,
    [id, status, firstBlock],
  );
}

/**
 * Deletes a webhook of an account. Its addresses and pending deliveries are removed later (removed-webhooks.ts).
 * Its notifications stay, unreachable, until their day is dropped.
 *
 * @returns its last state, made inactive
 * @throws {ServiceError} `webhook_not_found`, `chain_not_followed`, `account_elsewhere`
 */
export async function deleteWebhook(db: Queryable, accountId: number, id: string): Promise<Webhook> {
  const chainId = await takeTurn(db, accountId, id);
  await lockWebhook(db, accountId, { id, chainId });
  const last = await getWebhook(db, accountId, id);
  // Deleting would lock the shard's version, then the account, whose counts change. A rotation of the shared secret locks them in the
  // other order.
  await db.query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
  for (const table of ["endpoint_states", "passed_over", "exhausted"])
    await db.query(`DELETE FROM ${table} WHERE webhook_id = $1`, [id]);
  await db.query("DELETE FROM webhooks WHERE id = $1 AND account_id = $2", [id, accountId]);
  return { ...last, status: "inactive", statusReason: "requested", statusSince: Date.now() };
}
