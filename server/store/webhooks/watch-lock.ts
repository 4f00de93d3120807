/** Where every change of what is watched begins: the account's turn, the chain's lock, the webhook's row, always in this order. */

import { ServiceError } from "../../errors.ts";
import { lockAccountsChanges, lockChainForChange } from "../chains/lock.ts";
import type { Queryable } from "../pool.ts";
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
 * Begins a change of a webhook: until the transaction ends it is the account's only one on the chain. What takes long is done next,
 * since blocks are still recorded meanwhile.
 *
 * @returns the webhook's chain
 * @throws {ServiceError} `webhook_not_found`
 */
export async function takeTurn(db: Queryable, accountId: number, id: string): Promise<string> {
  // A webhook never changes its chain, so that this may be read before the lock.
  const { rows } = await db.query<{ chain_id: string }>(
    "SELECT chain_id FROM webhooks WHERE id = $1 AND account_id = $2",
    [id, accountId],
  );
  if (!rows[0]) throw webhookNotFound(id);
  await lockAccountsChanges(db, accountId, rows[0].chain_id);
  return rows[0].chain_id;
}

/**
 * Keeps a chain's blocks from being recorded until the transaction ends, which must be within milliseconds.
 *
 * @returns the first block that no lane of the chain has recorded: what is watched from there on is seen by all of them
 * @throws {ServiceError} `chain_not_followed` when it is not known yet where following the chain starts
 */
export async function firstBlockToSee(db: Queryable, chainId: string): Promise<number> {
  const block = await lockChainForChange(db, chainId);
  if (block === undefined) throw chainNotFollowed(chainId);
  return block;
}

/** The error for a chain of which no block was recorded yet. */
export function chainNotFollowed(chainId: string): ServiceError {
  return new ServiceError("chain_not_followed", `No node of chain ${chainId} has answered yet; try again later.`);
}

/**
 * Holds a webhook, and its chain, for a change of what is watched. It is the account's turn.
 *
 * @throws {ServiceError} `webhook_not_found` when it was deleted meanwhile; `chain_not_followed`
 */
export async function lockWebhook(
  db: Queryable,
  accountId: number,
  { id, chainId }: { id: string; chainId: string },
): Promise<{ webhook: LockedWebhook; firstBlock: number }> {
  const firstBlock = await firstBlockToSee(db, chainId);
  const { rows } = await db.query<LockedWebhook>(
    `SELECT w.id, w.shard, w.chain_id AS "chainId", w.status, w.address_count AS "addressCount",
       (SELECT cursor_number + 1 FROM chain_lanes l WHERE l.chain_id = w.chain_id AND l.lane = w.lane) AS "nextBlock"
     FROM webhooks w WHERE w.id = $1 AND w.account_id = $2 FOR UPDATE`,
    [id, accountId],
  );
  if (!rows[0]) throw webhookNotFound(id);
  return { webhook: rows[0], firstBlock };
}
