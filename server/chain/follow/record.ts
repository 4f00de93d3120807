/**
 * Records blocks: who is notified of what, the retractions of blocks that left the chain, and the cursor, all in one
 * transaction under the chain's lock. A crash can therefore lose or repeat nothing.
 */
import { advanceCursor, type BlockId, isRecorded, type LaneId, readCursor } from "../../store/chains/cursor.ts";
import { joinLanes, type LaneKind, moveStrays } from "../../store/chains/lanes.ts";
import { lockChainExclusively } from "../../store/chains/lock.ts";
import { appendNotifications } from "../../store/outbox/append.ts";
import { inTransaction, type Pool, type Queryable } from "../../store/pool.ts";
import type { WatchFilter } from "../../store/webhooks/watch-filter.ts";
import type { ReadBlock } from "../read/block.ts";
import { notificationsOf } from "./notifications.ts";
import { retractionsAbove } from "./retractions.ts";

/** A step of a lane: blocks to take back, and blocks that follow on what is left. */
export type ChainStep = {
  /** The newest recorded block, as the caller believes. */
  cursor: BlockId;
  /** Blocks above this number leave the chain. */
  retractAbove?: number;
  /** In order, each the child of the one before. */
  blocks: readonly ReadBlock[];
  /** The newest block that cannot be replaced any more; it can still be the parent of a new branch. */
  finalNumber: number;
};

/** Another process has recorded blocks meanwhile. */
export class CursorMovedError extends Error {
  override readonly name = "CursorMovedError";
}

/**
 * @param filter what knows in memory which addresses may be watched; always the same for one chain
 * @returns how many notifications were recorded
 * @throws CursorMovedError, with nothing recorded
 */
export async function recordStep(
  pool: Pool,
  lane: LaneId & LaneKind,
  step: ChainStep,
  filter: WatchFilter,
): Promise<number> {
  const { chainId } = lane;
  return inTransaction(pool, async (db) => {
    await lockChainExclusively(db, chainId);
    const recorded = await readCursor(db, lane);
    if (recorded.cursor?.hash !== step.cursor.hash)
      throw new CursorMovedError(`chain ${chainId} was followed elsewhere`);
    await assertLinked(db, lane, step);
    if (lane.traces && step.blocks.some(({ traced }) => !traced))
      throw new Error("blocks were read without their traces");
    // Who wants the other kind of blocks has everything up to the cursor from this lane, and from there on from the other.
    await moveStrays(db, lane);
    const notifications = [
      ...(step.retractAbove === undefined ? [] : await retractionsAbove(db, lane, step.retractAbove)),
      ...(await notificationsOf(db, lane, step.blocks, { recorded, filter })),
    ];
    await appendNotifications(db, chainId, notifications);
    const mark = await advanceCursor(db, lane, step.blocks, step.finalNumber);
    if (mark) filter.moved(mark);
    await joinLanes(db, lane);
    return notifications.length;
  });
}

/** The last gate before blocks are believed: they leave no gap, whatever nodes answered. */
async function assertLinked(db: Queryable, lane: LaneId, { cursor, retractAbove, blocks }: ChainStep) {
  let number = retractAbove ?? cursor.number;
  let hash = cursor.hash;
  for (const [index, block] of blocks.entries()) {
    const follows =
      index === 0 && retractAbove !== undefined
        ? await isRecorded(db, lane, { number, hash: block.parentHash })
        : block.parentHash === hash;
    if (!follows || block.number !== number + 1)
      throw new Error(`block ${block.hash} of chain ${lane.chainId} does not follow on what is recorded`);
    ({ hash } = block);
    number += 1;
  }
}
