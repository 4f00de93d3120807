/**
 * What a replay does with a block: it finds out whether there is anything for its webhook, or on record, and what; then it records that under the
 * chain's lock.
 */
import { ServiceError } from "../../base/errors.ts";
import { type BlockId, isRecorded, type LaneId, type Recorded, readCursor } from "../../store/chains/cursor.ts";
import { lockChainExclusively } from "../../store/chains/lock.ts";
import {
  holdReplayStep,
  isWatchedBy,
  lastSequence,
  noteReplayStep,
  notifiedBefore,
  notifiedSince,
  type ReplayStep,
  readWatcher,
  readWatchers,
  recordedOf,
  type VersionedWatcher,
  type WatchedAddress,
  watchedAddresses,
} from "../../store/chains/replay-work.ts";
import { appendNotifications } from "../../store/outbox/append.ts";
import { holdNotifications } from "../../store/outbox/held.ts";
import { heldTransactions } from "../../store/outbox/held-state.ts";
import type { NotificationPlace } from "../../store/outbox/notifications.ts";
import { requestResends } from "../../store/outbox/resends.ts";
import { inTransaction, type Pool, type Queryable } from "../../store/pool.ts";
import { addCreated, type CreatedIn } from "../../store/webhooks/created-addresses.ts";
import { divideByDepth, statedAt } from "../follow/finality.ts";
import { charactersAtOnce, recordedAtOnce, rest } from "../follow/leave.ts";
import { type Matched, newNotification } from "../follow/notifications.ts";
import type { ReadBlock } from "../read/block.ts";
import type { TokenPass } from "../tokens/token-reader.ts";

/** A block for a replay, or for a webhook, as a key. */
export const placeOf = (block: number, id: string) => `${block} ${id}`;

/** Addresses of so many are kept of a webhook, and of all together. Of a larger one those of a run's participants are looked up: 5 ms for 3,000. */
const keptOfWebhook = 5_000;
const keptInAll = 200_000;

type Watched = ReadonlyMap<string, WatchedAddress>;

/**
 * Finds the blocks in which there may be something for a webhook, and those of which something is on record. All others need nothing, as long as
 * the webhooks are as they were: what they want is that of the moment at which a block is replayed.
 *
 * @returns a search in the blocks of a run, for replays of one account; it returns those of their blocks in which something may be
 */
export function createBlockSearch(
  pool: Pool,
  chainId: string,
): (steps: readonly ReplayStep[], blocks: readonly ReadBlock[]) => Promise<ReadonlySet<string>> {
  const kept = new Map<string, { version: string; watched: Watched }>();
  let keptCount = 0;

  function forget(id: string): void {
    keptCount -= kept.get(id)?.watched.size ?? 0;
    kept.delete(id);
  }

  async function watchedBy({ id, version, addressCount }: VersionedWatcher, among: () => string[]): Promise<Watched> {
    const known = kept.get(id);
    if (known?.version === version) return known.watched;
    forget(id);
    if (addressCount > keptOfWebhook) return watchedAddresses(pool, id, among());
    // Read after the version: what was added in between is found again by the next one.
    const watched = await watchedAddresses(pool, id);
    kept.set(id, { version, watched });
    keptCount += watched.size;
    for (const oldest of kept.keys()) {
      if (keptCount <= keptInAll) break;
      forget(oldest);
    }
    return watched;
  }

  return async (steps, blocks) => {
    const ids = [...new Set(steps.map(({ webhookId }) => webhookId))];
    const [from, to] = [blocks[0]?.number ?? 0, blocks.at(-1)?.number ?? 0];
    const { accountId = 0 } = steps[0] ?? {};
    const resending = [...new Set(steps.flatMap(({ webhookId, resends }) => (resends ? webhookId : [])))];
    const [watchers, recorded] = await Promise.all([
      readWatchers(pool, ids),
      resending.length > 0 ? recordedOf(pool, resending, { chainId, accountId, from, to }) : new Set<string>(),
    ]);
    const byId = new Map(watchers.map((webhook) => [webhook.id, webhook]));
    let participants: string[] | undefined;
    const among = () => {
      participants ??= [...new Set(blocks.flatMap((block) => block.participants))];
      return participants;
    };
    const lookedUp = new Map<string, Promise<Watched>>();
    const found = new Set<string>();
    for (const step of steps) {
      const webhook = byId.get(step.webhookId);
      const isBusy = await busyFor(step, webhook);
      for (const block of blocks)
        if (isBusy(block) || (step.resends && recorded.has(placeOf(block.number, step.webhookId))))
          found.add(placeOf(block.number, step.id));
    }
    return found;

    async function busyFor(
      step: ReplayStep,
      webhook: VersionedWatcher | undefined,
    ): Promise<(block: ReadBlock) => boolean> {
      // Whoever replays the block finds out that the webhook is gone.
      if (!webhook) return () => true;
      const { anyAddress, createdBy } = webhook.options ?? {};
      // What these match is in no list, and without traces nothing can be said of one that wants them.
      const isBeyond = !step.ofAdded && (anyAddress || createdBy);
      if (isBeyond || (webhook.includeInternalTxs && blocks.some(({ traced }) => !traced))) return () => true;
      const looked = lookedUp.get(webhook.id) ?? watchedBy(webhook, among);
      lookedUp.set(webhook.id, looked);
      const watched = await looked;
      return ({ number, participants }) =>
        participants.some((address) => isWatchedBy(step, watched.get(address), number));
    }
  };
}

/** How often a webhook may change, or be notified of the block, between two parts, until another step tries again. */
const mostTries = 5;

/** How many notifications are sent again in a transaction, and how many contracts that a factory created are added. */
const resentAtOnce = 1_000;
const createdAtOnce = 2_000;

/** How many notifications are sent again, and how many were missed. */
type ReplayedBlock = { resent: number; added: number };

type ReplayOptions = {
  block: ReadBlock;
  tokens?: TokenPass | undefined;
  addressQuota?: number | undefined;
  /** Runs a transaction under the chain's lock when it may; immediately by default. */
  inTurn?: <T>(record: () => Promise<T>) => Promise<T>;
};

/** What is recorded in one transaction. */
type ReplayPart = { resent: NotificationPlace[]; missed: Matched[]; created: CreatedIn };

/**
 * A block is recorded in parts. A process that dies between two of them leaves a part recorded: the next one finds it on record, and sends it
 * again, if its replay sends again what is on record.
 *
 * @returns undefined if another process was faster, the webhook is gone, or it changes again and again; "nothing" if there is nothing to record,
 *   which is not noted
 * @throws {ServiceError} `other_branch`: the node's block is not the one that was followed. `traces_missing`: the webhook switched internal
 *   transactions on after the block was fetched without
 */
export async function replayBlock(
  pool: Pool,
  chainId: string,
  step: ReplayStep,
  { block, tokens, addressQuota, inTurn = (record) => record() }: ReplayOptions,
): Promise<ReplayedBlock | "nothing" | undefined> {
  const added = new Set<string>();
  const resent = new Set<number>();
  let total: ReplayedBlock = { resent: 0, added: 0 };
  for (let tries = 0; tries < mostTries; tries += 1) {
    const done = added.size + resent.size;
    const found = await findReplayed(pool, step, { chainId, block, tokens });
    if (!found) return undefined;
    const missed = found.missed.filter(({ event }) => !added.has(event.transactionHash));
    const known = found.standing.filter((one) => !added.has(one.transactionHash) && !resent.has(one.sequence));
    if (done === 0 && found.missed.length + found.standing.length + found.created.length === 0) return "nothing";
    const parts = partsOf({ resent: known, missed, created: found.created });
    let before: Before = found;
    for (const [index, part] of parts.entries()) {
      const from = performance.now();
      const isLast = index === parts.length - 1;
      const at = { chainId, step, before };
      const recorded = await inTurn(() => recordReplay(pool, at, { block, part, addressQuota, isLast }));
      if (!recorded) return undefined;
      // What is recorded is kept: the next step would send it again.
      if (recorded === "changed meanwhile" && added.size + resent.size > done) tries = -1;
      if (recorded === "changed meanwhile") break;
      before = recorded.before;
      total = { resent: total.resent + recorded.part.resent, added: total.added + recorded.part.added };
      if (isLast) return total;
      for (const { event } of part.missed) added.add(event.transactionHash);
      for (const { sequence } of part.resent) resent.add(sequence);
      await rest(from);
    }
  }
  return undefined;
}

type Known = Awaited<ReturnType<typeof notifiedBefore>>["known"][number];

/**
 * Finds what to record, without a lock: a webhook's conditions may cost seconds, and its account may have a million notifications of the block.
 *
 * @returns undefined if the webhook is gone
 */
async function findReplayed(
  pool: Pool,
  step: ReplayStep,
  { chainId, block, tokens }: ReplayOptions & { chainId: string },
): Promise<
  { sequence: number; version: string; standing: Known[]; missed: Matched[]; created: CreatedIn } | undefined
> {
  const webhook = await readWatcher(pool, step.webhookId);
  if (!webhook) return undefined;
  if (webhook.includeInternalTxs && !block.traced)
    throw new ServiceError("traces_missing", "the webhook has wanted traces since the block was fetched");
  // First, since what is released meanwhile is in one of the two.
  const held = await heldTransactions(pool, webhook.id, step.block);
  const { sequence, known } = await notifiedBefore(pool, step, { chainId, number: step.block, hash: block.hash });
  const newestOf = new Map(known.map((notification) => [notification.transactionHash, notification]));
  const addresses = await watchedAddresses(pool, webhook.id, block.participants);
  const watched = [...addresses].flatMap(([address, of]) => (isWatchedBy(step, of, block.number) ? address : []));
  const { anyAddress, createdBy } = step.ofAdded ? {} : (webhook.options ?? {});
  const { events, created = [] } = await block.match(
    new Map(watched.map((address) => [address, [webhook]])),
    tokens && ((contracts) => tokens.find(pool, contracts)),
    { anywhere: anyAddress ? [webhook] : [], factories: createdBy ? [{ ...webhook, isActive: true }] : [] },
  );
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
  return { sequence, version: webhook.version, standing: step.resends ? standingOf(known) : [], missed, created };
}

/** @returns at least one, of which the last ends the block */
function partsOf({ resent, missed, created }: ReplayPart): ReplayPart[] {
  const parts: ReplayPart[] = [];
  const add = (part: Partial<ReplayPart>) => parts.push({ resent: [], missed: [], created: [], ...part });
  let some: Matched[] = [];
  let characters = 0;
  for (const one of missed) {
    if (some.length === recordedAtOnce || (some.length > 0 && characters + one.event.body.length > charactersAtOnce)) {
      add({ missed: some });
      [some, characters] = [[], 0];
    }
    some.push(one);
    characters += one.event.body.length;
  }
  if (some.length > 0) add({ missed: some });
  for (const { webhookIds, addresses } of created)
    for (let at = 0; at < addresses.length; at += createdAtOnce)
      add({ created: [{ webhookIds, addresses: addresses.slice(at, at + createdAtOnce) }] });
  // Last: what is tried again before would send them again.
  for (let at = 0; at < resent.length; at += resentAtOnce) add({ resent: resent.slice(at, at + resentAtOnce) });
  if (parts.length === 0) add({});
  return parts;
}

/** The sequence of the webhook's newest notification, and its version. */
type Before = { sequence: number; version: string };

type PartOptions = Omit<ReplayOptions, "tokens" | "inTurn"> & {
  part: ReplayPart;
  isLast: boolean;
};

/** @returns what the part came to, and what the next one finds */
async function recordReplay(
  pool: Pool,
  { chainId, step, before }: { chainId: string; step: ReplayStep; before: Before },
  { block, part, addressQuota, isLast }: PartOptions,
): Promise<{ part: ReplayedBlock; before: Before } | "changed meanwhile" | undefined> {
  return inTransaction(pool, async (db) => {
    await lockChainExclusively(db, chainId);
    if (!(await holdReplayStep(db, step))) return undefined;
    const webhook = await readWatcher(db, step.webhookId);
    if (!webhook) return undefined;
    const recorded = await assertOnRecord(db, { chainId, lane: webhook.lane }, block);
    // What it is notified of other blocks meanwhile may be very much, and changes nothing.
    const ofBlock = { chainId, number: block.number, hash: block.hash };
    const isOld = await notifiedSince(db, webhook.id, ofBlock, before.sequence);
    // What is only sent again does not depend on what the webhook wants now.
    const isMatched = part.missed.length + part.created.length > 0;
    if (isOld || (isMatched && webhook.version !== before.version)) return "changed meanwhile";
    const place = { chainId, number: step.block, recordedUpTo: step.block };
    if (part.created.length > 0) await addCreated(db, part.created, place, addressQuota);
    await requestResends(db, webhook, "replay", part.resent);
    const missed = await addMissed(db, chainId, part.missed, recorded);
    const came = { resent: part.resent.length, added: missed.recorded + missed.held };
    await noteReplayStep(db, step, came, isLast ? block : undefined);
    // What a factory created is counted in the webhook.
    const { version = "" } = part.created.length > 0 ? ((await readWatcher(db, webhook.id)) ?? {}) : webhook;
    return { part: came, before: { sequence: await lastSequence(db, webhook.id), version } };
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

/** Records what was missed, or holds it if it is not deep enough for its webhook. @returns how many notifications each */
async function addMissed(
  db: Queryable,
  chainId: string,
  missed: readonly Matched[],
  { cursor, final, apartAccount }: Pick<Recorded, "final" | "apartAccount"> & { cursor: BlockId },
): Promise<{ recorded: number; held: number }> {
  const reach = { cursor: cursor.number, final: Math.min(cursor.number, final) };
  const { now, due, held } = divideByDepth(missed, reach);
  await appendNotifications(db, chainId, [...now, ...statedAt(reach, due)], { apartAccount });
  await holdNotifications(db, chainId, held);
  return { recorded: now.length + due.length, held: held.length };
}

/**
 * A replay covers what the webhook's lane has followed, and final blocks below that. So a block that leaves the chain later is retracted like
 * any other.
 */
export async function assertOnRecord(
  db: Queryable,
  lane: LaneId,
  { number, hash }: Pick<ReadBlock, "number" | "hash">,
): Promise<Recorded & { cursor: BlockId }> {
  const { cursor, ...recorded } = await readCursor(db, lane);
  if (recorded.owedAfter !== undefined && cursor?.number === number)
    throw new ServiceError("other_branch", `block ${number} is still being matched for the webhook`);
  if (recorded.leaving && number > recorded.leaving.number)
    throw new ServiceError("other_branch", `block ${number} leaves the chain`);
  const followed = await isRecorded(db, lane, { number, hash });
  if (!cursor || cursor.number < number || followed === false)
    throw new ServiceError("other_branch", `the node's block ${number} is not the one that was followed`);
  if (followed === undefined && recorded.final >= 0 && number > recorded.final)
    throw new ServiceError("other_branch", `block ${number} was not followed, and may still be replaced`);
  return { ...recorded, cursor };
}
