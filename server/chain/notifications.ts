/** The notifications that blocks give rise to. */
import { buildEvent, eventText } from "../matching/event.ts";
import { messageIdOf } from "../matching/message-id.ts";
import { participantsOf, type TransactionActivity } from "../matching/participants.ts";
import { matchBlock } from "../matching/rule.ts";
import type { BlockBundle } from "../matching/wire.ts";
import { pastNotifications } from "../store/block-history.ts";
import type { Recorded } from "../store/chain-cursor.ts";
import type { NewEvent, NewNotification } from "../store/outbox.ts";
import type { Queryable } from "../store/pool.ts";
import type { WatchFilter } from "../store/watch-filter.ts";
import type { Watcher } from "../store/watchers.ts";

/** A block and who takes part in it. */
export type ActiveBlock = { bundle: BlockBundle; activities: readonly TransactionActivity[] };

/**
 * @param context.recorded how far the chain is recorded, read under its lock
 * @param context.filter what knows in memory which addresses may be watched
 */
export async function notificationsOf(
  db: Queryable,
  chainId: string,
  blocks: readonly ActiveBlock[],
  { recorded, filter }: { recorded: Recorded; filter: WatchFilter },
): Promise<NewNotification[]> {
  const participants = participantsOf(blocks.flatMap(({ activities }) => activities));
  const watched = await filter.findWatchers(db, recorded, participants);
  const notifications: NewNotification[] = [];
  for (const { bundle, activities } of blocks) {
    const number = Number(bundle.block.number);
    const matches = matchBlock(activities, watched.at(number));
    if (matches.length === 0) continue;
    // Above the highest number ever recorded no block can have been notified before.
    const occurrences =
      number <= recorded.highest ? await occurrencesOf(db, chainId, bundle) : new Map<string, number>();
    const eventOf = eventsOf(bundle, chainId);
    for (const { activity, webhook } of matches) {
      const occurrence = occurrences.get(`${webhook.id} ${activity.transactionHash}`) ?? 0;
      notifications.push(newNotification(webhook, eventOf(activity.transactionIndex, webhook), occurrence));
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
async function occurrencesOf(db: Queryable, chainId: string, { block }: BlockBundle): Promise<Map<string, number>> {
  const past = await pastNotifications(db, chainId, { number: Number(block.number), hash: block.hash });
  return new Map(
    past.map(({ webhookId, transactionHash, occurrence }) => [`${webhookId} ${transactionHash}`, occurrence + 1]),
  );
}

/** A transaction's event is made once for each variant, however many webhooks share it. */
export function eventsOf(
  bundle: BlockBundle,
  chainId: string,
): (transactionIndex: number, variant: Watcher) => NewEvent {
  const events = new Map<string, NewEvent>();
  return (transactionIndex, { includeLogs, includeInternalTxs }) => {
    const key = `${transactionIndex} ${includeLogs} ${includeInternalTxs}`;
    const known = events.get(key);
    if (known) return known;
    const event = buildEvent(bundle, transactionIndex, { chainId, includeLogs, includeInternalTxs });
    const made: NewEvent = {
      blockNumber: Number(bundle.block.number),
      blockHash: bundle.block.hash,
      transactionHash: event.transaction.txHash,
      transactionIndex,
      removed: false,
      body: eventText(event),
    };
    events.set(key, made);
    return made;
  };
}
