/**
 * What a webhook's finality makes of its matches: some are recorded with their block, some are held until it is deep enough, and with
 * `both` each is recorded twice. The second never comes before the first, nor after a retraction, which drops what is held.
 */
import { finalityText } from "../../matching/event.ts";
import { type LaneId, noteFinalBlock, readCursor } from "../../store/chains/cursor.ts";
import { lockChainExclusively } from "../../store/chains/lock.ts";
import { appendAllButLast, type NewEvent, type NewNotification } from "../../store/outbox/append.ts";
import { type HeldNotification, holdNotifications, type Reach, takeDue } from "../../store/outbox/held.ts";
import { openTransaction, type Pool, type Queryable, together } from "../../store/pool.ts";
import { type Matched, newNotification } from "./notifications.ts";

/** Matches by when they are recorded: now; now, since they are deep enough already; or later. */
export type Divided = { now: NewNotification[]; due: HeldNotification[]; held: HeldNotification[] };

/** @param reach how far the matches' lane is recorded, with them */
export function divideByDepth(matches: readonly Matched[], reach: Reach): Divided {
  const textOf = textsAt(reach);
  const divided: Divided = { now: [], due: [], held: [] };
  for (const { finality, ...match } of matches) {
    if (finality === undefined) divided.now.push(match);
    else {
      if (finality === "both") divided.now.push({ ...match, event: textOf(match.event, { finalized: false }) });
      const occurrence = match.occurrence + (finality === "both" ? 1 : 0);
      const dueAt = typeof finality === "object" ? match.event.blockNumber + finality.confirmations : null;
      const later = { ...match, occurrence, dueAt };
      const isDue = dueAt === null ? match.event.blockNumber <= reach.final : dueAt <= reach.cursor;
      divided[isDue ? "due" : "held"].push(later);
    }
  }
  return divided;
}

/**
 * Takes what is deep enough, inside the caller's transaction.
 *
 * @param options.isEmpty whether nothing was held on the chain before
 * @returns the notifications to record after those of now; `hold` sends the rest
 */
export async function holdAndRelease(
  db: Queryable,
  lane: LaneId,
  { due, held }: Omit<Divided, "now">,
  { reach, isEmpty }: { reach: Reach; isEmpty: boolean },
): Promise<{ released: NewNotification[]; hold: () => Promise<void> }> {
  const { due: older, more } = isEmpty ? { due: [], more: false } : await takeDue(db, lane, reach);
  const released = statedAt(reach, more ? older : [...older, ...due]);
  // While older blocks wait for their turn, newer ones wait behind them.
  return { released, hold: () => holdNotifications(db, lane.chainId, more ? [...due, ...held] : held) };
}

/**
 * Records what has become due without a new block, in a transaction of its own.
 *
 * @param finalNumber the newest final block of the lane now, if that is known
 * @returns how many notifications were recorded
 */
export async function releaseHeld(pool: Pool, lane: LaneId, finalNumber?: number): Promise<number> {
  const opening = (db: Queryable) => together([lockChainExclusively(db, lane.chainId), readCursor(db, lane)]);
  return openTransaction(pool, opening, async (db, [, { cursor, final, leaving, apartAccount }]) => {
    // What is held of a block that leaves is dropped with it.
    if (!cursor || leaving) return { result: 0 };
    if (finalNumber !== undefined && finalNumber > final) await noteFinalBlock(db, lane, finalNumber);
    const reach = { cursor: cursor.number, final: Math.min(cursor.number, Math.max(final, finalNumber ?? final)) };
    const notifications = statedAt(reach, (await takeDue(db, lane, reach)).due);
    const appendLast = await appendAllButLast(db, lane.chainId, notifications, { apartAccount });
    return { result: notifications.length, sendLast: () => [appendLast()] };
  });
}

/** The notifications of what is due, with what they say of finality. */
export function statedAt(reach: Reach, due: readonly HeldNotification[]): NewNotification[] {
  const textOf = textsAt(reach);
  return due.map(({ webhookId, shard, occurrence, event, dueAt }) =>
    newNotification({ id: webhookId, shard }, textOf(event, { finalized: dueAt === null }), occurrence),
  );
}

/** @returns makes each event's text once, however many webhooks share it */
function textsAt({ cursor }: Reach): (event: NewEvent, says: { finalized: boolean }) => NewEvent {
  const made = { final: new Map<NewEvent, NewEvent>(), open: new Map<NewEvent, NewEvent>() };
  return (event, { finalized }) => {
    const known = finalized ? made.final : made.open;
    const confirmations = cursor - event.blockNumber;
    const stated = known.get(event) ?? { ...event, body: finalityText(event.body, { confirmations, finalized }) };
    known.set(event, stated);
    return stated;
  };
}
