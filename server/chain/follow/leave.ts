/** Takes blocks that leave off the record of a lane that is set apart: what they notified of is retracted, a little in each transaction. */
import { setTimeout as sleep } from "node:timers/promises";
import { ServiceError } from "../../base/errors.ts";
import { messageIdOf } from "../../matching/message-id.ts";
import { type BlockId, type LaneId, readCursor } from "../../store/chains/cursor.ts";
import { webhooksInLane } from "../../store/chains/lanes.ts";
import { type Leaving, leaveBlock, leavingOf, noteLeaving } from "../../store/chains/leaving.ts";
import { lockChainExclusively } from "../../store/chains/lock.ts";
import { appendAllButLast } from "../../store/outbox/append.ts";
import {
  type BlockNotification,
  type BlockPlace,
  blockNotifications,
  hasNewEvents,
  recordedMessages,
} from "../../store/outbox/block-history.ts";
import { dropSomeHeld } from "../../store/outbox/held.ts";
import { openTransaction, type Pool, type Queryable, together } from "../../store/pool.ts";
import { forgetCreatedAbove } from "../../store/webhooks/created-addresses.ts";
import { newNotification, retractedEvents } from "./notifications.ts";

/** How many notifications of a lane that is set apart are recorded in one transaction. */
export const recordedAtOnce = 200;
/** And the characters of their events, or of one event. */
export const charactersAtOnce = 500_000;

/** At most so long a lane that is set apart leaves the lock to others, between two transactions. */
const longestRestMs = 50;

/** Waits as long as the transaction took that began then: the lock is free for half of the time at least, whoever wants it. */
export const rest = (from: number): Promise<void> => sleep(Math.min(longestRestMs, performance.now() - from));

type LeaveOptions = {
  /** How many notifications are retracted in one transaction. */
  atOnce?: number;
};

/**
 * Goes on to leave blocks until none is left that must. Each step is one transaction. A retraction is due unless it is on record itself, by its
 * messageId. So whoever goes on repeats none and loses none, wherever the last one ended; the place on record only says where to look first.
 *
 * @returns yields how many retractions a transaction has recorded
 * @throws {ServiceError} `cursor_moved`: another process did it meanwhile
 */
export async function* leaveBlocks(
  pool: Pool,
  lane: LaneId,
  { atOnce = recordedAtOnce }: LeaveOptions = {},
): AsyncGenerator<number> {
  for (;;) {
    const found = leavingOf(await readCursor(pool, lane));
    if (!found) return;
    const { block } = found;
    let [leaving, looked] = [found, found.place];
    for (let isLast = false; !isLast; ) {
      const some = await blockNotifications(pool, { ...lane, ...found }, block, looked);
      for (const part of partsOf(await withoutRetracted(pool, block, some.notifications), atOnce)) {
        const place = placeAfter(part, leaving.place);
        const from = performance.now();
        yield await retract(pool, lane, { leaving, part, place });
        leaving = { ...leaving, place };
        await rest(from);
      }
      looked = some.place;
      isLast = some.isLast;
    }
    const from = performance.now();
    await endBlock(pool, lane, leaving, looked);
    yield 0;
    await rest(from);
  }
}

/** Those of which no retraction is on record. With the finality `both` the newest of two stands for both. */
async function withoutRetracted<N extends BlockNotification>(
  db: Queryable,
  { hash: blockHash }: BlockId,
  notifications: readonly N[],
): Promise<N[]> {
  const nextIds = notifications.map(({ webhookId, transactionHash, occurrence }) =>
    messageIdOf({ webhookId, blockHash, transactionHash, occurrence: occurrence + 1 }),
  );
  const oldest = notifications.reduce((day, { recordedOn }) => (recordedOn < day ? recordedOn : day), "infinity");
  const known = await recordedMessages(db, nextIds, oldest);
  return notifications.filter((_, index) => !known.has(nextIds[index] ?? ""));
}

function* partsOf(notifications: readonly BlockNotification[], atOnce: number): Generator<BlockNotification[]> {
  let part: BlockNotification[] = [];
  let characters = 0;
  for (const notification of notifications) {
    const { eventId, size } = notification;
    const more = part.at(-1)?.eventId === eventId ? 0 : size;
    if (part.length === atOnce || (part.length > 0 && characters + more > charactersAtOnce)) {
      yield part;
      part = [];
      characters = 0;
    }
    characters += part.at(-1)?.eventId === eventId ? 0 : size;
    part.push(notification);
  }
  if (part.length > 0) yield part;
}

function placeAfter(part: readonly BlockNotification[], before: BlockPlace): BlockPlace {
  const last = part.at(-1);
  return last ? { event: last.eventId, webhookId: last.webhookId } : before;
}

type Part = { leaving: Leaving; part: readonly BlockNotification[]; place: BlockPlace };

/** @returns how many retractions were recorded: a webhook that was deleted gets none */
async function retract(pool: Pool, lane: LaneId, { leaving, part, place }: Part): Promise<number> {
  const { block, apartAccount } = leaving;
  const eventOf = await retractedEvents(pool, block, part);
  const ids = [...new Set(part.map(({ webhookId }) => webhookId))];
  const opening = (db: Queryable) =>
    together([
      lockChainExclusively(db, lane.chainId),
      readCursor(db, lane),
      webhooksInLane(db, lane, ids),
      withoutRetracted(db, block, part),
    ]);
  return openTransaction(pool, opening, async (db, [, recorded, inLane, standing]) => {
    assertSame(leaving, leavingOf(recorded), lane);
    const retractions = standing
      .filter(({ webhookId }) => inLane.has(webhookId))
      .map((one) => newNotification({ id: one.webhookId, shard: one.shard }, eventOf(one), one.occurrence + 1));
    const appendLast = await appendAllButLast(db, lane.chainId, retractions, { apartAccount });
    return { result: retractions.length, sendLast: () => [noteLeaving(db, lane, place), appendLast()] };
  });
}

/** How many held notifications, and how many contracts that factories created, are dropped in one transaction. */
const droppedAtOnce = 1_000;

/** Takes the block off the record if nothing of it is left: no notification, none that is held, and no contract that is watched because of it. */
async function endBlock(pool: Pool, lane: LaneId, leaving: Leaving, place: BlockPlace): Promise<void> {
  const { block } = leaving;
  const opening = (db: Queryable) => together([lockChainExclusively(db, lane.chainId), readCursor(db, lane)]);
  await openTransaction(pool, opening, async (db, [, recorded]) => {
    assertSame(leaving, leavingOf(recorded), lane);
    const hasMore = await hasNewEvents(db, { ...lane, ...leaving }, block, place);
    const dropped = recorded.holds ? await dropSomeHeld(db, lane, { number: block.number, most: droppedAtOnce }) : 0;
    const forgotten =
      recorded.factories && dropped < droppedAtOnce
        ? await forgetCreatedAbove(db, lane, { above: block.number - 1, most: droppedAtOnce })
        : 0;
    if (hasMore || Math.max(dropped, forgotten) === droppedAtOnce)
      return { result: undefined, sendLast: () => [noteLeaving(db, lane, place)] };
    await leaveBlock(db, lane, leaving);
    return { result: undefined };
  });
}

function assertSame(expected: Leaving, found: Leaving | undefined, { chainId }: LaneId): void {
  const { block, place } = expected;
  const isSame =
    found?.block.hash === block.hash && found.place.event === place.event && found.place.webhookId === place.webhookId;
  if (!isSame)
    throw new ServiceError("cursor_moved", `block ${block.number} of chain ${chainId} was retracted elsewhere`);
}
