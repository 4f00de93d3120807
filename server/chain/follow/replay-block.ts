/**
 * Replays one block for one webhook, in one transaction under the chain's lock. Recorded notifications are sent again, missed ones are
 * recorded as the follower would have done, and the replay moves on.
 */
import { ServiceError } from "../../errors.ts";
import { type BlockId, isRecorded, type LaneId, type Recorded, readCursor } from "../../store/chains/cursor.ts";
import { lockChainExclusively } from "../../store/chains/lock.ts";
import {
  holdReplayStep,
  lastSequence,
  noteReplayStep,
  notifiedBefore,
  type ReplayStep,
  readWatcher,
  watchedAmong,
} from "../../store/chains/replay-work.ts";
import { appendNotifications } from "../../store/outbox/append.ts";
import { holdNotifications } from "../../store/outbox/held.ts";
import { heldTransactions } from "../../store/outbox/held-state.ts";
import { requestResends } from "../../store/outbox/resends.ts";
import { inTransaction, type Pool, type Queryable } from "../../store/pool.ts";
import { addCreated } from "../../store/webhooks/created-addresses.ts";
import type { ReadBlock } from "../read/block.ts";
import type { TokenPass } from "../tokens/token-reader.ts";
import { divide, statedAt } from "./finality.ts";
import { type Matched, newNotification } from "./notifications.ts";

/** How often a webhook may be notified between what was read of it and the lock, until another step tries again. */
const mostTries = 5;

/** How many notifications are sent again, and how many were missed. */
export type ReplayedBlock = { resent: number; added: number };

type ReplayOptions = { block: ReadBlock; tokens?: TokenPass | undefined; addressQuota?: number | undefined };

/**
 * What the webhook was notified of is read before the lock is taken. Its account may have a million notifications of the block, and others would
 * wait for the lock meanwhile.
 *
 * @returns undefined if another process was faster, the webhook is gone, or it is notified again and again
 * @throws {ServiceError} with nothing changed. `other_branch`: the node's block is not the one that was followed. `traces_missing`: the
 *   webhook switched internal transactions on after the block was fetched without
 */
export async function replayBlock(
  pool: Pool,
  chainId: string,
  step: ReplayStep,
  options: ReplayOptions,
): Promise<ReplayedBlock | undefined> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const before = await notifiedBefore(pool, step, { chainId, number: step.block, hash: options.block.hash });
    const replayed = await recordReplay(pool, { chainId, step, before }, options);
    if (replayed !== "notified meanwhile") return replayed;
  }
  return undefined;
}

type Before = Awaited<ReturnType<typeof notifiedBefore>>;

async function recordReplay(
  pool: Pool,
  { chainId, step, before }: { chainId: string; step: ReplayStep; before: Before },
  { block, tokens, addressQuota }: ReplayOptions,
): Promise<ReplayedBlock | "notified meanwhile" | undefined> {
  return inTransaction(pool, async (db) => {
    await lockChainExclusively(db, chainId);
    if (!(await holdReplayStep(db, step))) return undefined;
    const webhook = await readWatcher(db, step.webhookId);
    if (!webhook) return undefined;
    const recorded = await assertFollowed(db, { chainId, lane: webhook.lane }, block);
    if (webhook.includeInternalTxs && !block.traced)
      throw new ServiceError("traces_missing", "the webhook has wanted traces since the block was fetched");

    if ((await lastSequence(db, webhook.id)) !== before.sequence) return "notified meanwhile";
    const { known } = before;
    const newestOf = new Map(known.map((notification) => [notification.transactionHash, notification]));
    const standing = standingOf(known);
    const held = recorded.holds ? await heldTransactions(db, webhook.id, step.block) : new Set<string>();
    const watched = await watchedAmong(db, webhook.id, block);
    const { anyAddress, createdBy } = webhook.options ?? {};
    const { events, created } = await block.match(
      new Map(watched.map((address) => [address, [webhook]])),
      tokens && ((contracts) => tokens.find(db, contracts)),
      { anywhere: anyAddress ? [webhook] : [], factories: createdBy ? [{ ...webhook, isActive: true }] : [] },
    );
    if (created) await addCreated(db, created, { chainId, number: step.block, recordedUpTo: step.block }, addressQuota);
    const missed = events.flatMap((event): Matched[] => {
      const newest = newestOf.get(event.transactionHash);
      // After a retraction, the block came back to the chain while the webhook was not notified.
      if ((newest && !newest.removed) || held.has(event.transactionHash)) return [];
      const finality = webhook.options?.finality;
      const occurrence = newest ? newest.occurrence + 1 : 0;
      return [{ ...newNotification(webhook, event, occurrence), ...(finality && { finality }) }];
    });
    // Those of notifications on record are not needed.
    if (missed.length > 0) tokens?.assertAsked();
    await requestResends(db, webhook, "replay", standing);
    const replayed = { resent: standing.length, added: await addMissed(db, chainId, missed, recorded) };
    await noteReplayStep(db, step, replayed);
    return replayed;
  });
}

/** What no retraction has undone: of each transaction the newest notification, and with the finality `both` maybe the one before. */
function standingOf<N extends { transactionHash: string; removed: boolean }>(known: readonly N[]): N[] {
  const standing = new Map<string, N[]>();
  for (const notification of known) {
    const { transactionHash, removed } = notification;
    standing.set(transactionHash, removed ? [] : [...(standing.get(transactionHash) ?? []), notification]);
  }
  return [...standing.values()].flat();
}

/** Records what was missed, or holds it if it is not deep enough for its webhook. @returns how many notifications */
async function addMissed(
  db: Queryable,
  chainId: string,
  missed: readonly Matched[],
  { cursor, final }: Pick<Recorded, "final"> & { cursor: BlockId },
): Promise<number> {
  const reach = { cursor: cursor.number, final: Math.min(cursor.number, final) };
  const { now, due, held } = divide(missed, reach);
  await appendNotifications(db, chainId, [...now, ...statedAt(reach, due)]);
  await holdNotifications(db, chainId, held);
  return now.length + due.length + held.length;
}

/** A replay covers only blocks that the webhook's lane has followed. So a block that leaves the chain later is retracted like any other. */
async function assertFollowed(
  db: Queryable,
  lane: LaneId,
  { number, hash }: ReadBlock,
): Promise<Recorded & { cursor: BlockId }> {
  const { cursor, ...recorded } = await readCursor(db, lane);
  if (recorded.owedAfter !== undefined && cursor?.number === number)
    throw new ServiceError("other_branch", `block ${number} is still being matched for the webhook`);
  const followed = await isRecorded(db, lane, { number, hash });
  if (!cursor || cursor.number < number || followed === false)
    throw new ServiceError("other_branch", `the node's block ${number} is not the one that was followed`);
  return { ...recorded, cursor };
}
