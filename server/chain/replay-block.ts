/**
 * Replays one block for one webhook, in one transaction under the chain's lock: what was recorded is sent again, what was
 * missed is recorded as the follower would have, and the replay moves on.
 */
import { activitiesOf, participantsOf } from "../matching/participants.ts";
import { matchBlock } from "../matching/rule.ts";
import type { BlockBundle } from "../matching/wire.ts";
import { isRecorded, readCursor } from "../store/chain-cursor.ts";
import { lockChainExclusively } from "../store/chain-lock.ts";
import { appendNotifications } from "../store/outbox.ts";
import { inTransaction, type Pool, type Queryable } from "../store/pool.ts";
import {
  holdReplayStep,
  noteReplayStep,
  type ReplayStep,
  readWatcher,
  recordedNotifications,
  watchedAmong,
} from "../store/replay-work.ts";
import { requestResends } from "../store/resends.ts";
import { eventsOf, newNotification } from "./notifications.ts";
import { TracesMissingError } from "./record.ts";

/** The node's block is not the one that was followed; it will be when both are of one mind again. */
export class OtherBranchError extends Error {
  override readonly name = "OtherBranchError";
}

/** What a block of a replay came to. */
export type Replayed = { resent: number; added: number };

/**
 * @param bundle the block of the step, checked
 * @returns undefined when another process was faster or the webhook is gone
 * @throws OtherBranchError, TracesMissingError, with nothing changed
 */
export async function replayBlock(
  pool: Pool,
  chainId: string,
  step: ReplayStep,
  bundle: BlockBundle,
): Promise<Replayed | undefined> {
  const activities = activitiesOf(bundle);
  return inTransaction(pool, async (db) => {
    await lockChainExclusively(db, chainId);
    if (!(await holdReplayStep(db, step))) return undefined;
    const webhook = await readWatcher(db, step.webhookId);
    if (!webhook) return undefined;
    await assertFollowed(db, chainId, bundle);
    if (webhook.includeInternalTxs && !bundle.traces) throw new TracesMissingError();

    const { hash } = bundle.block;
    const recorded = await recordedNotifications(db, webhook.id, { chainId, number: step.block, hash });
    const pastOf = new Map(recorded.map((past) => [past.transactionHash, past]));
    const watched = await watchedAmong(db, webhook.id, participantsOf(activities));
    const eventOf = eventsOf(bundle, chainId);
    const missed = matchBlock(activities, new Map(watched.map((address) => [address, [webhook]]))).flatMap(
      ({ activity: { transactionHash, transactionIndex } }) => {
        const past = pastOf.get(transactionHash);
        // A retraction of a block that is on the chain now: it left and came back while nobody was to be notified.
        if (past && !past.removed) return [];
        return [newNotification(webhook, eventOf(transactionIndex, webhook), past ? past.occurrence + 1 : 0)];
      },
    );
    const standing = recorded.filter(({ removed }) => !removed);
    await requestResends(db, webhook, "replay", standing);
    await appendNotifications(db, chainId, missed);
    const replayed = { resent: standing.length, added: missed.length };
    await noteReplayStep(db, step, replayed);
    return replayed;
  });
}

/** Only what was followed is replayed, so that whatever leaves the chain later is retracted like everything else. */
async function assertFollowed(db: Queryable, chainId: string, { block }: BlockBundle): Promise<void> {
  const number = Number(block.number);
  const { cursor } = await readCursor(db, chainId);
  const followed = await isRecorded(db, chainId, { number, hash: block.hash });
  if (!cursor || cursor.number < number || followed === false)
    throw new OtherBranchError(`the node's block ${number} is not the one that was followed`);
}
