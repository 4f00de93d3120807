/**
 * Replays one block for one webhook, in one transaction under the chain's lock: what was recorded is sent again, what was
 * missed is recorded as the follower would have, and the replay moves on.
 */
import { isRecorded, type LaneId, readCursor } from "../../store/chains/cursor.ts";
import { lockChainExclusively } from "../../store/chains/lock.ts";
import {
  holdReplayStep,
  noteReplayStep,
  type ReplayStep,
  readWatcher,
  recordedNotifications,
  watchedAmong,
} from "../../store/chains/replay-work.ts";
import { appendNotifications } from "../../store/outbox/append.ts";
import { requestResends } from "../../store/outbox/resends.ts";
import { inTransaction, type Pool, type Queryable } from "../../store/pool.ts";
import type { ReadBlock } from "../read/block.ts";
import { newNotification } from "./notifications.ts";

/** The node's block is not the one that was followed; it will be when both are of one mind again. */
export class OtherBranchError extends Error {
  override readonly name = "OtherBranchError";
}

/** The webhook has begun to want internal transactions after the block was fetched without; the next try has them. */
export class TracesMissingError extends Error {
  override readonly name = "TracesMissingError";
}

/** What a block of a replay came to. */
export type Replayed = { resent: number; added: number };

/**
 * @param block the block of the step
 * @returns undefined when another process was faster or the webhook is gone
 * @throws OtherBranchError, TracesMissingError, with nothing changed
 */
export async function replayBlock(
  pool: Pool,
  chainId: string,
  step: ReplayStep,
  block: ReadBlock,
): Promise<Replayed | undefined> {
  return inTransaction(pool, async (db) => {
    await lockChainExclusively(db, chainId);
    if (!(await holdReplayStep(db, step))) return undefined;
    const webhook = await readWatcher(db, step.webhookId);
    if (!webhook) return undefined;
    await assertFollowed(db, { chainId, lane: webhook.lane }, block);
    if (webhook.includeInternalTxs && !block.traced) throw new TracesMissingError();

    const { hash } = block;
    const recorded = await recordedNotifications(db, webhook.id, { chainId, number: step.block, hash });
    const pastOf = new Map(recorded.map((past) => [past.transactionHash, past]));
    const watched = await watchedAmong(db, webhook.id, block.participants);
    const { events } = await block.match(new Map(watched.map((address) => [address, [webhook]])));
    const missed = events.flatMap((event) => {
      const past = pastOf.get(event.transactionHash);
      // A retraction of a block that is on the chain now: it left and came back while nobody was to be notified.
      if (past && !past.removed) return [];
      return [newNotification(webhook, event, past ? past.occurrence + 1 : 0)];
    });
    const standing = recorded.filter(({ removed }) => !removed);
    await requestResends(db, webhook, "replay", standing);
    await appendNotifications(db, chainId, missed);
    const replayed = { resent: standing.length, added: missed.length };
    await noteReplayStep(db, step, replayed);
    return replayed;
  });
}

/** Only what the webhook's lane has followed is replayed, so that whatever leaves the chain later is retracted like everything else. */
async function assertFollowed(db: Queryable, lane: LaneId, { number, hash }: ReadBlock): Promise<void> {
  const { cursor } = await readCursor(db, lane);
  const followed = await isRecorded(db, lane, { number, hash });
  if (!cursor || cursor.number < number || followed === false)
    throw new OtherBranchError(`the node's block ${number} is not the one that was followed`);
}
