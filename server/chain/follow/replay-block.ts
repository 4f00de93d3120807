/**
 * Replays one block for one webhook, in one transaction under the chain's lock. Recorded notifications are sent again, missed ones are
 * recorded as the follower would have done, and the replay moves on.
 */
import { ServiceError } from "../../errors.ts";
import { isRecorded, type LaneId, readCursor } from "../../store/chains/cursor.ts";
import { lockChainExclusively } from "../../store/chains/lock.ts";
import {
  holdReplayStep,
  noteReplayStep,
  type ReplayStep,
  readWatcher,
  watchedAmong,
  webhookNotifications,
} from "../../store/chains/replay-work.ts";
import { appendNotifications } from "../../store/outbox/append.ts";
import { requestResends } from "../../store/outbox/resends.ts";
import { inTransaction, type Pool, type Queryable } from "../../store/pool.ts";
import { addCreated } from "../../store/webhooks/created-addresses.ts";
import type { ReadBlock } from "../read/block.ts";
import { newNotification } from "./notifications.ts";

/** How many notifications are sent again, and how many were missed. */
export type ReplayedBlock = { resent: number; added: number };

/**
 * @returns undefined if another process was faster or the webhook is gone
 * @throws {ServiceError} with nothing changed. `other_branch`: the node's block is not the one that was followed. `traces_missing`: the
 *   webhook switched internal transactions on after the block was fetched without
 */
export async function replayBlock(
  pool: Pool,
  chainId: string,
  step: ReplayStep,
  block: ReadBlock,
  addressQuota?: number,
): Promise<ReplayedBlock | undefined> {
  return inTransaction(pool, async (db) => {
    await lockChainExclusively(db, chainId);
    if (!(await holdReplayStep(db, step))) return undefined;
    const webhook = await readWatcher(db, step.webhookId);
    if (!webhook) return undefined;
    await assertFollowed(db, { chainId, lane: webhook.lane }, block);
    if (webhook.includeInternalTxs && !block.traced)
      throw new ServiceError("traces_missing", "the webhook has wanted traces since the block was fetched");

    const { hash } = block;
    const recorded = await webhookNotifications(db, webhook.id, { chainId, number: step.block, hash });
    const recordedOf = new Map(recorded.map((notification) => [notification.transactionHash, notification]));
    const watched = await watchedAmong(db, webhook.id, block);
    const { anyAddress, createdBy } = webhook.options ?? {};
    const { events, created } = await block.match(new Map(watched.map((address) => [address, [webhook]])), {
      anywhere: anyAddress ? [webhook] : [],
      factories: createdBy ? [{ ...webhook, isActive: true }] : [],
    });
    if (created) await addCreated(db, created, { chainId, number: step.block, recordedUpTo: step.block }, addressQuota);
    const missed = events.flatMap((event) => {
      const known = recordedOf.get(event.transactionHash);
      // After a retraction, the block came back to the chain while the webhook was not notified.
      if (known && !known.removed) return [];
      return [newNotification(webhook, event, known ? known.occurrence + 1 : 0)];
    });
    const standing = recorded.filter(({ removed }) => !removed);
    await requestResends(db, webhook, "replay", standing);
    await appendNotifications(db, chainId, missed);
    const replayed = { resent: standing.length, added: missed.length };
    await noteReplayStep(db, step, replayed);
    return replayed;
  });
}

/** A replay covers only blocks that the webhook's lane has followed. So a block that leaves the chain later is retracted like any other. */
async function assertFollowed(db: Queryable, lane: LaneId, { number, hash }: ReadBlock): Promise<void> {
  const { cursor } = await readCursor(db, lane);
  const followed = await isRecorded(db, lane, { number, hash });
  if (!cursor || cursor.number < number || followed === false)
    throw new ServiceError("other_branch", `the node's block ${number} is not the one that was followed`);
}
