/** The notifications of blocks that join the chain, and the retractions for blocks that leave it. */
import type { EffortLimit } from "../../matching/effort.ts";
import { retractionText } from "../../matching/event.ts";
import { messageIdOf } from "../../matching/message-id.ts";
import type { WebhookOptions } from "../../matching/new-webhook.ts";
import { type BlockId, type LaneId, type Recorded, takeBlocksAbove } from "../../store/chains/cursor.ts";
import { sendReplaysBack } from "../../store/chains/replay-work.ts";
import type { NewEvent, NewNotification } from "../../store/outbox/append.ts";
import {
  noteRetracted,
  type RecordedNotification,
  recordedEvents,
  recordedMessages,
  recordedNotifications,
  wasRetracted,
} from "../../store/outbox/block-history.ts";
import type { Queryable } from "../../store/pool.ts";
import { addCreated, type CreatedIn } from "../../store/webhooks/created-addresses.ts";
import type { Watched, Watcher, WatchersBeyond } from "../../store/webhooks/watchers.ts";
import type { BlockMatches, ReadBlock } from "../read/block.ts";
import type { TokenPass } from "../tokens/token-reader.ts";

/** What a webhook is notified of, and its finality, if it has one: then it may be notified later. */
export type Matched = NewNotification & { finality?: WebhookOptions["finality"] };

/**
 * @param context.recorded how far the lane is recorded, read under the chain's lock
 * @param context.watched who watches the participants of the blocks
 * @param context.addressQuota for accounts without their own, if any
 * @param context.tokens knows the tokens that were transferred
 * @param context.limit how much of a block an account may take; by default anything
 * @throws CostlyAccountsError
 */
export async function notificationsOf(
  db: Queryable,
  lane: LaneId,
  blocks: readonly ReadBlock[],
  {
    recorded,
    watched,
    addressQuota,
    tokens,
    limit,
  }: {
    recorded: Recorded;
    watched: Watched;
    addressQuota?: number | undefined;
    tokens?: TokenPass | undefined;
    limit?: EffortLimit | undefined;
  },
): Promise<Matched[]> {
  const notifications: Matched[] = [];
  const watching = createStepWatch();
  const source = tokens && ((contracts: readonly string[]) => tokens.find(db, contracts));
  for (const block of blocks) {
    if (block.isPassed) continue;
    const beyond = watched.beyondAt(block.number);
    const watchedBy = watching.at(block, watched.at(block.number));
    if (watchedBy.size === 0 && !beyond) continue;
    const matched = await block.match(watchedBy, source, { ...(beyond ?? nobody), limit });
    if (matched.costly) throw new CostlyAccountsError(matched.costly);
    const { events, matches: all, created } = matched;
    const matches = all.filter(({ id }) => !watching.isStopped(id));
    if (created && beyond) {
      if (limit) assertFewCreated(created, beyond);
      const recordedUpTo = blocks.at(-1)?.number ?? block.number;
      const place = { chainId: lane.chainId, number: block.number, recordedUpTo };
      watching.add(created, beyond, await addCreated(db, created, place, addressQuota));
    }
    if (matches.length === 0) continue;
    // Nobody was notified of a block above the highest number ever recorded.
    const isKnown = block.number <= recorded.highest && (await wasRetracted(db, lane.chainId, block));
    notifications.push(...(await notificationsFor(db, block, { events, matches, isKnown })));
  }
  return notifications;
}

/**
 * The notifications of a block's matches.
 *
 * @param context.isKnown whether notifications of the block were ever retracted: only they can come again
 */
export async function notificationsFor(
  db: Queryable,
  block: BlockId,
  { events, matches, isKnown }: Matches & { isKnown: boolean },
): Promise<Matched[]> {
  const occurrences = isKnown ? await occurrencesOf(db, block, { events, matches }) : [];
  return matches.map(({ event: index, finality, ...webhook }, at) => {
    const event = events[index] as NewEvent;
    const occurrence = occurrences[at] ?? 0;
    return { ...newNotification(webhook, event, occurrence), ...(finality && { finality }) };
  });
}

/** How many contracts are added for an account in one transaction with those of others: 1,000 rows take 20 ms. */
const mostCreated = 1_000;

/** @throws CostlyAccountsError */
function assertFewCreated(created: CreatedIn, { factories }: WatchersBeyond): void {
  const accountOf = new Map(factories.map(({ id, accountId }) => [id, accountId]));
  const counts = new Map<number, number>();
  for (const { webhookIds, addresses } of created)
    for (const id of webhookIds) {
      const account = accountOf.get(id);
      if (account !== undefined) counts.set(account, (counts.get(account) ?? 0) + addresses.length);
    }
  const costly = [...counts].flatMap(([account, count]) => (count > mostCreated ? account : []));
  if (costly.length > 0) throw new CostlyAccountsError(costly);
}

type Matches = Pick<BlockMatches, "events" | "matches">;

const nobody: WatchersBeyond = { anywhere: [], factories: [] };

/** Webhooks of these accounts take more of a block than an account may. Nothing was recorded. */
export class CostlyAccountsError extends Error {
  override readonly name = "CostlyAccountsError";
  readonly accountIds: readonly number[];

  constructor(accountIds: readonly number[]) {
    super(`webhooks of the account ${accountIds.join(", ")} take too much of a block`);
    this.accountIds = accountIds;
  }
}

/** Webhooks have changed since they were matched. Nothing was recorded. */
export class ChangedWebhooksError extends Error {
  override readonly name = "ChangedWebhooksError";

  constructor() {
    super("webhooks have changed since they were matched");
  }
}

export function newNotification(
  { id: webhookId, shard }: Pick<Watcher, "id" | "shard">,
  event: NewEvent,
  occurrence: number,
): NewNotification {
  const { blockHash, transactionHash } = event;
  const messageId = messageIdOf({ webhookId, blockHash, transactionHash, occurrence });
  return { webhookId, shard, occurrence, event, messageId };
}

/**
 * How often each match was notified while the block was on the chain before. They are looked up by their messageIds: the block may have a million
 * notifications, of this webhook or of others.
 */
async function occurrencesOf(
  db: Queryable,
  { hash: blockHash }: BlockId,
  { events, matches }: Matches,
): Promise<number[]> {
  const occurrences = matches.map(() => 0);
  let asked = matches.map((_, at) => at);
  while (asked.length > 0) {
    const messageIds = asked.map((at) => {
      const { id: webhookId, event } = matches[at] as Matches["matches"][number];
      const { transactionHash } = events[event] as NewEvent;
      return messageIdOf({ webhookId, blockHash, transactionHash, occurrence: occurrences[at] ?? 0 });
    });
    const known = await recordedMessages(db, messageIds);
    asked = asked.filter((at, index) => {
      const isKnown = known.has(messageIds[index] ?? "");
      if (isKnown) occurrences[at] = (occurrences[at] ?? 0) + 1;
      return isKnown;
    });
  }
  return occurrences;
}

/**
 * Takes the blocks above `number` off the lane's record.
 *
 * @returns a retraction for each of their notifications that stands, of the newest block first and within a block in the order of the
 *   notifications. Inactive webhooks get theirs, too, once they are active again
 */
export async function retractionsAbove(db: Queryable, lane: LaneId, number: number): Promise<NewNotification[]> {
  const retractions: NewNotification[] = [];
  const blocks = await takeBlocksAbove(db, lane, number);
  await noteRetracted(db, lane.chainId, blocks);
  await sendReplaysBack(db, lane, number);
  for (const block of blocks) {
    const standing = (await recordedNotifications(db, lane, block)).filter(({ removed }) => !removed);
    const eventOf = await retractedEvents(db, block, standing);
    for (const recorded of standing) {
      const webhook = { id: recorded.webhookId, shard: recorded.shard };
      retractions.push(newNotification(webhook, eventOf(recorded), recorded.occurrence + 1));
    }
  }
  return retractions;
}

/** One event retracts an event, however many webhooks share it. */
export async function retractedEvents(
  db: Queryable,
  block: BlockId,
  standing: readonly RecordedNotification[],
): Promise<(recorded: RecordedNotification) => NewEvent> {
  const bodies = await recordedEvents(db, standing);
  const events = new Map<number, NewEvent>();
  return ({ eventId, transactionHash, transactionIndex }) => {
    const known = events.get(eventId);
    if (known) return known;
    const body = bodies.get(eventId);
    if (body === undefined) throw new Error(`the event ${eventId} of block ${block.hash} is missing`);
    const event: NewEvent = {
      blockNumber: block.number,
      blockHash: block.hash,
      transactionHash,
      transactionIndex,
      removed: true,
      body: retractionText(body),
    };
    events.set(eventId, event);
    return event;
  };
}

/** What the blocks of a step add to what is watched in its later blocks. What was watched before the step is looked up once for all of them. */
type StepWatch = {
  /** Adds to a block's watchers those of contracts that were created in earlier blocks of the step. */
  at(block: ReadBlock, watchedBy: Map<string, Watcher[]>): Map<string, Watcher[]>;
  /** @param stopped webhooks that became inactive, and match in no later block */
  add(created: CreatedIn, beyond: WatchersBeyond, stopped: ReadonlySet<string>): void;
  isStopped(webhookId: string): boolean;
};

function createStepWatch(): StepWatch {
  const watchersOf = new Map<string, readonly Watcher[]>();
  const allStopped = new Set<string>();
  return {
    at({ participants }, watchedBy) {
      for (const address of watchersOf.size > 0 ? participants : []) {
        const known = watchersOf.get(address);
        if (!known) continue;
        const watchers = new Map([...(watchedBy.get(address) ?? []), ...known].map((watcher) => [watcher.id, watcher]));
        watchedBy.set(address, [...watchers.values()]);
      }
      return watchedBy;
    },
    add(created, { factories }, stopped) {
      for (const id of stopped) allStopped.add(id);
      const active = new Map(factories.filter(({ isActive }) => isActive).map((watcher) => [watcher.id, watcher]));
      for (const { webhookIds, addresses } of created) {
        const watchers = webhookIds.flatMap((id) => active.get(id) ?? []);
        for (const address of watchers.length > 0 ? addresses : []) {
          const known = watchersOf.get(address);
          // Thousands of contracts of one factory share their thousands of watchers.
          watchersOf.set(address, known ? [...known, ...watchers] : watchers);
        }
      }
    },
    isStopped: (webhookId) => allStopped.has(webhookId),
  };
}
