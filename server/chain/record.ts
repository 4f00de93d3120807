/**
 * Records blocks: who is notified of what, the retractions of blocks that left the chain, and the cursor, all in one
 * transaction under the chain's lock. A crash can therefore lose or repeat nothing.
 */
import { buildEvent, eventText, retractionText } from "../matching/event.ts";
import { messageIdOf } from "../matching/message-id.ts";
import { activitiesOf, participantsOf } from "../matching/participants.ts";
import { matchBlock } from "../matching/rule.ts";
import type { BlockBundle } from "../matching/wire.ts";
import { pastNotifications } from "../store/block-history.ts";
import { advanceCursor, type BlockId, readCursor, takeBlocksAbove } from "../store/chain-cursor.ts";
import { lockChainExclusively } from "../store/chain-lock.ts";
import { appendNotifications, type NewEvent, type NewNotification } from "../store/outbox.ts";
import { inTransaction, type Pool, type Queryable } from "../store/pool.ts";
import { findWatchers, type Watcher, wantsTraces } from "../store/watchers.ts";

/** A step of the chain: blocks to take back, and blocks that follow on what is left. */
export type ChainStep = {
  /** The newest recorded block, as the caller believes. */
  cursor: BlockId;
  /** Blocks above this number leave the chain. */
  retractAbove?: number;
  /** In order, each the child of the one before. */
  bundles: readonly BlockBundle[];
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

/** @returns how many notifications were recorded @throws CursorMovedError, TracesMissingError, with nothing recorded */
export async function recordStep(pool: Pool, chainId: string, step: ChainStep): Promise<number> {
  return inTransaction(pool, async (db) => {
    await lockChainExclusively(db, chainId);
    const { cursor, highest } = await readCursor(db, chainId);
    if (cursor?.hash !== step.cursor.hash) throw new CursorMovedError(`chain ${chainId} was followed elsewhere`);
    if (step.bundles.some(({ traces }) => !traces) && (await wantsTraces(db, chainId))) throw new TracesMissingError();
    const notifications = [
      ...(step.retractAbove === undefined ? [] : await retract(db, chainId, step.retractAbove)),
      ...(await notify(db, chainId, step.bundles, highest)),
    ];
    await appendNotifications(db, chainId, notifications);
    await advanceCursor(
      db,
      chainId,
      step.bundles.map(({ block }) => ({ number: Number(block.number), hash: block.hash })),
      step.finalNumber,
    );
    return notifications.length;
  });
}

/** For every notification of the blocks above `number` that still stands, its retraction, the newest block's first. */
async function retract(db: Queryable, chainId: string, number: number): Promise<NewNotification[]> {
  const retractions: NewNotification[] = [];
  const events = new Map<string, NewEvent>();
  for (const block of await takeBlocksAbove(db, chainId, number)) {
    const blockHash = `0x${block.hash.toString("hex")}`;
    for (const past of await pastNotifications(db, chainId, block)) {
      if (past.removed) continue;
      const event = events.get(past.body) ?? {
        ...past,
        blockNumber: block.number,
        blockHash,
        removed: true,
        body: retractionText(past.body),
      };
      events.set(past.body, event);
      retractions.push(newNotification(past, event, past.occurrence + 1));
    }
  }
  return retractions;
}

async function notify(
  db: Queryable,
  chainId: string,
  bundles: readonly BlockBundle[],
  highest: number,
): Promise<NewNotification[]> {
  const blocks = bundles.map((bundle) => ({ bundle, activities: activitiesOf(bundle) }));
  const watchersAt = await findWatchers(db, chainId, participantsOf(blocks.flatMap(({ activities }) => activities)));
  const notifications: NewNotification[] = [];
  for (const { bundle, activities } of blocks) {
    const number = Number(bundle.block.number);
    const matches = matchBlock(activities, watchersAt(number));
    if (matches.length === 0) continue;
    const occurrences = number <= highest ? await occurrencesOf(db, chainId, bundle) : new Map<string, number>();
    const eventOf = eventsOf(bundle, chainId);
    for (const { activity, webhook } of matches) {
      const occurrence = occurrences.get(`${webhook.id} ${activity.transactionHash}`) ?? 0;
      notifications.push(
        newNotification(
          { webhookId: webhook.id, shard: webhook.shard },
          eventOf(activity.transactionIndex, webhook),
          occurrence,
        ),
      );
    }
  }
  return notifications;
}

/** How many times each webhook was notified of each transaction, when the block was on the chain before. */
async function occurrencesOf(db: Queryable, chainId: string, { block }: BlockBundle): Promise<Map<string, number>> {
  const past = await pastNotifications(db, chainId, {
    number: Number(block.number),
    hash: Buffer.from(block.hash.slice(2), "hex"),
  });
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

/** A notification of an event, under the messageId that this occurrence of it has. */
export function newNotification(
  { webhookId, shard }: { webhookId: string; shard: number },
  event: NewEvent,
  occurrence: number,
): NewNotification {
  const { blockHash, transactionHash } = event;
  return {
    webhookId,
    shard,
    occurrence,
    event,
    messageId: messageIdOf({ webhookId, blockHash, transactionHash, occurrence }),
  };
}
