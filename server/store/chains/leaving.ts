/**
 * How a lane that is set apart leaves blocks that a reorganisation replaces. One account may have been notified of them a million times, so they
 * are not retracted in one transaction. It is decided once, in a transaction, which blocks leave, as for any other lane. From then on they do,
 * whatever becomes of the branch: the cursor goes back block by block, and stays at each until all of it is retracted. Then the branch is
 * recorded like any blocks. Meanwhile the lane owes (`owed_after`), so nothing joins or leaves it.
 */
import { ServiceError } from "../../base/errors.ts";
import { type BlockPlace, noteRetracted } from "../outbox/block-history.ts";
import { inTransaction, type Pool, type Queryable } from "../pool.ts";
import { type BlockId, isRecorded, type LaneId, type Recorded, readCursor } from "./cursor.ts";
import { lockChainExclusively } from "./lock.ts";
import { sendReplaysBack } from "./replay-work.ts";

/** The block that leaves now, the newest that stays, and how much of the first is retracted. */
export type Leaving = { block: BlockId; above: BlockId; place: BlockPlace; apartAccount: number };

export const firstWebhook = "00000000-0000-0000-0000-000000000000";

/** Whether blocks of the lane leave, as `readCursor` found it. */
export function leavingOf({ cursor, leaving: above, ...at }: Recorded): Leaving | undefined {
  const { owedAfter: webhookId, leavingEvent: event, apartAccount } = at;
  if (!cursor || !above || webhookId === undefined || event === undefined || apartAccount === undefined)
    return undefined;
  return { block: cursor, above, place: { event, webhookId }, apartAccount };
}

/**
 * Decides that all blocks above one leave a lane that is set apart.
 *
 * @param cursor the lane's, as the caller knows it
 * @throws {ServiceError} `cursor_moved`, with nothing changed: another process was faster, or the block `above` is not on record any more
 */
export async function beginLeaving(
  pool: Pool,
  lane: LaneId,
  { cursor, above }: { cursor: BlockId; above: BlockId },
): Promise<void> {
  await inTransaction(pool, async (db) => {
    await lockChainExclusively(db, lane.chainId);
    const recorded = await readCursor(db, lane);
    const isSame = recorded.cursor?.hash === cursor.hash && !recorded.leaving && recorded.apartAccount !== undefined;
    if (!isSame || !(await isRecorded(db, lane, above)))
      throw new ServiceError("cursor_moved", `chain ${lane.chainId} was followed elsewhere`);
    await sendReplaysBack(db, lane, above.number);
    // The block before a lane's first may have any hash: of that one nothing leaves.
    if (above.number === cursor.number)
      await db.query(
        "UPDATE chain_lanes SET cursor_hash = decode(substr($3, 3), 'hex') WHERE chain_id = $1 AND lane = $2",
        [...[lane.chainId, lane.lane, above.hash]],
      );
    else
      await db.query(
        `UPDATE chain_lanes SET leaving_above = $3, leaving_hash = decode(substr($4, 3), 'hex'), leaving_event = 0, owed_after = $5, owed_from = NULL
         WHERE chain_id = $1 AND lane = $2`,
        [lane.chainId, lane.lane, above.number, above.hash, firstWebhook],
      );
  });
}

/** Notes how much of the block is retracted, in the transaction that does it. */
export async function noteLeaving(db: Queryable, { chainId, lane }: LaneId, place: BlockPlace): Promise<void> {
  await db.query({
    name: "note-leaving",
    text: "UPDATE chain_lanes SET leaving_event = $3, owed_after = $4 WHERE chain_id = $1 AND lane = $2",
    values: [chainId, lane, place.event, place.webhookId],
  });
}

/** Takes the block off the lane's record, of which everything is retracted. The block before it is next, or the lane continues from there. */
export async function leaveBlock(db: Queryable, { chainId, lane }: LaneId, { block, above }: Leaving): Promise<void> {
  await noteRetracted(db, chainId, [block]);
  const isLast = block.number - 1 <= above.number;
  await db.query(
    `WITH left_block AS (DELETE FROM chain_blocks WHERE chain_id = $1 AND lane = $2 AND number >= $3)
     UPDATE chain_lanes l SET cursor_number = $3 - 1, stream = NULL, stream_sequence = NULL,
       cursor_hash = CASE WHEN $4 THEN leaving_hash ELSE (SELECT hash FROM chain_blocks WHERE chain_id = $1 AND lane = $2 AND number = $3 - 1) END,
       owed_after = CASE WHEN NOT $4 THEN $5::uuid END, leaving_event = CASE WHEN NOT $4 THEN 0 END,
       leaving_above = CASE WHEN NOT $4 THEN leaving_above END, leaving_hash = CASE WHEN NOT $4 THEN leaving_hash END
     WHERE l.chain_id = $1 AND l.lane = $2`,
    [chainId, lane, block.number, isLast, firstWebhook],
  );
}
