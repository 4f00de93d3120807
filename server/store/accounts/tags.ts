/** What keys say of their account, without a secret: by this a proxy finds the account's cell. */
import type { Queryable } from "../pool.ts";
import type { MoveState } from "./may-change.ts";

/** An account and the marks of its keys: its tag, and the first eight digits of each key that was made before there were tags. */
export type AccountMarks = { account: string; marks: string[]; moveState: MoveState | null };

/** Lists the marks of all accounts. Keys without a tag that are revoked have none. */
export async function listMarks(db: Queryable): Promise<AccountMarks[]> {
  const { rows } = await db.query<AccountMarks>(
    `SELECT a.name AS account, a.move_state AS "moveState", a.tag || COALESCE(k.marks, '{}') AS marks
     FROM accounts a LEFT JOIN (
       SELECT account_id, array_agg(DISTINCT substr(prefix, 5)) AS marks FROM api_keys
       WHERE prefix ~ '^cwk_[0-9a-f]{8}$' AND revoked_at IS NULL GROUP BY account_id) k ON k.account_id = a.id
     ORDER BY a.id`,
  );
  return rows;
}

/** How many accounts a cell answers for, and what is theirs. */
export type AccountTotals = { accounts: number; webhooks: number; addresses: number };

export async function countAccounts(db: Queryable): Promise<AccountTotals> {
  const { rows } = await db.query<AccountTotals>(
    `SELECT count(*)::int AS accounts, COALESCE(sum(webhooks), 0)::float8 AS webhooks,
       COALESCE(sum(addresses), 0)::float8 AS addresses
     FROM accounts WHERE move_state IS NULL OR move_state = 'leaving'`,
  );
  return rows[0] ?? { accounts: 0, webhooks: 0, addresses: 0 };
}
