/** The retractions of what was notified of blocks that leave the chain. */
import { retractionText } from "../../matching/event.ts";
import { type BlockId, type LaneId, takeBlocksAbove } from "../../store/chains/cursor.ts";
import type { NewEvent, NewNotification } from "../../store/outbox/append.ts";
import { type PastNotification, pastEvents, pastNotifications } from "../../store/outbox/block-history.ts";
import type { Queryable } from "../../store/pool.ts";
import { newNotification } from "./notifications.ts";

/**
 * Takes the blocks above `number` off the lane's record.
 *
 * @returns for every notification of theirs that still stands its retraction, the newest block's first and within a block
 * in the order of the notifications; webhooks that are inactive get theirs too, when they are active again
 */
export async function retractionsAbove(db: Queryable, lane: LaneId, number: number): Promise<NewNotification[]> {
  const retractions: NewNotification[] = [];
  for (const block of await takeBlocksAbove(db, lane, number)) {
    const standing = (await pastNotifications(db, lane, block)).filter(({ removed }) => !removed);
    const eventOf = await retractedEvents(db, block, standing);
    for (const past of standing)
      retractions.push(newNotification({ id: past.webhookId, shard: past.shard }, eventOf(past), past.occurrence + 1));
  }
  return retractions;
}

/** An event is retracted by one event, however many webhooks share it. */
async function retractedEvents(
  db: Queryable,
  block: BlockId,
  standing: readonly PastNotification[],
): Promise<(past: PastNotification) => NewEvent> {
  const bodies = await pastEvents(db, standing);
  const events = new Map<number, NewEvent>();
  return ({ eventId, transactionHash, transactionIndex }) => {
    const known = events.get(eventId);
    if (known) return known;
    const body = bodies.get(eventId);
    if (body === undefined) throw new Error(`the event ${eventId} of block ${block.hash} is missing`);
    const made: NewEvent = {
      blockNumber: block.number,
      blockHash: block.hash,
      transactionHash,
      transactionIndex,
      removed: true,
      body: retractionText(body),
    };
    events.set(eventId, made);
    return made;
  };
}
