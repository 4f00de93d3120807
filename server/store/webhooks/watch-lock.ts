/** The start of every change of what is watched: the account's turn, the chain's lock, the webhook's row, always in this order. */

import { ServiceError, webhookNotFound } from "../../base/errors.ts";
import { assertMayChange } from "../accounts/may-change.ts";
import { lockAccountsChanges, lockChainForChange } from "../chains/lock.ts";
import type { Queryable } from "../pool.ts";

/** What a change needs to know of its locked webhook. */
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
 * Starts a change of a webhook. Until the transaction ends it is the account's only one on the chain. Do slow work next,
 * while blocks can still be recorded.
 *
 * @returns the webhook's chain
 * @throws {ServiceError} `webhook_not_found`, `account_elsewhere`
 */
export async function takeTurn(db: Queryable, accountId: number, id: string): Promise<string> {
  // A webhook never changes its chain, so this may be read before the lock.
  const { rows } = await db.query<{ chain_id: string }>(
    "SELECT chain_id FROM webhooks WHERE id = $1 AND account_id = $2 AND chain_id <> 'operational'",
    [id, accountId],
  );
  if (!rows[0]) throw webhookNotFound(id);
  await lockAccountsChanges(db, accountId, rows[0].chain_id);
  await assertMayChange(db, accountId);
  return rows[0].chain_id;
}

/**
 * Prevents a chain's blocks from being recorded until the transaction ends, which must take only milliseconds.
 *
 * @returns the first block that no lane of the chain has recorded; all lanes see what is watched from there on
 * @throws {ServiceError} `chain_not_followed` until it is known where following the chain starts
 */
async function firstBlockToSee(db: Queryable, chainId: string): Promise<number> {
  const block = await lockChainForChange(db, chainId);
  if (block === undefined) throw chainNotFollowed(chainId);
  return block;
}

/** The error for a chain without a recorded block. */
export function chainNotFollowed(chainId: string): ServiceError {
  return new ServiceError("chain_not_followed", `No node of chain ${chainId} has answered yet; try again later.`);
}

/**
 * Locks a webhook and its chain for a change of what is watched. The caller has the account's turn.
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
