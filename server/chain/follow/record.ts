/**
 * Records a step: the notifications of new blocks, the retractions for blocks that left the chain, and the cursor. All is one transaction
 * under the chain's lock, so a crash can neither lose nor repeat anything.
 */
import { ServiceError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { EffortLimit } from "../../matching/effort.ts";
import {
  advanceCursor,
  type BlockId,
  beginAt,
  isRecorded,
  type LaneId,
  noteHead,
  readCursor,
} from "../../store/chains/cursor.ts";
import {
  haveMisplaced,
  joinLanes,
  type Lane,
  type LaneKind,
  moveMisplaced,
  nextSlice,
  noteSlice,
  type Owed,
  type SlicePlace,
  type SliceWebhooks,
  setApart,
} from "../../store/chains/lanes.ts";
import { beginLeaving } from "../../store/chains/leaving.ts";
import { lockChainExclusively } from "../../store/chains/lock.ts";
import { isStatementTimeout } from "../../store/database-errors.ts";
import { appendAllButLast, type NewEvent } from "../../store/outbox/append.ts";
import { accountsWithMany, wasRetracted } from "../../store/outbox/block-history.ts";
import { accountsHoldingMany, dropHeldAbove } from "../../store/outbox/held.ts";
import { commitSoon, openTransaction, type Pool, type Queryable, together } from "../../store/pool.ts";
import {
  accountsCreatingMany,
  addCreated,
  type CreatedIn,
  forgetCreatedAbove,
} from "../../store/webhooks/created-addresses.ts";
import type { WatchFilter } from "../../store/webhooks/watch-filter.ts";
import { crowdingAccounts, findWatchers, type LookupLimit } from "../../store/webhooks/watchers.ts";
import type { BlockMatches, ReadBlock } from "../read/block.ts";
import { wholeIn } from "../read/run-length.ts";
import type { TokenPass, TokenReader } from "../tokens/token-reader.ts";
import { divideByDepth, holdAndRelease, releaseHeld } from "./finality.ts";
import { assertLinked, type ChainStep, type LaneRecord, oneByOne } from "./lane-record.ts";
import { charactersAtOnce, leaveBlocks, recordedAtOnce, rest } from "./leave.ts";
import {
  ChangedWebhooksError,
  CostlyAccountsError,
  notificationsFor,
  notificationsOf,
  retractionsAbove,
} from "./notifications.ts";

type RecordOptions = {
  /** For accounts without their own, if any. */
  addressQuota?: number | undefined;
};

type StoredRecordOptions = RecordOptions & {
  tokens?: TokenReader | undefined;
  bounds?: StepBounds;
  /** Called after each transaction that recorded notifications. */
  onRecorded?: (() => void) | undefined;
  log?: Logger;
};

/** How much an account may take of a step. */
type StepLimit = EffortLimit & {
  lookup?: LookupLimit;
};

type StepOptions = RecordOptions & {
  tokens?: TokenPass | undefined;
  /** By default an account may take anything. */
  limit?: StepLimit | undefined;
  /** Of a lane that is set apart: which of its webhooks to match. */
  slice?: Slice | undefined;
};

type Slice = SlicePlace & {
  /** By default it is matched under the lock. */
  prepared?: PreparedSlice | undefined;
  /** Whether webhooks that have changed since are matched under the lock, too. Otherwise nothing is recorded. */
  mayMatch?: boolean;
};

/**
 * What webhooks of a lane matched of a block before the lock was taken, and what their factories created. It counts for those that have not changed
 * since.
 */
type PreparedSlice = Pick<SliceWebhooks, "webhookIds" | "versions"> &
  Pick<BlockMatches, "events" | "matches"> & { created: CreatedIn };

/**
 * @param filter knows which addresses may be watched; always the same for one lane
 * @param options.tokens knows the tokens that were transferred; by default none is known
 * @returns how many notifications were recorded, and whether webhooks of the lane are still to be matched with the block
 * @throws {ServiceError} `cursor_moved`, with nothing recorded: another process has recorded blocks meanwhile
 * @throws CostlyAccountsError, with nothing recorded
 */
export async function recordStep(
  pool: Pool,
  lane: LaneId & LaneKind,
  step: ChainStep,
  filter: WatchFilter,
  { tokens, addressQuota, limit, slice }: StepOptions = {},
): Promise<{ notifications: number; owed: Owed | undefined }> {
  const { chainId } = lane;
  const participants = [...new Set(step.blocks.flatMap((block) => block.participants))];
  const [block] = step.blocks;
  const opening = (db: Queryable) =>
    together([
      lockChainExclusively(db, chainId),
      readCursor(db, lane),
      haveMisplaced(db, lane),
      slice ? undefined : filter.guess(db, participants, limit?.lookup),
      slice && nextSlice(db, lane, slice),
      slice?.prepared && block && wasRetracted(db, chainId, block),
    ]);
  return openTransaction(pool, opening, async (db, [, recorded, isMisplaced, guess, next, isKnown = false]) => {
    if (recorded.cursor?.hash !== step.cursor.hash || recorded.leaving)
      throw new ServiceError("cursor_moved", `chain ${chainId} was followed elsewhere`);
    const { interest } = step;
    if (interest && (interest.arrivals !== recorded.arrivals || newestOf(step) > interest.upTo))
      throw new ServiceError(
        "cursor_moved",
        `more is watched in a lane of chain ${chainId} than its blocks were read for`,
      );
    const isContinued = slice?.owed !== undefined;
    const match = async (part?: Pick<SliceWebhooks, "webhookIds">) => {
      const ofSlice = part && { webhookIds: part.webhookIds, traces: lane.traces };
      const watched = ofSlice
        ? await findWatchers(db, lane, participants, { ...recorded, limit: limit?.lookup, slice: ofSlice })
        : // What misplaced webhooks watch is in the guess, and leaves the lane.
          await filter.findWatchers(db, recorded, participants, {
            ...{ guess: isMisplaced ? undefined : guess, limit: limit?.lookup },
          });
      if (watched.crowd) throw new CostlyAccountsError(watched.crowd.accountIds);
      return notificationsOf(db, lane, step.blocks, {
        ...{ recorded, watched, addressQuota, tokens, limit: limit && ofEach(limit, wholeIn(step.blocks)) },
      });
    };
    if (slice && step.retractAbove !== undefined)
      throw new Error("a lane that is set apart leaves blocks before it records others");
    const isOwed = recorded.owedAfter === slice?.owed?.after && recorded.owedFrom === slice?.owed?.from;
    if (step.retractAbove === undefined && !isOwed)
      throw new ServiceError("cursor_moved", `block ${step.cursor.number} of chain ${chainId} was matched elsewhere`);
    if (!isContinued) await assertLinked((block) => isRecorded(db, lane, block), step);
    // A webhook that wants the other kind of blocks has everything up to the cursor from this lane, and the rest from the other.
    if (isMisplaced) await moveMisplaced(db, lane);
    const part = slice && isMisplaced ? await nextSlice(db, lane, slice) : next;
    if (lane.traces && step.blocks.some(({ traced }) => !traced))
      throw new Error("blocks were read without their traces");
    const retractions = step.retractAbove === undefined ? [] : await retractionsAbove(db, lane, step.retractAbove);
    if (step.retractAbove !== undefined && recorded.holds) await dropHeldAbove(db, lane, step.retractAbove);
    if (step.retractAbove !== undefined && recorded.factories)
      await forgetCreatedAbove(db, lane, { above: step.retractAbove });
    // A guess ends what can be replaced, but nobody is notified that a block is final because of it.
    const final = step.isFinal ? step.finalNumber : recorded.final;
    const reach = { cursor: step.blocks.at(-1)?.number ?? step.cursor.number, final };
    const matchPrepared = async (part: SliceWebhooks, block: ReadBlock, all: PreparedSlice) => {
      const { created, changed, ...prepared } = preparedOf(all, part, slice ?? { owed: undefined });
      if (changed.length > 0 && !slice?.mayMatch) throw new ChangedWebhooksError();
      const found = await notificationsFor(db, block, { ...prepared, isKnown });
      const place = { chainId, number: block.number, recordedUpTo: block.number };
      if (created.length > 0) await addCreated(db, created, place, addressQuota);
      return changed.length > 0 ? [...found, ...(await match({ webhookIds: changed }))] : found;
    };
    const matched =
      part && block && slice?.prepared ? await matchPrepared(part, block, slice.prepared) : await match(part);
    tokens?.assertAsked();
    const ofPart = matched.filter(({ webhookId, event }) => !slice || isWithin(slice)(webhookId, event));
    const { now, ...later } = divideByDepth(ofPart, reach);
    const { released, hold } = await holdAndRelease(db, lane, later, { reach, isEmpty: !recorded.holds });
    const notifications = [...retractions, ...now, ...released];
    const isWhole = !isContinued && part?.owed === undefined;
    const advance = async () => {
      const mark = await advanceCursor(db, lane, step);
      if (mark) filter.moved(mark);
    };
    const move = () => [
      isContinued || advance(),
      hold(),
      part && noteSlice(db, lane, { block: reach.cursor, owed: part.owed, isWhole }),
    ];
    // Joining takes further statements.
    const hasJoined =
      recorded.hasOthersOfKind && (await together<unknown[]>([...move(), joinLanes(db, lane)])).at(-1) === true;
    // Most blocks of the past only move the cursor, and after a crash they are read again. The chain's newest block is never taken back: what is
    // remembered of watched addresses holds up to there.
    const isBehind = lane.catchesUp && reach.cursor <= (recorded.newest ?? -1);
    const isQuiet = step.retractAbove === undefined && matched.length + notifications.length === 0;
    const onlyMoves = isBehind && isQuiet && !isMisplaced && !hasJoined && !recorded.factories;
    const appendLast = await appendAllButLast(db, chainId, notifications, { apartAccount: recorded.apartAccount });
    return {
      result: { notifications: notifications.length, owed: part?.owed },
      sendLast: () => [onlyMoves && commitSoon(db), ...(recorded.hasOthersOfKind ? [] : move()), appendLast()],
    };
  });
}

/** Of the first webhook of a slice a part may be recorded already, and a part may be left. */
const isWithin =
  ({ owed, upTo }: Pick<SlicePlace, "owed" | "upTo">) =>
  (webhookId: string, { transactionIndex: at }: Pick<NewEvent, "transactionIndex">): boolean =>
    (webhookId !== owed?.after || at >= (owed.from ?? 0)) && (upTo === undefined || at < upTo);

/** What was prepared for these webhooks and is still to be recorded, and those of them that have changed since. */
function preparedOf(
  { events, matches, created, ...prepared }: PreparedSlice,
  { webhookIds, versions, owed: left }: SliceWebhooks,
  place: Pick<SlicePlace, "owed" | "upTo">,
): Pick<PreparedSlice, "events" | "matches" | "created"> & { changed: string[] } {
  const known = new Set(prepared.versions);
  const same = new Set(webhookIds.filter((_, index) => known.has(versions[index] ?? "")));
  // What a factory created is added with the last part of its webhook, which changes with that.
  const isWhole = (id: string) => same.has(id) && (left?.from === undefined || id !== left.after);
  const isNext = isWithin(place);
  return {
    events,
    // A part is filtered before its messageIds are made: those of all the 2,857 matches of a webhook took 27 ms under the lock, in each part.
    matches: matches.filter(({ id, event }) => same.has(id) && isNext(id, events[event] as NewEvent)),
    created: created.flatMap(({ webhookIds: ids, addresses }) => {
      const whole = ids.filter(isWhole);
      return whole.length > 0 ? { webhookIds: whole, addresses } : [];
    }),
    changed: webhookIds.filter((id) => !same.has(id)),
  };
}

/**
 * Matches webhooks of a lane with a block, without any lock.
 *
 * @throws CostlyAccountsError
 */
export async function prepareSlice(
  pool: Pool,
  lane: LaneId & LaneKind,
  block: ReadBlock,
  { limit, tokens, ...place }: SlicePlace & Pick<StepOptions, "limit" | "tokens">,
): Promise<PreparedSlice> {
  const { webhookIds, versions } = await nextSlice(pool, lane, place);
  const watched = await findWatchers(pool, lane, block.participants, {
    ...{ anywhere: true, factories: true, apart: true, limit: limit?.lookup },
    slice: { webhookIds, traces: lane.traces },
  });
  if (watched.crowd) throw new CostlyAccountsError(watched.crowd.accountIds);
  const beyond = watched.beyondAt(block.number) ?? { anywhere: [], factories: [] };
  const source = tokens && ((contracts: readonly string[]) => tokens.find(pool, contracts));
  const matched = await block.match(watched.at(block.number), source, { ...beyond, limit });
  if (matched.costly) throw new CostlyAccountsError(matched.costly);
  return { webhookIds, versions, events: matched.events, matches: matched.matches, created: matched.created ?? [] };
}

/** Of several blocks, an account may take of each as much as may be taken of all. */
const ofEach = ({ matches, units }: EffortLimit, blocks: number): EffortLimit => ({
  matches: matches / Math.max(1, blocks),
  units: units / Math.max(1, blocks),
});

/** The record of a lane in the store. */
export type StoredRecord = LaneRecord & { readonly lane: Lane; readonly filter: WatchFilter };

const unlimited = Number.POSITIVE_INFINITY;
const anyPairs = { pairsOfAccount: unlimited, pairsInAll: unlimited };

/** Of so many accounts a lane knows that they watch very often in other lanes. */
const mostPassedOver = 100;

/** How much of an account leaves in one transaction with others': notifications, what is held, or contracts of its factories. */
const mostLeaving = { notifications: 2_000, bytes: 16_000_000 };

/** How much of a step an account may take, in a lane that many accounts share, and in a slice. */
export const stepLimits = {
  shared: {
    matches: 2_000,
    units: 10_000_000,
    lookup: { pairsOfAccount: 10_000, pairsInAll: 50_000, bytesOfAccount: 1_000_000 },
  },
  /** One webhook alone has no limit but those of its options. */
  slice: {
    matches: 20_000,
    units: 20_000_000,
    // Of options as much as where others are: a block that was too much there never counts as matched in one go.
    lookup: { pairsOfAccount: 50_000, pairsInAll: 50_000, bytesOfAccount: 1_000_000 },
  },
};

/**
 * How much of a step an account may take, and how many of its webhooks a slice has: of each lane, by what happened to its last steps.
 */
export class StepBounds {
  static readonly #largestSlice = 1_000;

  readonly #limits: typeof stepLimits;
  #timeOuts = { at: "", count: 0 };
  readonly #passedOver = new Set<number>();
  #size = StepBounds.#largestSlice;

  constructor(limits = stepLimits) {
    this.#limits = limits;
  }

  /** What took too long twice is not tried a third time: less of it is. */
  get limit(): Required<StepLimit> {
    const smaller = 4 ** Math.max(0, this.#timeOuts.count - 1);
    const { matches, units, lookup: ofLimits } = this.#limits.shared;
    const lookup = this.#passedOver.size === 0 ? ofLimits : { ...ofLimits, besides: [...this.#passedOver] };
    // What little an account takes is never what takes too long.
    return { matches: Math.max(100, matches / smaller), units: Math.max(100_000, units / smaller), lookup };
  }

  /** Accounts that watch very often, in other lanes only. @returns whether any of them is new */
  passOver(accountIds: readonly number[]): boolean {
    const isNew = accountIds.some((id) => !this.#passedOver.has(id)) && this.#passedOver.size < mostPassedOver;
    for (const id of isNew ? accountIds : []) this.#passedOver.add(id);
    return isNew;
  }

  /** Whether the last step from there took too long. */
  isSlow(cursor: BlockId): boolean {
    return this.#timeOuts.at === cursor.hash;
  }

  get sliceSize(): number {
    return this.#size;
  }

  get sliceLimit(): StepLimit | undefined {
    return this.#size === 1 ? undefined : this.#limits.slice;
  }

  sliceRecorded(notifications: number): void {
    if (notifications < this.#limits.slice.matches / 2) this.#size = Math.min(StepBounds.#largestSlice, this.#size * 2);
  }

  sliceTooLarge(): void {
    this.#size = Math.max(1, Math.floor(this.#size / 4));
  }

  /** @param cursor where the step began */
  failed(error: unknown, cursor: BlockId): void {
    if (!isStatementTimeout(error)) return;
    this.#timeOuts = { at: cursor.hash, count: this.#timeOuts.at === cursor.hash ? this.#timeOuts.count + 1 : 1 };
    this.sliceTooLarge();
  }
}

/** How many contracts that factories created are added in one transaction, or those of one webhook. */
const createdAtOnce = 2_000;
/** How often a webhook may have changed between its match and the lock, until it alone is matched under the lock. */
const mostChanges = 8;
/** How long a lane that is set apart records slices before it is another lane's turn. */
const slicesMs = 1_000;

export function storedRecord(
  pool: Pool,
  lane: Lane,
  filter: WatchFilter,
  { tokens, bounds = new StepBounds(), onRecorded, log, ...options }: StoredRecordOptions = {},
): StoredRecord {
  /** @returns the same */
  const recorded = (notifications: number): number => {
    if (notifications > 0) onRecorded?.();
    return notifications;
  };

  async function take(step: ChainStep, more: Pick<StepOptions, "limit" | "slice">) {
    const record = (pass?: TokenPass) => recordStep(pool, lane, step, filter, { ...options, ...more, tokens: pass });
    const taken = await (tokens ? tokens.withTokens(newestOf(step), record) : record());
    recorded(taken.notifications);
    return taken;
  }

  /** An account of which very much leaves with blocks leaves the lane first. */
  async function setApartWithMany(above: number, cursor: BlockId): Promise<void> {
    const leaving = { above, most: mostLeaving.notifications };
    const found = [
      await accountsWithMany(pool, lane, { above, most: mostLeaving }),
      await accountsHoldingMany(pool, lane, leaving),
      await accountsCreatingMany(pool, lane, leaving),
    ];
    await moveApart([...new Set(found.flat())], cursor);
  }

  async function moveApart(accountIds: readonly number[], cursor: BlockId): Promise<number> {
    const moved = await setApart(pool, lane, { accountIds, cursor });
    if (moved > 0) log?.warn({ accountIds, cursor }, "accounts take too much of a step; their webhooks are set apart");
    return moved;
  }

  /** Several blocks are recorded together only if they cost little together. */
  async function recordAll(step: ChainStep): Promise<number> {
    if (step.retractAbove !== undefined) await setApartWithMany(step.retractAbove, step.cursor);
    if (step.blocks.length <= 1) return recordForAll(step);
    if (!bounds.isSlow(step.cursor))
      try {
        return (await take(step, { limit: bounds.limit })).notifications;
      } catch (error) {
        if (!(error instanceof CostlyAccountsError)) throw error;
      }
    let notifications = 0;
    for (const one of oneByOne(step)) notifications += await recordForAll(one);
    return notifications;
  }

  /** Accounts that cost too much leave the lane, until it costs nobody else too much. */
  async function recordForAll(step: ChainStep): Promise<number> {
    let { limit } = bounds;
    for (;;) {
      try {
        return (await take(step, { limit })).notifications;
      } catch (error) {
        if (!(error instanceof CostlyAccountsError)) throw error;
        const accountIds = error.accountIds.length > 0 ? error.accountIds : await crowding(step);
        const moved = await moveApart(accountIds, step.cursor);
        // It is another lane in which one watches the block's addresses so often.
        if (moved === 0 && bounds.passOver(accountIds)) limit = bounds.limit;
        // Many accounts watch them, none of them too often.
        else if (moved === 0) limit = { ...limit, lookup: { ...limit.lookup, ...anyPairs } };
      }
    }
  }

  function crowding({ blocks }: ChainStep): Promise<number[]> {
    const participants = [...new Set(blocks.flatMap((block) => block.participants))];
    return crowdingAccounts(pool, lane, participants, bounds.limit.lookup);
  }

  /** @param from what is owed of the step's block; undefined if nothing of it is recorded */
  async function recordSlices(step: ChainStep, from: Owed | undefined): Promise<number> {
    const until = performance.now() + slicesMs;
    let notifications = 0;
    let [owed, current] = [from, step];
    let changes = 0;
    let isOwing = true;
    let hasRecorded = false;
    const recordSome = async (some: Omit<Slice, "owed">) => {
      const from = performance.now();
      const taken = await take(current, { limit: bounds.sliceLimit, slice: { ...some, owed } });
      notifications += taken.notifications;
      owed = taken.owed;
      changes = 0;
      isOwing = owed !== undefined;
      hasRecorded = true;
      const [block] = step.blocks;
      if (block) current = owedOf(block, step);
      if (isOwing) await rest(from);
    };
    // Each turn records at least something.
    const isOver = () => !isOwing || (hasRecorded && performance.now() >= until);
    while (!isOver())
      try {
        const { sliceSize: size, sliceLimit: limit } = bounds;
        const prepared = await prepare(step, { owed, size, limit });
        if (prepared) {
          const mayMatch = size === 1 && changes >= mostChanges;
          for (const some of recordedTogether(prepared, owed))
            if (!isOver()) await recordSome({ ...some, prepared, mayMatch });
        } else await recordSome({ size });
        bounds.sliceRecorded(prepared?.matches.length ?? 0);
      } catch (error) {
        if (error instanceof ChangedWebhooksError) changes += 1;
        else if (!(error instanceof CostlyAccountsError)) throw error;
        bounds.sliceTooLarge();
      }
    return notifications;
  }

  async function leaveSome(): Promise<number> {
    const until = performance.now() + slicesMs;
    let notifications = 0;
    for await (const some of leaveBlocks(pool, lane)) {
      notifications += recorded(some);
      if (performance.now() >= until) break;
    }
    return notifications;
  }

  async function prepare(step: ChainStep, place: SlicePlace & Pick<StepOptions, "limit">) {
    const [block] = step.blocks;
    if (!block) return undefined;
    const prepared = (pass?: TokenPass) => prepareSlice(pool, lane, block, { ...place, tokens: pass });
    if (!tokens) return prepared();
    return tokens.withTokens(block.number, async (pass) => {
      const slice = await prepared(pass);
      pass.assertAsked();
      return slice;
    });
  }

  async function bounded<T>(cursor: BlockId, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      bounds.failed(error, cursor);
      throw error;
    }
  }

  return {
    ...{ lane, filter },
    noteHead: (number) => noteHead(pool, lane, number),
    beginAt: (block, _parentHash, finalNumber) => beginAt(pool, lane, block, finalNumber),
    isRecorded: (block) => isRecorded(pool, lane, block),
    record: (step) => bounded(step.cursor, () => (lane.isApart ? recordSlices(step, undefined) : recordAll(step))),
    async settle(block) {
      const { owedAfter: after, owedFrom: from, final } = await readCursor(pool, lane);
      if (after === undefined) return 0;
      const step = owedOf(block, { finalNumber: final });
      return bounded(step.cursor, () => recordSlices(step, { after, ...(from !== undefined && { from }) }));
    },
    async leave(above) {
      const { cursor } = lane;
      if (above && cursor) await beginLeaving(pool, lane, { cursor, above });
      return leaveSome();
    },
    release: async (finalNumber) => recorded(await releaseHeld(pool, lane, finalNumber)),
  };
}

/** What of the slice is recorded in one transaction each, in its order: little enough for nobody to wait long. */
function recordedTogether(
  { webhookIds, matches, events, created }: PreparedSlice,
  owed: Owed | undefined,
): Pick<SlicePlace, "size" | "upTo">[] {
  const eventsOf = new Map<string, NewEvent[]>();
  for (const { id, event } of matches) {
    const own = eventsOf.get(id) ?? [];
    eventsOf.set(id, own);
    own.push(events[event] as NewEvent);
  }
  const createdOf = new Map<string, number>();
  for (const { webhookIds: ids, addresses } of created)
    for (const id of ids) createdOf.set(id, (createdOf.get(id) ?? 0) + addresses.length);
  const parts: Pick<SlicePlace, "size" | "upTo">[] = [];
  let size = 0;
  let notifications = 0;
  let contracts = 0;
  let texts = new Set<NewEvent>();
  let characters = 0;
  const end = () => {
    if (size > 0) parts.push({ size });
    [size, notifications, characters, contracts] = [0, 0, 0, 0];
    texts = new Set();
  };
  const lengthOf = (added: readonly NewEvent[]) =>
    added.reduce((sum, event) => sum + (texts.has(event) ? 0 : event.body.length), 0);
  const isFull = (added: readonly NewEvent[]) =>
    notifications > 0 &&
    (notifications + added.length > recordedAtOnce || characters + lengthOf(added) > charactersAtOnce);
  const add = (added: readonly NewEvent[]) => {
    characters += lengthOf(added);
    notifications += added.length;
    for (const event of added) texts.add(event);
  };
  for (const id of webhookIds) {
    const more = createdOf.get(id) ?? 0;
    if (contracts > 0 && contracts + more > createdAtOnce) end();
    const from = id === owed?.after ? (owed.from ?? 0) : 0;
    const own = (eventsOf.get(id) ?? [])
      .filter(({ transactionIndex: at }) => at >= from)
      .sort((a, b) => a.transactionIndex - b.transactionIndex);
    if (!isFull(own) && own.length <= recordedAtOnce && lengthOf(own) <= charactersAtOnce) add(own);
    else {
      end();
      for (const event of own) {
        if (isFull([event])) {
          parts.push({ size: 1, upTo: event.transactionIndex });
          end();
        }
        add([event]);
      }
    }
    size += 1;
    contracts += more;
  }
  end();
  // Without any webhook the cursor moves all the same.
  return parts.length > 0 ? parts : [{ size: 1 }];
}

/** What is left of a step whose cursor has moved to its block. */
function owedOf(block: ReadBlock, { finalNumber, isFinal }: Pick<ChainStep, "finalNumber" | "isFinal">): ChainStep {
  const cursor = { number: block.number, hash: block.hash };
  return { cursor, blocks: [block], finalNumber, ...(isFinal !== undefined && { isFinal }) };
}

const newestOf = ({ blocks, cursor }: ChainStep): number => blocks.at(-1)?.number ?? cursor.number;
