/** Where every change of what is watched begins: the account's turn, the chain's lock, the webhook's row, always in this order. */
import { lockAccountsChanges, lockChainForChange } from "./chain-lock.ts";
import { StoreError } from "./errors.ts";
import type { Queryable } from "./pool.ts";
import { webhookNotFound } from "./webhooks.ts";

/** What a change needs to know of the webhook it holds. */
export type LockedWebhook = {
  id: string;
  shard: number;
  chainId: string;
  status: "active" | "inactive";
  addressCount: number;
  /** The next block that its lane records. */
  nextBlock: number;
};

/**
 * Keeps a chain's blocks from being recorded, and the account from other changes on it, until the transaction ends.
 *
 * @returns the first block that no lane of the chain has recorded: what is watched from there on is seen by all of them
 * @throws {StoreError} `chain_not_followed` when it is not known yet where following the chain starts
 */
export async function firstBlockToSee(db: Queryable, accountId: number, chainId: string): Promise<number> {
  await lockAccountsChanges(db, accountId, chainId);
  const block = await lockChainForChange(db, chainId);
  if (block === undefined)
    throw new StoreError("chain_not_followed", `No node of chain ${chainId} has answered yet; try again later.`);
  return block;
}

/** Holds a webhook of an account for a change of what is watched. @throws {StoreError} `webhook_not_found`, `chain_not_followed` */
export async function lockWebhook(
  db: Queryable,
  accountId: number,
  id: string,
): Promise<{ webhook: LockedWebhook; firstBlock: number }> {
  // A webhook never changes its chain, so that this may be read before the lock.
  const found = await db.query<{ chain_id: string }>(
    "SELECT chain_id FROM webhooks WHERE id = $1 AND account_id = $2",
    [id, accountId],
  );
  if (!found.rows[0]) throw webhookNotFound(id);
  const firstBlock = await firstBlockToSee(db, accountId, found.rows[0].chain_id);
  const { rows } = await db.query<LockedWebhook>(
    `SELECT w.id, w.shard, w.chain_id AS "chainId", w.status, w.address_count AS "addressCount",
       (SELECT cursor_number + 1 FROM chain_lanes l WHERE l.chain_id = w.chain_id AND l.lane = w.lane) AS "nextBlock"
     FROM webhooks w WHERE w.id = $1 AND w.account_id = $2 FOR UPDATE`,
    [id, accountId],
  );
  if (!rows[0]) throw webhookNotFound(id);
  return { webhook: rows[0], firstBlock };
}
