/**
 * Runs the replays of one chain while its lease is held: slowly, since following the chain comes first. Accounts take turns, and each has at
 * most one block in flight. So an account is held up neither by another's many replays, nor by blocks that nodes return slowly or never.
 *
 * Recorded notifications of a block are sent again, missed ones are recorded as the follower would have done, and the replay moves on. What that is
 * is found out without a lock. It is recorded under the chain's lock, a little in each transaction.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isServiceError, ServiceError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import { untilTick } from "../../base/pause.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import { type BlockId, isRecorded, type LaneId, type Recorded, readCursor } from "../../store/chains/cursor.ts";
import { lockChainExclusively } from "../../store/chains/lock.ts";
import {
  holdReplayStep,
  lastSequence,
  nextReplayStep,
  noteReplayFailure,
  noteReplayStep,
  notifiedBefore,
  notifiedSince,
  postponeReplay,
  type ReplayStep,
  readWatcher,
  watchedAmong,
} from "../../store/chains/replay-work.ts";
import { hasReplays } from "../../store/chains/work-to-do.ts";
import { isDatabaseUnavailable } from "../../store/database-errors.ts";
import type { Lease } from "../../store/lease-holder.ts";
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
import { type Node, NodeError } from "../nodes/node.ts";
import { chainMetrics } from "../observe.ts";
import type { ReadBlock } from "../read/block.ts";
import { assertChain } from "../read/fetch.ts";
import type { ReadRun } from "../read/reader.ts";
import { connectNodes } from "../sources/node-pool.ts";
import { areConfirmed } from "../sources/witnesses.ts";
import { createTokenReader, type TokenPass } from "../tokens/token-reader.ts";

/** At most ten blocks a second, and one while the follower is catching up. */
const pauseMs = 100;
const yieldingPauseMs = 1_000;
const lagToYieldAt = 8;
const idlePauseMs = 1_000;
/** Each of another account. Only this many accounts together, with blocks that hang, could hold up the others. */
const maxInFlight = 4;
const longestPauseMs = 30_000;
/** A webhook's new lane may take a while to catch up. */
const postponedMs = 5_000;
/** A day of failures of one block, half a minute apart. */
const failureLimit = 2_880;

/**
 * @param options.addressQuota for accounts without their own, if any
 * @param options.onRecorded called after notifications were recorded, so a deliverer in this process need not poll
 * @returns when the lease must be returned or is lost
 */
export async function replayChain(options: {
  pool: Pool;
  chain: ChainConfig;
  lease: Lease;
  log: Logger;
  metrics: Metrics;
  addressQuota?: number | undefined;
  onRecorded: () => void;
}): Promise<void> {
  const { pool, chain, lease, metrics, addressQuota, onRecorded } = options;
  const log = options.log.child({ chainId: chain.chainId });
  const signal = AbortSignal.any([lease.stopping, lease.lost]);
  const counted = chainMetrics(metrics, chain.chainId, "plain");
  const { nodes, readers } = connectNodes(chain, { signal, purpose: "background", metrics: counted, log });
  const tokens = createTokenReader({ pool, chain, callsOf: counted.callsOf, log, signal });
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);

  const inFlight = new Map<number, Promise<void>>();
  let lastAccount = 0;
  let recording: Promise<unknown> = Promise.resolve();

  /** One at a time: the follower waits for the chain's lock behind each. */
  function record(step: ReplayStep, block: ReadBlock): Promise<ReplayedBlock | undefined> {
    const recorded = recording.then(() =>
      tokens.withTokens(block.number, (pass) =>
        replayBlock(pool, chain.chainId, step, { block, tokens: pass, addressQuota }),
      ),
    );
    recording = recorded.catch(() => undefined);
    return recorded;
  }

  /** Tries one node after the other. */
  async function takeStep(step: ReplayStep): Promise<void> {
    if (!step.followed) return postponeReplay(pool, step, postponedMs);
    const tried = new Set<Node>();
    const failed = new Map<Node, unknown>();
    for (let node = nodes.pick(); node; node = nodes.pick(tried)) {
      tried.add(node);
      const error = await takeStepWith(node, step);
      if (signal.aborted) return;
      if (!error) {
        nodes.noteSuccess(node);
        // Another node returned the block, so these should have.
        for (const [other, why] of failed) nodes.setAside(other, why);
        return;
      }
      if (isDatabaseUnavailable(error)) throw error;
      const { id: replay, block, failures } = step;
      const details = { replay, block, node: node.origin, failures, reason: (error as Error).message };
      log.warn(details, "a block could not be replayed; it will be retried");
      // A block that no node returns says nothing against the nodes, and other replays need them.
      if (isServiceError(error, "node_unavailable")) nodes.setAside(node, error.cause);
      else failed.set(node, error);
    }
    // Only a block that every available node failed to return counts as a failure.
    if (tried.size > 0) await noteFailure(step);
  }

  /** @returns the error, if it failed */
  async function takeStepWith(node: Node, step: ReplayStep): Promise<unknown> {
    const { id: replay, webhookId, block } = step;
    const reader = readers.get(node);
    let run: ReadRun | undefined;
    try {
      await assertChain(node, chain.chainId).catch((cause: unknown) => Promise.reject(nodeUnavailable(cause)));
      run = await reader?.read({ from: block, to: block, traces: chain.traces && step.traces });
      const read = run?.blocks[0];
      if (!read) throw new NodeError(`no block ${block}`, { method: "eth_getBlockByNumber", origin: node.origin });
      if (!(await areConfirmed([read], { chain, node, witnesses: nodes.witnesses(node) })))
        throw new NodeError(`no other node confirms block ${block}`, {
          method: "eth_getBlockByHash",
          origin: node.origin,
        });
      const replayed = await record(step, read);
      if (replayed) log.debug({ replay, webhookId, block, ...replayed }, "replayed");
      if (replayed && replayed.added + replayed.resent > 0) onRecorded();
      return undefined;
    } catch (error) {
      // Nobody needs what the failed step still waits for, but we cannot tell it from what other steps wait for.
      if (inFlight.size === 1) {
        node.cancel();
        reader?.cancel();
      }
      return error instanceof NodeError && error.throttled ? nodeUnavailable(error) : error;
    } finally {
      run?.release();
    }
  }

  async function noteFailure(step: ReplayStep): Promise<void> {
    const { id: replay, block, failures } = step;
    const reason = `Block ${block} was not returned by any node of the chain for a day.`;
    const retryMs = Math.min(longestPauseMs, 250 * 2 ** Math.min(failures, 10));
    const last = failures + 1 >= failureLimit;
    if (last) log.warn({ replay, block }, "a replay failed for good");
    await noteReplayFailure(pool, step, { pauseMs: last ? undefined : retryMs, reason });
  }

  async function startStep(): Promise<ReplayStep | undefined> {
    if (inFlight.size >= maxInFlight) return undefined;
    if (inFlight.size === 0 && !(await hasReplays(pool, chain.chainId, idlePauseMs / 2))) return undefined;
    const step = await nextReplayStep(pool, chain.chainId, { after: lastAccount, busy: [...inFlight.keys()] });
    if (!step) return undefined;
    lastAccount = step.accountId;
    const running = takeStep(step).catch(logError);
    inFlight.set(
      step.accountId,
      running.finally(() => inFlight.delete(step.accountId)),
    );
    return step;
  }

  function logError(err: unknown): void {
    if (!signal.aborted) log.warn({ err }, "replays failed; they will be retried");
  }

  while (!signal.aborted) {
    if (!nodes.pick()) {
      await pause(nodes.waitMs());
      continue;
    }
    try {
      const step = await startStep();
      if (step) await pause(step.lag > lagToYieldAt ? yieldingPauseMs : pauseMs);
      else await pause(inFlight.size > 0 ? pauseMs : untilTick(idlePauseMs));
    } catch (error) {
      logError(error);
      await pause(1_000);
    }
  }
  await Promise.all(inFlight.values());
}

/** The node does not respond, is of another chain, or throttles us: no replay can use it now. */
const nodeUnavailable = (cause: unknown) => new ServiceError("node_unavailable", (cause as Error).message, { cause });

/** How often a webhook may change, or be notified of the block, between two parts, until another step tries again. */
const mostTries = 5;

/** How many notifications are sent again in a transaction, and how many contracts that a factory created are added. */
const resentAtOnce = 1_000;
const createdAtOnce = 2_000;

/** How many notifications are sent again, and how many were missed. */
type ReplayedBlock = { resent: number; added: number };

type ReplayOptions = { block: ReadBlock; tokens?: TokenPass | undefined; addressQuota?: number | undefined };

/** What is recorded in one transaction. */
type ReplayPart = { resent: NotificationPlace[]; missed: Matched[]; created: CreatedIn };

/**
 * A block is recorded in parts. A process that dies between two of them leaves a part recorded: the next one finds it on record, and sends it
 * again.
 *
 * @returns undefined if another process was faster, the webhook is gone, or it changes again and again
 * @throws {ServiceError} `other_branch`: the node's block is not the one that was followed. `traces_missing`: the webhook switched internal
 *   transactions on after the block was fetched without
 */
export async function replayBlock(
  pool: Pool,
  chainId: string,
  step: ReplayStep,
  { block, tokens, addressQuota }: ReplayOptions,
): Promise<ReplayedBlock | undefined> {
  const added = new Set<string>();
  const resent = new Set<number>();
  let total: ReplayedBlock = { resent: 0, added: 0 };
  for (let tries = 0; tries < mostTries; tries += 1) {
    const done = added.size + resent.size;
    const found = await findReplayed(pool, step, { chainId, block, tokens });
    if (!found) return undefined;
    const missed = found.missed.filter(({ event }) => !added.has(event.transactionHash));
    const known = found.standing.filter((one) => !added.has(one.transactionHash) && !resent.has(one.sequence));
    const parts = partsOf({ resent: known, missed, created: found.created });
    let before: Before = found;
    for (const [index, part] of parts.entries()) {
      const from = performance.now();
      const isLast = index === parts.length - 1;
      const recorded = await recordReplay(
        pool,
        { chainId, step, before },
        { block, part, addressQuota, total, isLast },
      );
      if (!recorded) return undefined;
      // What is recorded is kept: the next step would send it again.
      if (recorded === "changed meanwhile" && added.size + resent.size > done) tries = -1;
      if (recorded === "changed meanwhile") break;
      ({ total, before } = recorded);
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
  const watched = await watchedAmong(pool, webhook.id, block);
  const { anyAddress, createdBy } = webhook.options ?? {};
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
  return { sequence, version: webhook.version, standing: standingOf(known), missed, created };
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

type PartOptions = Omit<ReplayOptions, "tokens"> & { part: ReplayPart; total: ReplayedBlock; isLast: boolean };

/** @param options.total what other parts of the block came to @returns the same with this one, and what the next one finds */
async function recordReplay(
  pool: Pool,
  { chainId, step, before }: { chainId: string; step: ReplayStep; before: Before },
  { block, part, addressQuota, total, isLast }: PartOptions,
): Promise<{ total: ReplayedBlock; before: Before } | "changed meanwhile" | undefined> {
  return inTransaction(pool, async (db) => {
    await lockChainExclusively(db, chainId);
    if (!(await holdReplayStep(db, step))) return undefined;
    const webhook = await readWatcher(db, step.webhookId);
    if (!webhook) return undefined;
    const recorded = await assertFollowed(db, { chainId, lane: webhook.lane }, block);
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
    const sum = { resent: total.resent + part.resent.length, added: total.added + missed.recorded + missed.held };
    if (isLast) await noteReplayStep(db, step, sum);
    // What a factory created is counted in the webhook.
    const { version = "" } = part.created.length > 0 ? ((await readWatcher(db, webhook.id)) ?? {}) : webhook;
    return { total: sum, before: { sequence: await lastSequence(db, webhook.id), version } };
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

/** A replay covers only blocks that the webhook's lane has followed. So a block that leaves the chain later is retracted like any other. */
async function assertFollowed(
  db: Queryable,
  lane: LaneId,
  { number, hash }: ReadBlock,
): Promise<Recorded & { cursor: BlockId }> {
  const { cursor, ...recorded } = await readCursor(db, lane);
  if (recorded.owedAfter !== undefined && cursor?.number === number)
    throw new ServiceError("other_branch", `block ${number} is still being matched for the webhook`);
  if (recorded.leaving && number > recorded.leaving.number)
    throw new ServiceError("other_branch", `block ${number} leaves the chain`);
  const followed = await isRecorded(db, lane, { number, hash });
  if (!cursor || cursor.number < number || followed === false)
    throw new ServiceError("other_branch", `the node's block ${number} is not the one that was followed`);
  return { ...recorded, cursor };
}
