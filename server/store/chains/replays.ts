/** Replays: ranges of blocks to notify a webhook of again. */
import { randomUUID } from "node:crypto";
import type { components } from "../../../generated/types.ts";
import { replayNotFound } from "../../base/errors.ts";
import {
  assertFewCreated,
  assertFewReplays,
  assertFollowed,
  assertNotEarlier,
  type Quotas,
  type ReplayRange,
} from "../../settings/limits.ts";
import { assertMayChange } from "../accounts/may-change.ts";
import { assertMayReadPast } from "../accounts/quotas.ts";
import { holdWebhook } from "../outbox/resends.ts";
import { type Queryable, within } from "../pool.ts";
import { assertWebhook } from "../webhooks/webhooks.ts";

/** A replay, as the contract describes it. */
type Replay = components["schemas"]["Replay"];

type Row = {
  id: string;
  webhook_id: string;
  status: Replay["status"];
  status_reason: string | null;
  from_block: number;
  to_block: number;
  next_block: number;
  resent: number;
  added: number;
  blocks_per_second: number | null;
  failures: number;
  created_at: Date;
  finished_at: Date | null;
};

const columns =
  "id, webhook_id, status, status_reason, from_block, to_block, next_block, resent, added, blocks_per_second, failures, created_at, finished_at";

/**
 * Queues a replay of an account's webhook, inside the caller's transaction.
 *
 * @param quotas for accounts without their own
 * @throws {ServiceError} `webhook_not_found`, `replay_out_of_range`, `too_many_replays`, `over_quota`
 */
export async function createReplay(
  db: Queryable,
  accountId: number,
  webhookId: string,
  range: ReplayRange,
  quotas?: Quotas,
): Promise<Replay> {
  const { from, to } = range;
  await assertMayChange(db, accountId);
  const created = await countReplays(db, accountId, webhookId);
  const { chainId } = await holdWebhook(db, accountId, webhookId);
  const chain = await db.query<{ followed: number | null; effectiveFrom: number }>(
    `SELECT cursor_number - (owed_after IS NOT NULL)::int AS followed, effective_from_block AS "effectiveFrom"
     FROM chain_lanes JOIN webhooks USING (chain_id, lane) WHERE id = $1`,
    [webhookId],
  );
  assertFollowed(to, chain.rows[0]?.followed ?? -1, chainId);
  assertNotEarlier(range, chain.rows[0]?.effectiveFrom ?? 0);
  assertFewReplays(created.unfinished);
  assertFewCreated(created.today);
  const replay = { id: randomUUID(), webhookId, chainId, from: Number(from), to: Number(to) };
  return queueReplay(db, accountId, replay, quotas);
}

/** How many replays a webhook has in progress, and how many its account has created within a day. */
type ReplayCounts = { unfinished: number; today: number };

/**
 * Counts replays until the transaction ends: of each webhook one is created at a time, so that its limit holds. Call it before the chain's and the
 * webhook's lock, since a webhook may have thousands that have ended.
 */
export async function countReplays(db: Queryable, accountId: number, webhookId: string): Promise<ReplayCounts> {
  await db.query("SELECT pg_advisory_xact_lock(hashtextextended('chain-webhooks replays ' || $1, 0))", [webhookId]);
  const { rows } = await db.query<ReplayCounts>(
    `SELECT (SELECT count(*) FROM replays WHERE webhook_id = $1 AND status IN ('queued', 'running')) AS unfinished,
       (SELECT count(*) FROM replays WHERE account_id = $2 AND created_at > now() - interval '1 day') AS today`,
    [webhookId, accountId],
  );
  return rows[0] ?? { unfinished: 0, today: 0 };
}

type NewReplay = { id: string; webhookId: string; chainId: string; from: number; to: number };

/**
 * Writes a replay that may be created, and takes its blocks of the account's quota.
 *
 * @param replay.ofAdded whether it matches only the addresses that name it, and sends nothing again
 * @throws {ServiceError} `over_quota`
 */
export async function queueReplay(
  db: Queryable,
  accountId: number,
  { id, webhookId, chainId, from, to, ofAdded = false }: NewReplay & { ofAdded?: boolean },
  quotas: Quotas | undefined,
): Promise<Replay> {
  await assertMayReadPast(db, accountId, to - from + 1, quotas);
  const { rows } = await db.query<Row>(
    `INSERT INTO replays (id, account_id, webhook_id, chain_id, from_block, to_block, next_block, of_added, resends)
     VALUES ($1, $6, $2, $3, $4, $5, $4, $7, NOT $7) RETURNING ${columns}`,
    [id, webhookId, chainId, from, to, accountId, ofAdded],
  );
  if (!rows[0]) throw new Error("the replay was not written");
  return toReplay(rows[0]);
}

/** Reads a replay of an account's webhook. @throws {ServiceError} `webhook_not_found`, `replay_not_found` */
export async function getReplay(db: Queryable, accountId: number, webhookId: string, id: string): Promise<Replay> {
  await assertWebhook(db, accountId, webhookId);
  const { rows } = await db.query<Row>(`SELECT ${columns} FROM replays WHERE id = $1 AND webhook_id = $2`, [
    id,
    webhookId,
  ]);
  if (!rows[0]) throw replayNotFound(webhookId, id);
  return toReplay(rows[0]);
}

/**
 * Ends a replay of an account's webhook, unless it has ended by itself, inside the caller's transaction. A step in flight locks the row before
 * it records anything: either it is done by now, or it finds the replay cancelled.
 *
 * @throws {ServiceError} `webhook_not_found`, `replay_not_found`, `account_elsewhere`
 */
export async function cancelReplay(db: Queryable, accountId: number, webhookId: string, id: string): Promise<Replay> {
  await holdWebhook(db, accountId, webhookId);
  await db.query(
    `UPDATE replays SET status = 'cancelled', finished_at = clock_timestamp()
     WHERE id = $1 AND webhook_id = $2 AND status IN ('queued', 'running')`,
    [id, webhookId],
  );
  return getReplay(db, accountId, webhookId, id);
}

const patienceMs = 5_000;

/** @returns how many replays are queued and how many run, on each chain that has any */
export async function readReplayCounts(db: Queryable): Promise<Map<string, { queued: number; running: number }>> {
  const { rows } = await db.query<{ chainId: string; queued: number; running: number }>(
    within(patienceMs, {
      name: "replay-counts",
      text: `SELECT chain_id AS "chainId", count(*) FILTER (WHERE status = 'queued') AS queued,
               count(*) FILTER (WHERE status = 'running') AS running
             FROM replays WHERE status IN ('queued', 'running') GROUP BY chain_id`,
    }),
  );
  return new Map(rows.map(({ chainId, ...counts }) => [chainId, counts]));
}

function toReplay(row: Row): Replay {
  // Of one that stands still it is not known.
  const pace = row.status === "running" && row.failures === 0 ? row.blocks_per_second : null;
  return {
    id: row.id,
    webhookId: row.webhook_id,
    status: row.status,
    ...(row.status_reason !== null && { statusReason: row.status_reason }),
    fromBlock: String(row.from_block),
    toBlock: String(row.to_block),
    ...(row.next_block > row.from_block && { currentBlock: String(row.next_block - 1) }),
    resentCount: row.resent,
    addedCount: row.added,
    ...(pace !== null && {
      blocksPerSecond: Math.round(pace),
      finishesAt: Math.round(Date.now() + ((row.to_block + 1 - row.next_block) / pace) * 1_000),
    }),
    createdAt: row.created_at.getTime(),
    ...(row.finished_at && { finishedAt: row.finished_at.getTime() }),
  };
}
