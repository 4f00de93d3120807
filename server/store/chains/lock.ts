/**
 * The lock between recording a chain's blocks and changing what is watched on it. It is an advisory lock, because its queue is first
 * come, first served. With row locks a stream of changes could keep the recorder waiting for ever.
 */
import type { Queryable } from "../pool.ts";

const key = "hashtextextended('chain-webhooks chain ' || $1, 0)";

/** Taken alone until the transaction ends, to record blocks or add to the outbox. */
export async function lockChainExclusively(db: Queryable, chainId: string): Promise<void> {
  await db.query(`SELECT pg_advisory_xact_lock(${key})`, [chainId]);
}

/**
 * Taken before the chain's lock, to change what is watched: one change of an account at a time, until the transaction ends. Addresses are
 * written before the chain's lock is taken, so the recorder waits for at most one change of each account.
 */
export async function lockAccountsChanges(db: Queryable, accountId: number, chainId: string): Promise<void> {
  await db.query("SELECT pg_advisory_xact_lock(hashtextextended('chain-webhooks changes ' || $1 || ' ' || $2, 0))", [
    String(accountId),
    chainId,
  ]);
}

/**
 * For who changes what is watched: beside others of its kind, until the transaction ends. No block is recorded meanwhile, so
 * that nothing may come behind it that grows with the change.
 *
 * @returns the first block that none of the chain's lanes has recorded, or undefined when none of its blocks has been recorded yet
 */
export async function lockChainForChange(db: Queryable, chainId: string): Promise<number | undefined> {
  await db.query(`SELECT pg_advisory_xact_lock_shared(${key})`, [chainId]);
  const { rows } = await db.query<{ next: number | null }>(
    "SELECT max(cursor_number) + 1 AS next FROM chain_lanes WHERE chain_id = $1",
    [chainId],
  );
  return rows[0]?.next ?? undefined;
}
