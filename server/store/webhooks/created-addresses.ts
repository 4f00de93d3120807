/**
 * The contracts that factories create, added to what webhooks watch. The recorder does it in the transaction that records the block, so a webhook
 * has exactly the contracts of the blocks that its lane has recorded.
 */

import { maxAddresses } from "../../settings/limits.ts";
import type { LaneId } from "../chains/cursor.ts";
import { firstBlock as firstUnrecorded } from "../chains/lock.ts";
import type { Queryable } from "../pool.ts";
import { dateAddition, takeAddition } from "./addresses.ts";

/** What factories created in a block, and the webhooks that watch their contracts. */
export type CreatedIn = readonly { webhookIds: readonly string[]; addresses: readonly string[] }[];

type CreatedBlock = { chainId: string; number: number; recordedUpTo: number };

/** What is named, whether it is watched already or not. 10,000 rows take 0.2 s, for which the chain's next block waits. */
const mostABlock = 10_000;

/** Why a webhook became inactive whose contracts did not fit. */
const reached = "address_quota_reached";

type Full = { id: string; accountId: number; addresses: number; ofAccount: number; quota: number | null };

/**
 * Adds a block's contracts to the addresses of their webhooks. Where they do not fit, into the account's quota, a million for the webhook, or
 * 10,000 an account and block, none of the webhook's is added, and it becomes inactive: it never watches less than it says.
 *
 * @param block.recordedUpTo the last block of the step
 * @param addressQuota for accounts without their own; without it none applies
 * @returns the webhooks that became inactive
 */
export async function addCreated(
  db: Queryable,
  created: CreatedIn,
  { chainId, number, recordedUpTo }: CreatedBlock,
  addressQuota: number | undefined,
): Promise<ReadonlySet<string>> {
  const wanted = new Map<string, ReadonlySet<string>>();
  for (const { webhookIds, addresses } of created) {
    // Thousands of webhooks may have one factory, and share its contracts.
    const contracts = new Set(addresses);
    for (const id of webhookIds) {
      const before = wanted.get(id);
      wanted.set(id, before ? new Set([...before, ...contracts]) : contracts);
    }
  }
  const stopped = new Set<string>();
  const named = new Map<number, number>();
  const webhooks = (await readWebhooks(db, [...wanted.keys()])).filter(({ id, accountId }) => {
    const total = (named.get(accountId) ?? 0) + (wanted.get(id)?.size ?? 0);
    if (total > mostABlock) stopped.add(id);
    else named.set(accountId, total);
    return !stopped.has(id);
  });
  const pairs = webhooks.flatMap(({ id }) => [...(wanted.get(id) ?? [])].map((address) => ({ id, address })));
  const unwatched = await withoutWatched(db, chainId, pairs);
  const used = new Map<number, number>();
  for (const { id, accountId, addresses, ofAccount, quota } of webhooks) {
    const count = unwatched.get(id)?.length ?? 0;
    const total = (used.get(accountId) ?? ofAccount) + count;
    if (count > 0 && (total > (quota ?? addressQuota ?? total) || addresses + count > maxAddresses)) stopped.add(id);
    else used.set(accountId, total);
  }
  for (const id of stopped) unwatched.delete(id);
  if (unwatched.size > 0) await insert(db, unwatched, { chainId, number, recordedUpTo });
  if (stopped.size > 0)
    await db.query(
      `UPDATE webhooks SET status = 'inactive', status_reason = $2, status_since = clock_timestamp() WHERE id = ANY($1::uuid[])`,
      [[...stopped], reached],
    );
  return stopped;
}

/** One whose contracts did not fit gets no more, until it is active again. */
async function readWebhooks(db: Queryable, ids: readonly string[]): Promise<Full[]> {
  const { rows } = await db.query<Full>(
    `SELECT w.id, w.account_id AS "accountId", w.address_count AS addresses, a.addresses AS "ofAccount", a.address_quota AS quota
     FROM webhooks w JOIN accounts a ON a.id = w.account_id
     WHERE w.id = ANY($1::uuid[]) AND NOT (w.status = 'inactive' AND w.status_reason = $2) ORDER BY w.id FOR NO KEY UPDATE OF w`,
    [ids, reached],
  );
  return rows;
}

async function withoutWatched(
  db: Queryable,
  chainId: string,
  pairs: readonly { id: string; address: string }[],
): Promise<Map<string, string[]>> {
  const { rows } = await db.query<{ id: string; addresses: string[] }>(
    `SELECT n.id, array_agg(n.address) AS addresses FROM unnest($2::uuid[], $3::text[]) AS n(id, address)
     WHERE NOT EXISTS (SELECT FROM webhook_addresses w
       WHERE w.chain_id = $1 AND w.address = decode(substr(n.address, 3), 'hex') AND w.webhook_id = n.id)
     GROUP BY n.id`,
    [chainId, pairs.map(({ id }) => id), pairs.map(({ address }) => address)],
  );
  return new Map(rows.map(({ id, addresses }) => [id, addresses]));
}

async function insert(
  db: Queryable,
  added: ReadonlyMap<string, readonly string[]>,
  { chainId, number, recordedUpTo }: CreatedBlock,
): Promise<void> {
  // Filters find the rows by their addition (watch-filter.ts).
  const addition = await takeAddition(db);
  const { rows: cursors } = await db.query<{ first_block: number | null }>(firstUnrecorded("$1"), [chainId]);
  const firstBlock = Math.max(cursors[0]?.first_block ?? 0, recordedUpTo + 1);
  // For whoever adds the contract by hand, too, while a history is far behind the other lanes.
  await dateAddition(db, addition, { chainId, firstBlock, watchedFrom: number });
  const { rows } = await db.query<{ id: string; count: number }>(
    `WITH inserted AS (
       INSERT INTO webhook_addresses (chain_id, address, webhook_id, addition, created_in)
       SELECT $1, decode(substr(n.address, 3), 'hex'), n.webhook_id, $2, $3 FROM unnest($4::uuid[], $5::text[]) AS n(webhook_id, address)
       ON CONFLICT DO NOTHING RETURNING webhook_id)
     SELECT webhook_id AS id, count(*) AS count FROM inserted GROUP BY webhook_id`,
    [
      ...[chainId, addition, number],
      [...added].flatMap(([id, addresses]) => addresses.map(() => id)),
      [...added.values()].flat(),
    ],
  );
  await count(db, rows);
}

/** Selects what factories of the lane created above a block, by webhook: of other lanes it may be millions. */
const createdAbove = `(
  SELECT id, account_id FROM webhooks
  WHERE chain_id = $1 AND lane = $2 AND (options -> 'createdBy' ->> 'address') IS NOT NULL OFFSET 0) w
  CROSS JOIN LATERAL (SELECT address, webhook_id FROM webhook_addresses WHERE webhook_id = w.id AND created_in > $3 OFFSET 0) a`;

/** @returns the accounts whose factories in the lane created more than so many contracts above a block */
export async function accountsCreatingMany(
  db: Queryable,
  { chainId, lane }: LaneId,
  { above, most }: { above: number; most: number },
): Promise<number[]> {
  const { rows } = await db.query<{ account: number }>(
    `SELECT w.account_id AS account FROM ${createdAbove} GROUP BY 1 HAVING count(*) > $4`,
    [chainId, lane, above, most],
  );
  return rows.map(({ account }) => account);
}

/**
 * Stops watching what factories created in blocks that leave a lane's record.
 *
 * @param options.most not more than so many contracts; by default all
 * @returns how many
 */
export async function forgetCreatedAbove(
  db: Queryable,
  { chainId, lane }: LaneId,
  { above, most }: { above: number; most?: number },
): Promise<number> {
  const { rows } = await db.query<{ id: string; count: number }>(
    `WITH chosen AS MATERIALIZED (
       SELECT a.address, a.webhook_id FROM ${createdAbove} LIMIT $4),
     forgotten AS (
       DELETE FROM webhook_addresses a USING chosen c
       WHERE a.chain_id = $1 AND a.address = c.address AND a.webhook_id = c.webhook_id RETURNING a.webhook_id)
     SELECT webhook_id AS id, -count(*) AS count FROM forgotten GROUP BY webhook_id`,
    [chainId, lane, above, most ?? null],
  );
  if (rows.length > 0) await count(db, rows);
  return -rows.reduce((sum, row) => sum + Number(row.count), 0);
}

/**
 * Counts a webhook's addresses, and its account's by a trigger. Only one chain at a time does so until its step is recorded: two would lock
 * accounts in different orders, and wait for each other.
 */
async function count(db: Queryable, changes: readonly { id: string; count: number }[]): Promise<void> {
  await db.query("SELECT pg_advisory_xact_lock(hashtextextended('chain-webhooks created addresses', 0))");
  await db.query(
    `UPDATE webhooks w SET address_count = w.address_count + c.count, address_changes = w.address_changes + 1
     FROM unnest($1::uuid[], $2::int[]) AS c(id, count) WHERE w.id = c.id`,
    [changes.map(({ id }) => id), changes.map(({ count }) => Number(count))],
  );
}
