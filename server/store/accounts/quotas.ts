/**
 * Quotas of accounts. Checking one locks the account's row until the transaction ends, so that of two concurrent creations the second
 * counts the first. This lock is the last one taken, after those of the chain and the webhook.
 */
import { ServiceError } from "../../base/errors.ts";
import { assertFits, assertHistoryFits, type HistoryUse, type Quotas } from "../../settings/limits.ts";
import type { Queryable } from "../pool.ts";
import { accountElsewhere, type MoveState } from "./may-change.ts";

/** An account, its usage and its quotas; null for the configured default. */
type AccountUse = {
  account: string;
  /** What every key of the account begins with, after `cwk_`. */
  tag: string;
  webhooks: number;
  addresses: number;
  webhookQuota: number | null;
  addressQuota: number | null;
  anyAddressQuota: number | null;
  historyQuota: number | null;
  moveState: MoveState | null;
};

/** An account's row: its usage, and its own quotas. */
export type AccountRow = {
  webhooks: number;
  addresses: number;
  webhook_quota: number | null;
  address_quota: number | null;
};

/** The columns of an `AccountRow`. Triggers keep the counts. */
export const accountColumns = "webhooks, addresses, webhook_quota, address_quota";

/** An account's own quotas of webhooks and addresses, or those for accounts without. */
export function ofAccount({ webhook_quota, address_quota }: AccountRow, { webhooks, addresses }: Quotas) {
  return { webhooks: webhook_quota ?? webhooks, addresses: address_quota ?? addresses };
}

/**
 * Throws if the account now exceeds a quota, which rolls its transaction back.
 *
 * @param quotas for accounts without their own
 * @throws {ServiceError} `over_quota`
 */
export async function assertWithinQuotas(db: Queryable, accountId: number, quotas: Quotas): Promise<void> {
  const { rows } = await db.query<AccountRow>(
    `SELECT ${accountColumns} FROM accounts WHERE id = $1 FOR NO KEY UPDATE`,
    [accountId],
  );
  for (const row of rows) assertFits(row, ofAccount(row, quotas));
}

/**
 * Call it after the account's row is locked, in the transaction that created a webhook with `anyAddress`; or, with one `more` than it has,
 * to see whether it may create another.
 *
 * @throws {ServiceError} `over_quota`
 */
export async function assertMayWatchAny(db: Queryable, accountId: number, quotas: Quotas, more = 0): Promise<void> {
  const { rows } = await db.query<{ has: number; quota: number | null }>(
    `SELECT any_address_quota AS quota,
       (SELECT count(*) FROM webhooks w WHERE w.account_id = a.id AND w.options ->> 'anyAddress' = 'true') AS has
     FROM accounts a WHERE id = $1`,
    [accountId],
  );
  const { has = 0, quota = null } = rows[0] ?? {};
  const most = quota ?? quotas.anyAddress ?? 0;
  if (Number(has) + more <= most) return;
  const may = most === 0 ? "no webhook" : `at most ${most.toLocaleString("en")} ${most === 1 ? "webhook" : "webhooks"}`;
  throw new ServiceError(
    "over_quota",
    `metadata.anyAddress must be allowed by the operator: the account may have ${may} with it.`,
  );
}

/**
 * Call it after the account's row is locked, in the transaction that created a webhook with conditions.
 *
 * @throws {ServiceError} `over_quota`
 */
export async function assertMayCompare(db: Queryable, accountId: number, { comparisons: most }: Quotas): Promise<void> {
  if (most === undefined) return;
  const { rows } = await db.query<{ has: string }>(
    "SELECT COALESCE(sum(comparisons), 0) AS has FROM webhooks WHERE account_id = $1 AND comparisons > 0",
    [accountId],
  );
  if (Number(rows[0]?.has) <= most) return;
  throw new ServiceError(
    "over_quota",
    `metadata.conditions must leave the account with at most ${most.toLocaleString("en")} comparisons in all its webhooks; remove some, or ask the operator for more.`,
  );
}

/**
 * Call it after the account's row is locked, in the transaction that created a webhook with an ABI.
 *
 * @throws {ServiceError} `over_quota`
 */
export async function assertMayDecode(db: Queryable, accountId: number, { abiBytes: most }: Quotas): Promise<void> {
  if (most === undefined) return;
  const { rows } = await db.query<{ has: string }>(
    "SELECT COALESCE(sum(abi_bytes), 0) AS has FROM webhooks WHERE account_id = $1 AND abi_bytes > 0",
    [accountId],
  );
  if (Number(rows[0]?.has) <= most) return;
  throw new ServiceError(
    "over_quota",
    `metadata.abi must leave the account with at most ${most.toLocaleString("en")} bytes of events in all its webhooks; remove some, or ask the operator for more.`,
  );
}

/**
 * Call it before a replay is created, in its transaction.
 *
 * @param blocks how many it will read @throws {ServiceError} `over_quota`
 */
export async function assertMayReadPast(
  db: Queryable,
  accountId: number,
  blocks: number,
  quotas: Quotas | undefined,
): Promise<void> {
  const { rows } = await db.query<{ quota: number | null }>(
    "SELECT history_quota AS quota FROM accounts WHERE id = $1",
    [accountId],
  );
  const quota = rows[0]?.quota ?? quotas?.historyBlocks;
  if (quota === undefined) return;
  await db.query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
  assertHistoryFits(blocks, await historyBlocksUsed(db, accountId), quota);
}

/**
 * Takes what a webhook that starts in the past will read, in the transaction that creates it. Deleting the webhook gives nothing back.
 *
 * @throws {ServiceError} `over_quota`
 */
export async function takePast(
  db: Queryable,
  accountId: number,
  blocks: number,
  quotas: Quotas | undefined,
): Promise<void> {
  await assertMayReadPast(db, accountId, blocks, quotas);
  await db.query("INSERT INTO history_used (account_id, created_at, blocks) VALUES ($1, clock_timestamp(), $2)", [
    accountId,
    blocks,
  ]);
}

/**
 * What an account has taken of its quota of blocks within 24 hours, the oldest first. A replay takes all its blocks when it is created. One that
 * ended early took those that it went through. To the minute, so that many replays of a block each are few rows.
 */
export async function historyBlocksUsed(db: Queryable, accountId: number): Promise<HistoryUse[]> {
  const { rows } = await db.query<HistoryUse>(
    `SELECT sum(blocks)::bigint AS blocks, max(created_at) AS "createdAt" FROM (${historyUsed("$1")}) used GROUP BY date_trunc('minute', created_at) ORDER BY max(created_at)`,
    [accountId],
  );
  return rows;
}

/** Selects what an account has taken of its quota of blocks within 24 hours, and when. */
export const historyUsed = (accountId: string) => `
  SELECT created_at, CASE WHEN status IN ('queued', 'running') THEN to_block + 1 ELSE next_block END - from_block AS blocks
  FROM replays WHERE account_id = ${accountId} AND created_at > now() - interval '1 day'
  UNION ALL
  SELECT created_at, blocks FROM history_used WHERE account_id = ${accountId} AND created_at > now() - interval '1 day'`;

/** Lists accounts by name, with their usage. */
export async function listAccounts(db: Queryable): Promise<AccountUse[]> {
  const { rows } = await db.query<AccountUse>(
    `SELECT name AS account, tag, webhooks, addresses, webhook_quota AS "webhookQuota", address_quota AS "addressQuota",
       any_address_quota AS "anyAddressQuota", history_quota AS "historyQuota",
       move_state AS "moveState"
     FROM accounts ORDER BY name`,
  );
  return rows;
}

/**
 * Sets an account's quotas for future creations. It never removes anything.
 *
 * @param change null for the configured default; an omitted quota stays
 * @throws {ServiceError} `account_not_found`, `account_elsewhere`
 */
export async function setQuotas(
  db: Queryable,
  account: string,
  change: {
    webhooks?: number | null;
    addresses?: number | null;
    anyAddress?: number | null;
    historyBlocks?: number | null;
  },
): Promise<void> {
  const { rowCount } = await db.query(
    `UPDATE accounts SET webhook_quota = CASE WHEN $2 THEN $3 ELSE webhook_quota END,
       address_quota = CASE WHEN $4 THEN $5 ELSE address_quota END,
       any_address_quota = CASE WHEN $6 THEN $7 ELSE any_address_quota END,
       history_quota = CASE WHEN $8 THEN $9 ELSE history_quota END
     WHERE name = $1 AND move_state IS NULL`,
    [
      account,
      change.webhooks !== undefined,
      change.webhooks ?? null,
      change.addresses !== undefined,
      change.addresses ?? null,
      change.anyAddress !== undefined,
      change.anyAddress ?? null,
      change.historyBlocks !== undefined,
      change.historyBlocks ?? null,
    ],
  );
  if (rowCount) return;
  const { rows } = await db.query<{ move_state: MoveState | null }>("SELECT move_state FROM accounts WHERE name = $1", [
    account,
  ]);
  if (rows[0]) throw accountElsewhere(rows[0].move_state ?? "leaving");
  throw new ServiceError("account_not_found", `There is no account ${account}.`);
}
