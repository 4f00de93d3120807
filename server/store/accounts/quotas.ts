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

/** An account's row: what it has, and its own quotas. */
export type AccountRow = {
  webhooks: number;
  addresses: number;
  webhook_quota: number | null;
  address_quota: number | null;
};

/** Its columns. Triggers count in it what the account has. */
export const accountColumns = "webhooks, addresses, webhook_quota, address_quota";

/**
 * Refuses what an account now has beyond its quotas, so that it is undone with its transaction.
 *
 * @param quotas of accounts that have none of their own
 * @throws {ServiceError} `over_quota`
 */
export async function assertWithinQuotas(db: Queryable, accountId: number, quotas: Quotas): Promise<void> {
  const { rows } = await db.query<AccountRow>(
    `SELECT ${accountColumns} FROM accounts WHERE id = $1 FOR NO KEY UPDATE`,
    [accountId],
  );
  for (const row of rows) assertFits(row, quotas);
}

/** @throws {ServiceError} `over_quota` */
export function assertFits(has: AccountRow, quotas: Quotas): void {
  const webhooks = has.webhook_quota ?? quotas.webhooks;
  const addresses = has.address_quota ?? quotas.addresses;
  if (has.webhooks > webhooks) throw overQuota("webhooks", webhooks);
  if (has.addresses > addresses) throw overQuota("addresses", addresses);
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
    `SELECT name AS account, webhooks, addresses, webhook_quota AS "webhookQuota", address_quota AS "addressQuota"
     FROM accounts ORDER BY name`,
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
