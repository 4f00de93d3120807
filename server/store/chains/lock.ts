/**
 * The lock between recording a chain's blocks and changing what is watched on it. It is an advisory lock, because its queue is first
 * come, first served. With row locks a stream of changes could keep the recorder waiting for ever.
 */
import type { Queryable } from "../pool.ts";

const keyOf = (chainId: string) => `hashtextextended('chain-webhooks chain ' || ${chainId}::text, 0)`;

/** Taken alone until the transaction ends, to record blocks or add to the outbox. */
export async function lockChainExclusively(db: Queryable, chainId: string): Promise<void> {
  await db.query(`SELECT pg_advisory_xact_lock(${keyOf("$1")})`, [chainId]);
}

/** The call that waits for an account's turn on a chain. */
export const takeAccountsTurn = (accountId: string, chainId: string) =>
  `pg_advisory_xact_lock(hashtextextended('chain-webhooks changes ' || ${accountId}::bigint || ' ' || ${chainId}::text, 0))`;

/**
 * Taken before the chain's lock, to change what is watched: one change of an account at a time, until the transaction ends. Addresses are
 * written before the chain's lock is taken, so the recorder waits for at most one change of each account.
 */
export async function lockAccountsChanges(db: Queryable, accountId: number, chainId: string): Promise<void> {
  await db.query(`SELECT ${takeAccountsTurn("$1", "$2")}`, [accountId, chainId]);
}

/** The call that holds a chain beside other changes. */
export const holdForChange = (chainId: string) => `pg_advisory_xact_lock_shared(${keyOf(chainId)})`;

/**
 * For who changes what is watched: beside others of its kind, until the transaction ends. No block is recorded meanwhile, so
 * that nothing may come behind it that grows with the change.
 *
 * @returns the first block that none of the chain's lanes has recorded, or undefined when none of its blocks has been recorded yet
 */
export async function lockChainForChange(db: Queryable, chainId: string): Promise<number | undefined> {
  await db.query(`SELECT ${holdForChange("$1")}`, [chainId]);
  const { rows } = await db.query<{ first_block: number | null }>(firstBlock("$1"), [chainId]);
  return rows[0]?.first_block ?? undefined;
}

/** Selects the first block that none of the chain's lanes has recorded, for a statement that begins under the chain's lock. */
export const firstBlock = (chainId: string) =>
  `SELECT max(cursor_number) + 1 AS first_block FROM chain_lanes WHERE chain_id = ${chainId}`;
