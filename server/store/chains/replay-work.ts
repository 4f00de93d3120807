/** Replays as the process that runs them sees them: one block a transaction, and the accounts take turns. */
import type { RecordedNotification } from "../outbox/block-history.ts";
import type { NotificationPlace } from "../outbox/notifications.ts";
import type { Queryable } from "../pool.ts";
import type { Watcher } from "../webhooks/watchers.ts";
import type { RecordRow } from "../webhooks/webhooks.ts";
import type { BlockId } from "./cursor.ts";

/** The next block of a replay. */
export type ReplayStep = {
  id: string;
  accountId: number;
  webhookId: string;
  block: number;
  /** How often this block has failed. */
  failures: number;
  /** Whether the webhook wants internal transactions. */
  traces: boolean;
  /** How far the webhook's lane is behind its head, in blocks. */
  lag: number;
  /** Whether that lane has recorded the block. It may not have if the webhook moved to a lane that still catches up. */
  followed: boolean;
};

/** Whose turn it is: the first account after `after`, wrapping around, that is not `busy`. */
type ReplayTurn = { after: number; busy: readonly number[] };

/**
 * Finds the next step of a chain's replays. It belongs to the account whose turn it is, and to the replay that has waited longest.
 * Accounts with nothing due are skipped.
 *
 * It costs one index lookup for each account with unfinished replays: 0.8 ms if one account has 100,000 and another ten,
 * 4 ms if 199 more have ten each.
 */
export async function nextReplayStep(
  db: Queryable,
  chainId: string,
  { after, busy }: ReplayTurn,
): Promise<ReplayStep | undefined> {
  const { rows } = await db.query<ReplayStep>({
    name: "next-replay-step",
    // now() instead of clock_timestamp(), which cannot be used to search the index.
    text: `WITH RECURSIVE accounts AS (
             SELECT min(account_id) AS id FROM replays WHERE chain_id = $1 AND status IN ('queued', 'running')
             UNION ALL
             SELECT (SELECT min(account_id) FROM replays
                     WHERE chain_id = $1 AND status IN ('queued', 'running') AND account_id > accounts.id)
             FROM accounts WHERE id IS NOT NULL
           )
           SELECT r.id, r.account_id AS "accountId", r.webhook_id AS "webhookId", r.next_block AS block, r.failures,
             w.include_internal_txs AS traces, COALESCE(l.head_number - l.cursor_number, 0) AS lag,
             r.next_block <= COALESCE(l.leaving_above, l.cursor_number - (l.owed_after IS NOT NULL)::int) AS followed
           FROM accounts a CROSS JOIN LATERAL (
             SELECT * FROM replays WHERE chain_id = $1 AND account_id = a.id AND status IN ('queued', 'running') AND due_at <= now()
             ORDER BY due_at LIMIT 1
           ) r JOIN webhooks w ON w.id = r.webhook_id JOIN chain_lanes l ON l.chain_id = w.chain_id AND l.lane = w.lane
           WHERE a.id <> ALL($3::bigint[])
           ORDER BY a.id <= $2, a.id LIMIT 1`,
    values: [chainId, after, busy],
  });
  return rows[0];
}

/** Tries the block again later, without a failure. */
export async function postponeReplay(db: Queryable, { id, block }: ReplayStep, pauseMs: number): Promise<void> {
  await db.query(
    `UPDATE replays SET due_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
     WHERE id = $1 AND next_block = $2 AND status IN ('queued', 'running')`,
    [id, block, pauseMs],
  );
}

/** Locks a replay for its next block until the transaction ends. @returns false if another process did the block, or the replay is gone */
export async function holdReplayStep(db: Queryable, { id, block }: ReplayStep): Promise<boolean> {
  const { rowCount } = await db.query(
    "SELECT FROM replays WHERE id = $1 AND next_block = $2 AND status IN ('queued', 'running') FOR UPDATE",
    [id, block],
  );
  return rowCount === 1;
}

/** Records that a locked replay's block is done. The last block finishes the replay. */
export async function noteReplayStep(
  db: Queryable,
  { id }: ReplayStep,
  { resent, added }: { resent: number; added: number },
): Promise<void> {
  await db.query(
    `UPDATE replays SET next_block = next_block + 1, resent = resent + $2, added = added + $3, failures = 0,
       due_at = clock_timestamp(), status = CASE WHEN next_block = to_block THEN 'done' ELSE 'running' END,
       finished_at = CASE WHEN next_block = to_block THEN clock_timestamp() END
     WHERE id = $1`,
    [id, resent, added],
  );
}

/** Records that a block failed. @param pauseMs when to retry; if undefined, the replay ends with `reason` */
export async function noteReplayFailure(
  db: Queryable,
  { id, block }: ReplayStep,
  { pauseMs, reason }: { pauseMs: number | undefined; reason: string },
): Promise<void> {
  await db.query(
    `UPDATE replays SET failures = failures + 1, due_at = clock_timestamp() + make_interval(secs => COALESCE($3::float8, 0) / 1000),
       status = CASE WHEN $3::float8 IS NULL THEN 'failed' ELSE status END,
       status_reason = CASE WHEN $3::float8 IS NULL THEN $4 END,
       finished_at = CASE WHEN $3::float8 IS NULL THEN clock_timestamp() END
     WHERE id = $1 AND next_block = $2 AND status IN ('queued', 'running')`,
    [id, block, pauseMs ?? null, reason],
  );
}

/** A webhook, the lane in which it is, and its version, which changes with whatever changes of it or of its addresses. */
type VersionedWatcher = Watcher & { lane: number; version: string };

/** A webhook for matching, whether active or not; undefined when it is gone or another cell records for it. */
export async function readWatcher(db: Queryable, webhookId: string): Promise<VersionedWatcher | undefined> {
  const { rows } = await db.query<
    Omit<VersionedWatcher, "eventSignatures" | "options"> & Pick<RecordRow, "signatures" | "options">
  >(
    `SELECT id, shard, lane, xmin::text AS version, include_internal_txs AS "includeInternalTxs", include_logs AS "includeLogs",
       COALESCE(matched_options, options) AS options,
       ARRAY(SELECT '0x' || encode(s, 'hex') FROM unnest(event_signatures) s) AS signatures
     FROM webhooks WHERE id = $1 AND lane IS NOT NULL`,
    [webhookId],
  );
  if (!rows[0]) return undefined;
  const { signatures, options, ...webhook } = rows[0];
  return { ...webhook, eventSignatures: new Set(signatures), ...(options && { options }) };
}

/**
 * @returns which of a block's participants the webhook watches now, from any block on. What a factory has created in the block or later is left
 *   out: the block's own log says from where on it is watched
 */
export async function watchedAmong(
  db: Queryable,
  webhookId: string,
  { number, participants }: { number: number; participants: readonly string[] },
): Promise<string[]> {
  const { rows } = await db.query<{ address: Buffer }>(
    `SELECT address FROM webhook_addresses
     WHERE webhook_id = $1 AND address = ANY($2::bytea[]) AND (created_in IS NULL OR created_in < $3)`,
    [webhookId, participants.map((address) => Buffer.from(address.slice(2), "hex")), number],
  );
  return rows.map(({ address }) => `0x${address.toString("hex")}`);
}

type WebhookNotification = NotificationPlace & Pick<RecordedNotification, "transactionHash" | "occurrence" | "removed">;

type BlockOfChain = BlockId & { chainId: string };

/** @returns the sequence of the webhook's newest notification */
export async function lastSequence(db: Queryable, webhookId: string): Promise<number> {
  const { rows } = await db.query<{ last: number }>(
    "SELECT last_sequence AS last FROM webhook_sequences WHERE webhook_id = $1",
    [webhookId],
  );
  return rows[0]?.last ?? 0;
}

/**
 * Whether the webhook was notified of the block after a sequence. It reads what this webhook was notified of since, and nothing of others: it is
 * called under the chain's lock, and a popular block has the notifications of all accounts.
 */
export async function notifiedSince(
  db: Queryable,
  webhookId: string,
  { chainId, number, hash }: BlockOfChain,
  sequence: number,
): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>({
    name: "notified-since",
    text: `SELECT EXISTS (
             SELECT FROM notifications n CROSS JOIN LATERAL (
               SELECT chain_id, block_number, block_hash FROM events WHERE id = n.event_id AND recorded_on = n.recorded_on OFFSET 0) e
             WHERE n.webhook_id = $1 AND n.sequence > $2
               AND e.chain_id = $3 AND e.block_number = $4 AND e.block_hash = decode(substr($5, 3), 'hex')) AS any`,
    values: [webhookId, sequence, chainId, number, hash],
  });
  return rows[0]?.any ?? false;
}

/**
 * @returns the webhook's notifications of a block, in chain order, those of a transaction from the first to the newest: all of them while
 *   `notifiedSince` finds none after `sequence`
 */
export async function notifiedBefore(
  db: Queryable,
  { webhookId, accountId }: ReplayStep,
  block: BlockOfChain,
): Promise<{ sequence: number; known: WebhookNotification[] }> {
  const sequence = await lastSequence(db, webhookId);
  const { rows } = await db.query<WebhookNotification>(
    `SELECT n.recorded_on AS "recordedOn", n.sequence, n.occurrence, e.removed,
       '0x' || encode(e.transaction_hash, 'hex') AS "transactionHash"
     FROM events e JOIN notifications n ON n.event_id = e.id AND n.recorded_on = e.recorded_on
     WHERE e.chain_id = $2 AND e.block_number = $3 AND e.block_hash = decode(substr($4, 3), 'hex') AND n.webhook_id = $1
       AND e.apart_account IN (0, $5)
     ORDER BY e.transaction_index, n.sequence`,
    [webhookId, block.chainId, block.number, block.hash, accountId],
  );
  return { sequence, known: rows };
}
