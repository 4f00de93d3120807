/**
 * Records blocks: who is notified of what, the retractions of blocks that left the chain, and the cursor, all in one
 * transaction under the chain's lock. A crash can therefore lose or repeat nothing.
 */
import { advanceCursor, type BlockId, isRecorded, readCursor } from "../store/chain-cursor.ts";
import { lockChainExclusively } from "../store/chain-lock.ts";
import { appendNotifications } from "../store/outbox.ts";
import { inTransaction, type Pool, type Queryable } from "../store/pool.ts";
import type { WatchFilter } from "../store/watch-filter.ts";
import { wantsTraces } from "../store/watchers.ts";
import { notificationsOf } from "./notifications.ts";
import type { ReadBlock } from "./reading/block.ts";
import { retractionsAbove } from "./retractions.ts";

/** A step of the chain: blocks to take back, and blocks that follow on what is left. */
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

/** A webhook began to want internal transactions after the blocks were fetched without; fetch them again, with traces. */
export class TracesMissingError extends Error {
  override readonly name = "TracesMissingError";
}

/**
 * @param filter what knows in memory which addresses may be watched; always the same for one chain
 * @returns how many notifications were recorded
 * @throws CursorMovedError, TracesMissingError, with nothing recorded
 */
export async function recordStep(pool: Pool, chainId: string, step: ChainStep, filter: WatchFilter): Promise<number> {
  return inTransaction(pool, async (db) => {
    await lockChainExclusively(db, chainId);
    const recorded = await readCursor(db, chainId);
    if (recorded.cursor?.hash !== step.cursor.hash)
      throw new CursorMovedError(`chain ${chainId} was followed elsewhere`);
    await assertLinked(db, chainId, step);
    if (step.blocks.some(({ traced }) => !traced) && (await wantsTraces(db, chainId))) throw new TracesMissingError();
    const notifications = [
      ...(step.retractAbove === undefined ? [] : await retractionsAbove(db, chainId, step.retractAbove)),
      ...(await notificationsOf(db, chainId, step.blocks, { recorded, filter })),
    ];
    await appendNotifications(db, chainId, notifications);
    const mark = await advanceCursor(db, chainId, step.blocks, step.finalNumber);
    if (mark) filter.moved(mark);
    return notifications.length;
  });
}

/** The last gate before blocks are believed: they leave no gap, whatever nodes answered. */
async function assertLinked(db: Queryable, chainId: string, { cursor, retractAbove, blocks }: ChainStep) {
  let number = retractAbove ?? cursor.number;
  let hash = cursor.hash;
  for (const [index, block] of blocks.entries()) {
    const follows =
      index === 0 && retractAbove !== undefined
        ? await isRecorded(db, chainId, { number, hash: block.parentHash })
        : block.parentHash === hash;
    if (!follows || block.number !== number + 1)
      throw new Error(`block ${block.hash} of chain ${chainId} does not follow on what is recorded`);
    ({ hash } = block);
    number += 1;
  }
}
