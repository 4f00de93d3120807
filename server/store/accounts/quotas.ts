/**
 * How much an account may have. The account's row is held while it is counted and until the transaction ends, so that of two creations
 * side by side the second one counts the first. It is the last lock to be taken: the chain's and the webhook's come before.
 */
import { ServiceError } from "../../errors.ts";
import type { Queryable } from "../pool.ts";

/** How many webhooks an account may have, and how many addresses these may watch together. */
export type Quotas = { webhooks: number; addresses: number };

/** An account, how much it has and how much it may have; null where it is what the configuration says. */
export type AccountUse = {
  account: string;
  webhooks: number;
  addresses: number;
  webhookQuota: number | null;
  addressQuota: number | null;
};

/**
 * Refuses what an account now has beyond its quotas, so that it is undone with its transaction.
 *
 * @param quotas of accounts that have none of their own
 * @throws {ServiceError} `over_quota`
 */
export async function assertWithinQuotas(db: Queryable, accountId: number, quotas: Quotas): Promise<void> {
  const { rows: own } = await db.query<{ webhooks: number | null; addresses: number | null }>(
    "SELECT webhook_quota AS webhooks, address_quota AS addresses FROM accounts WHERE id = $1 FOR NO KEY UPDATE",
    [accountId],
  );
  // A statement of its own, which sees what was committed while the row was waited for.
  const { rows: has } = await db.query<Quotas>(
    `SELECT count(*) AS webhooks, COALESCE(sum(address_count), 0)::bigint AS addresses FROM webhooks WHERE account_id = $1`,
    [accountId],
  );
  for (const what of ["webhooks", "addresses"] as const) {
    const quota = own[0]?.[what] ?? quotas[what];
    if ((has[0]?.[what] ?? 0) > quota) throw overQuota(what, quota);
  }
}

function overQuota(what: keyof Quotas, quota: number): ServiceError {
  const most = quota.toLocaleString("en");
  return new ServiceError(
    "over_quota",
    `The account may have at most ${most} ${what}; remove some, or ask the operator for more.`,
  );
}

/** Lists accounts by name, with what they have. */
export async function listAccounts(db: Queryable): Promise<AccountUse[]> {
  const { rows } = await db.query<AccountUse>(
    `SELECT a.name AS account, count(w.id) AS webhooks, COALESCE(sum(w.address_count), 0)::bigint AS addresses,
       a.webhook_quota AS "webhookQuota", a.address_quota AS "addressQuota"
     FROM accounts a LEFT JOIN webhooks w ON w.account_id = a.id GROUP BY a.id ORDER BY a.name`,
  );
  return rows;
}

/**
 * Sets how much an account may have, from the next creation on. What it has already stays.
 *
 * @param change null for what the configuration says; what is left out stays
 * @throws {ServiceError} `account_not_found`
 */
export async function setQuotas(
  db: Queryable,
  account: string,
  change: { webhooks?: number | null; addresses?: number | null },
): Promise<void> {
  const { rowCount } = await db.query(
    `UPDATE accounts SET webhook_quota = CASE WHEN $2 THEN $3 ELSE webhook_quota END,
       address_quota = CASE WHEN $4 THEN $5 ELSE address_quota END
     WHERE name = $1`,
    [
      account,
      change.webhooks !== undefined,
      change.webhooks ?? null,
      change.addresses !== undefined,
      change.addresses ?? null,
    ],
  );
  if (!rowCount) throw new ServiceError("account_not_found", `There is no account ${account}.`);
}
