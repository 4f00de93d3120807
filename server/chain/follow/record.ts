/**
 * Records a step: the notifications of new blocks, the retractions for blocks that left the chain, and the cursor. All is one transaction
 * under the chain's lock, so a crash can neither lose nor repeat anything.
 */
import { ServiceError } from "../../errors.ts";
import { advanceCursor, beginAt, isRecorded, type LaneId, noteHead, readCursor } from "../../store/chains/cursor.ts";
import { haveStrays, joinLanes, type Lane, type LaneKind, moveStrays } from "../../store/chains/lanes.ts";
import { lockChainExclusively } from "../../store/chains/lock.ts";
import { appendNotifications, type BehindAppend, behindCommitOf } from "../../store/outbox/append.ts";
import { dropHeldAbove } from "../../store/outbox/held.ts";
import { openTransaction, type Pool, type Queryable, together } from "../../store/pool.ts";
import { forgetCreatedAbove } from "../../store/webhooks/created-addresses.ts";
import type { WatchFilter } from "../../store/webhooks/watch-filter.ts";
import type { TokenPass, TokenReader } from "../tokens/token-reader.ts";
import type { IsRecorded } from "./branch.ts";
import { divide, holdAndRelease, releaseHeld } from "./finality.ts";
import { notificationsOf, retractionsAbove } from "./notifications.ts";
import type { ChainStep, LaneRecord } from "./step.ts";

export type RecordOptions = {
  /** For accounts without their own, if any. */
  addressQuota?: number | undefined;
  /** Reads and announces what was recorded, if anything was. */
  behindCommit?: BehindAppend | undefined;
};

/**
 * @param filter knows which addresses may be watched; always the same for one lane
 * @param tokens knows the tokens that were transferred; by default none is known
 * @returns how many notifications were recorded
 * @throws {ServiceError} `cursor_moved`, with nothing recorded: another process has recorded blocks meanwhile
 */
export async function recordStep(
  pool: Pool,
  lane: LaneId & LaneKind,
  step: ChainStep,
  filter: WatchFilter,
  { tokens, addressQuota, behindCommit }: RecordOptions & { tokens?: TokenPass | undefined } = {},
): Promise<number> {
  const { chainId } = lane;
  const participants = [...new Set(step.blocks.flatMap((block) => block.participants))];
  const opening = (db: Queryable) =>
    together([
      lockChainExclusively(db, chainId),
      readCursor(db, lane),
      haveStrays(db, lane),
      filter.guess(db, participants),
    ]);
  return openTransaction(pool, opening, async (db, [, recorded, strays, guess], commit) => {
    if (recorded.cursor?.hash !== step.cursor.hash)
      throw new ServiceError("cursor_moved", `chain ${chainId} was followed elsewhere`);
    await assertLinked((block) => isRecorded(db, lane, block), step);
    // A webhook that wants the other kind of blocks has everything up to the cursor from this lane, and the rest from the other.
    if (strays) await moveStrays(db, lane);
    if (lane.traces && step.blocks.some(({ traced }) => !traced))
      throw new Error("blocks were read without their traces");
    const retractions = step.retractAbove === undefined ? [] : await retractionsAbove(db, lane, step.retractAbove);
    if (step.retractAbove !== undefined && recorded.holds) await dropHeldAbove(db, lane, step.retractAbove);
    if (step.retractAbove !== undefined && recorded.factories) await forgetCreatedAbove(db, lane, step.retractAbove);
    // A guess ends what can be replaced, but nobody is notified that a block is final because of it.
    const final = step.isFinal ? step.finalNumber : recorded.final;
    const reach = { cursor: step.blocks.at(-1)?.number ?? step.cursor.number, final };
    // What strays moved to another lane is in the guess.
    const watched = await filter.findWatchers(db, recorded, participants, strays ? undefined : guess);
    const matched = await notificationsOf(db, lane, step.blocks, { recorded, watched, addressQuota, tokens });
    tokens?.assertAsked();
    const { now, ...later } = divide(matched, reach);
    const released = await holdAndRelease(db, lane, later, { reach, isEmpty: !recorded.holds });
    const notifications = [...retractions, ...now, ...released];
    const behind = behindCommitOf(behindCommit, chainId, notifications);
    const advanced = advanceCursor(db, lane, step);
    const [mark] = await together([
      advanced,
      recorded.hasTwins && joinLanes(db, lane),
      appendNotifications(db, chainId, notifications, (...last) => {
        // Joining takes further statements.
        if (!recorded.hasTwins) commit([advanced, ...last], behind);
      }),
    ]);
    if (mark) filter.moved(mark);
    commit([], behind);
    return notifications.length;
  });
}

/** The record of a lane in the store. */
export type StoredRecord = LaneRecord & { readonly lane: Lane; readonly filter: WatchFilter };

export function storedRecord(
  pool: Pool,
  lane: Lane,
  filter: WatchFilter,
  { tokens, ...options }: RecordOptions & { tokens?: TokenReader | undefined } = {},
): StoredRecord {
  return {
    ...{ lane, filter },
    noteHead: (number) => noteHead(pool, lane, number),
    beginAt: (block, _parentHash, finalNumber) => beginAt(pool, lane, block, finalNumber),
    isRecorded: (block) => isRecorded(pool, lane, block),
    record: (step) =>
      tokens
        ? tokens.withTokens(newestOf(step), (pass) =>
            recordStep(pool, lane, step, filter, { ...options, tokens: pass }),
          )
        : recordStep(pool, lane, step, filter, options),
    release: (finalNumber) => releaseHeld(pool, lane, finalNumber, options.behindCommit),
  };
}

const newestOf = ({ blocks, cursor }: ChainStep): number => blocks.at(-1)?.number ?? cursor.number;

/** The last gate: the blocks leave no gap, whatever nodes returned. */
export async function assertLinked(isRecorded: IsRecorded, { cursor, retractAbove, blocks }: ChainStep): Promise<void> {
  let number = retractAbove ?? cursor.number;
  let hash = cursor.hash;
  for (const [index, block] of blocks.entries()) {
    const follows =
      index === 0 && retractAbove !== undefined
        ? await isRecorded({ number, hash: block.parentHash })
        : block.parentHash === hash;
    if (!follows || block.number !== number + 1)
      throw new Error(`block ${block.number} (${block.hash}) does not follow on what is recorded`);
    ({ hash } = block);
    number += 1;
  }
}
