/**
 * The lock between recording a chain's blocks and changing what is watched on it. It is an advisory lock, because its queue is first
 * come, first served. With row locks a stream of changes could keep the recorder waiting for ever.
 */
import type { Queryable } from "../pool.ts";

const keyOf = (chainId: string) => `hashtextextended('chain-webhooks chain ' || ${chainId}::text, 0)`;

/** Holds the chain's lock alone until the transaction ends, to record blocks or add to the outbox. */
export async function lockChainExclusively(db: Queryable, chainId: string): Promise<void> {
  await db.query({ name: "lock-chain", text: `SELECT pg_advisory_xact_lock(${keyOf("$1")})`, values: [chainId] });
}

export const takeAccountsTurn = (accountId: string, chainId: string) =>
  `pg_advisory_xact_lock(hashtextextended('chain-webhooks changes ' || ${accountId}::bigint || ' ' || ${chainId}::text, 0))`;

/**
 * Take this before the chain's lock to change what is watched. Until the transaction ends, an account makes one change at a time. Addresses are
 * written before the chain's lock is taken, so the recorder waits for at most one change of each account.
 */
export async function lockAccountsChanges(db: Queryable, accountId: number, chainId: string): Promise<void> {
  await db.query(`SELECT ${takeAccountsTurn("$1", "$2")}`, [accountId, chainId]);
}

/** The call that shares the chain's lock with other changes. */
export const holdForChange = (chainId: string) => `pg_advisory_xact_lock_shared(${keyOf(chainId)})`;

/**
 * Shares the chain's lock with other changes of what is watched, until the transaction ends. No block is recorded meanwhile, so
 * do no work after it that grows with the change.
 *
 * @returns the first block that none of the chain's lanes has recorded; undefined before the chain's first recorded block
 */
export async function lockChainForChange(db: Queryable, chainId: string): Promise<number | undefined> {
  await db.query(`SELECT ${holdForChange("$1")}`, [chainId]);
  const { rows } = await db.query<{ first_block: number | null }>(firstBlock("$1"), [chainId]);
  return rows[0]?.first_block ?? undefined;
}

/** Selects the first block that none of the chain's lanes has recorded, for a statement that starts under the chain's lock. */
export const firstBlock = (chainId: string) =>
  `SELECT max(cursor_number) + 1 AS first_block FROM chain_lanes WHERE chain_id = ${chainId}`;
