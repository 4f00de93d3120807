/** Notifications whose next attempt is due. */

import type { Queryable } from "../pool.ts";
import { type NotificationRow, notificationColumns } from "./feed.ts";
import type { Attempt } from "./results.ts";

/** A notification's attempts so far, and what triggers the next one. */
export type AttemptsSoFar = {
  attemptsMade: number;
  /** How many of them the schedule made. */
  step: number;
  trigger: Attempt["trigger"];
};

export type DueRetry = NotificationRow &
  AttemptsSoFar & {
    /** When the attempt was due, in ms since the epoch by the database's clock. */
    dueAtMs: number;
  };

/** An account that has retries in a shard. */
export type RetryingAccount = { shard: number; accountId: number };

/** Where to continue: after an account in each shard, after a webhook of each account, and without the accounts that have no room. */
export type RetryTurn = {
  shards: readonly { shard: number; afterAccount: number }[];
  accounts: readonly (RetryingAccount & { afterWebhook: string })[];
  without: readonly number[];
};

/** Limits of one read: accounts of a shard, webhooks and retries of all accounts together, and retries of one webhook. */
export type RetryLimits = { accounts: number; webhooks: number; retries: number; perWebhook: number };

export type RetryLook = {
  /** In order. `last` is the webhook read last, if the account may have further ones. */
  accounts: (RetryingAccount & { last: string | undefined })[];
  due: DueRetry[];
  /** In how many ms the next one of the webhooks read is due, beside `due`; infinite without one. */
  nextInMs: number;
};

type Row = DueRetry & { pairShard: number; pairAccount: number; last: string | null; nextInMs: number | null };

/** The next row of `retries` that becomes due. One lookup in the index `retries_turns`. */
const next = (columns: string, where: string, order: string) =>
  `(SELECT ${columns} FROM retries WHERE ${where} AND due_at IS NOT NULL ORDER BY ${order} LIMIT 1)`;

/**
 * Reads the due retries of the next active webhooks. Accounts share the limits equally, and so do the shards and webhooks
 * of each. So an account with many retries delays nobody else's. The query skips in the index from one account and webhook to the next,
 * however many retries each has. With 60,000 due retries of 3,000 webhooks a read took 20 to 40 ms, and no longer with 300 accounts.
 */
export async function readDueRetries(
  db: Queryable,
  { shards, accounts, without }: RetryTurn,
  limits: RetryLimits,
): Promise<RetryLook> {
  const { rows } = await db.query<Row>({
    name: "read-due-retries",
    text: `WITH RECURSIVE pair AS (
             SELECT first.*, 1 AS nth FROM unnest($1::smallint[], $2::bigint[]) AS s(shard, after)
             CROSS JOIN LATERAL ${next("shard, account_id", "shard = s.shard AND account_id > s.after", "account_id")} first
             UNION ALL
             SELECT next.*, p.nth + 1 FROM pair p
             CROSS JOIN LATERAL ${next("shard, account_id", "shard = p.shard AND account_id > p.account_id", "account_id")} next
             WHERE p.nth < $7),
           part AS (
             SELECT shard, account_id, accounts, greatest(1, $8 / (accounts * count(*) OVER (PARTITION BY account_id))) AS webhooks
             FROM pair, (SELECT count(DISTINCT account_id) AS accounts FROM pair WHERE account_id <> ALL($6::bigint[])) a
             WHERE account_id <> ALL($6::bigint[])),
           endpoint AS (
             SELECT p.*, first.webhook_id, 1 AS nth FROM part p
             LEFT JOIN unnest($3::smallint[], $4::bigint[], $5::uuid[]) AS t(shard, account_id, after) USING (shard, account_id)
             CROSS JOIN LATERAL ${next(
               "webhook_id",
               `shard = p.shard AND account_id = p.account_id
                AND webhook_id > COALESCE(t.after, '00000000-0000-0000-0000-000000000000')`,
               "webhook_id",
             )} first
             UNION ALL
             SELECT e.shard, e.account_id, e.accounts, e.webhooks, next.webhook_id, e.nth + 1 FROM endpoint e
             CROSS JOIN LATERAL ${next(
               "webhook_id",
               "shard = e.shard AND account_id = e.account_id AND webhook_id > e.webhook_id",
               "webhook_id",
             )} next
             WHERE e.nth < e.webhooks),
           turn AS (
             SELECT *, least($10, greatest(2, part)) AS retries, greatest(2, 4 * part) AS batched
             FROM (SELECT *, $9 / (accounts * count(*) OVER (PARTITION BY account_id)) AS part FROM endpoint) e)
           SELECT p.shard AS "pairShard", p.account_id AS "pairAccount", CASE WHEN e.nth = e.webhooks THEN e.webhook_id END AS last,
             ${notificationColumns}, r.attempts AS "attemptsMade", r.step, COALESCE(r.extra, 'schedule') AS trigger,
             extract(epoch FROM r.due_at)::float8 * 1000 AS "dueAtMs",
             extract(epoch FROM later.due_at - clock_timestamp())::float8 * 1000 AS "nextInMs"
           FROM pair p LEFT JOIN turn e USING (shard, account_id)
           LEFT JOIN webhooks w ON w.id = e.webhook_id AND w.status = 'active'
           LEFT JOIN LATERAL (
             SELECT * FROM retries
             WHERE shard = e.shard AND account_id = e.account_id AND webhook_id = w.id AND due_at <= clock_timestamp()
             -- What failed in one batch is due at the same moment, and is sent together again.
             ORDER BY due_at, sequence LIMIT CASE WHEN w.options IS NULL THEN e.retries
               ELSE greatest(e.retries, least(e.batched, (w.options #>> '{batch,maxItems}')::int)) END) r ON true
           LEFT JOIN LATERAL (
             SELECT due_at FROM retries
             WHERE shard = e.shard AND account_id = e.account_id AND webhook_id = w.id AND due_at > clock_timestamp()
             ORDER BY due_at LIMIT 1) later ON true
           LEFT JOIN notifications n ON n.recorded_on = r.recorded_on AND n.webhook_id = r.webhook_id AND n.sequence = r.sequence
           ORDER BY p.shard, p.nth, e.nth, r.due_at, r.sequence`,
    values: [
      shards.map(({ shard }) => shard),
      shards.map(({ afterAccount }) => afterAccount),
      accounts.map(({ shard }) => shard),
      accounts.map(({ accountId }) => accountId),
      accounts.map(({ afterWebhook }) => afterWebhook),
      without,
      ...[limits.accounts, limits.webhooks, limits.retries, limits.perWebhook],
    ],
  });
  const found: RetryLook = { accounts: [], due: [], nextInMs: Number.POSITIVE_INFINITY };
  for (const { pairShard, pairAccount, last, nextInMs, ...row } of rows) {
    let its = found.accounts.at(-1);
    if (its?.shard !== pairShard || its.accountId !== pairAccount) {
      its = { shard: pairShard, accountId: pairAccount, last: undefined };
      found.accounts.push(its);
    }
    its.last = last ?? its.last;
    found.nextInMs = Math.min(found.nextInMs, nextInMs ?? Number.POSITIVE_INFINITY);
    if (row.webhookId) found.due.push(row);
  }
  return found;
}
