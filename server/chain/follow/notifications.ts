/** The notifications that blocks give rise to. */
import { messageIdOf } from "../../matching/message-id.ts";
import type { LaneId, Recorded } from "../../store/chains/cursor.ts";
import type { NewEvent, NewNotification } from "../../store/outbox/append.ts";
import { pastNotifications } from "../../store/outbox/block-history.ts";
import type { Queryable } from "../../store/pool.ts";
import type { WatchFilter } from "../../store/webhooks/watch-filter.ts";
import type { Watcher } from "../../store/webhooks/watchers.ts";
import type { ReadBlock } from "../read/block.ts";

/**
 * @param context.recorded how far the lane is recorded, read under the chain's lock
 * @param context.filter what knows in memory which addresses may be watched
 */
export async function notificationsOf(
  db: Queryable,
  lane: LaneId,
  blocks: readonly ReadBlock[],
  { recorded, filter }: { recorded: Recorded; filter: WatchFilter },
): Promise<NewNotification[]> {
  const participants = [...new Set(blocks.flatMap((block) => block.participants))];
  const watched = await filter.findWatchers(db, recorded, participants);
  const notifications: NewNotification[] = [];
  for (const block of blocks) {
    const watchedBy = watched.at(block.number);
    if (watchedBy.size === 0) continue;
    const { events, pairs } = await block.match(watchedBy);
    if (pairs.length === 0) continue;
    // Above the highest number ever recorded no block can have been notified before.
    const occurrences =
      block.number <= recorded.highest ? await occurrencesOf(db, lane, block) : new Map<string, number>();
    for (const { event: index, ...webhook } of pairs) {
      const event = events[index] as NewEvent;
      const occurrence = occurrences.get(`${webhook.id} ${event.transactionHash}`) ?? 0;
      notifications.push(newNotification(webhook, event, occurrence));
    }
  }
  return notifications;
}

/** A notification of an event; who it is for, the event and the occurrence make its messageId. */
export function newNotification(
  { id: webhookId, shard }: Pick<Watcher, "id" | "shard">,
  event: NewEvent,
  occurrence: number,
): NewNotification {
  const { blockHash, transactionHash } = event;
  const messageId = messageIdOf({ webhookId, blockHash, transactionHash, occurrence });
  return { webhookId, shard, occurrence, event, messageId };
}

/** How many times each webhook was notified of each transaction, when the block was on the chain before. */
async function occurrencesOf(db: Queryable, lane: LaneId, { number, hash }: ReadBlock): Promise<Map<string, number>> {
  const past = await pastNotifications(db, lane, { number, hash });
  return new Map(
    past.map(({ webhookId, transactionHash, occurrence }) => [`${webhookId} ${transactionHash}`, occurrence + 1]),
  );
}
