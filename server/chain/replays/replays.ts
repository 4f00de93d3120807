/**
 * Runs the replays of one chain while its lease is held. Following the chain comes first: while the chain is live, replays leave it half of the
 * machine, read ahead from far nodes only, and begin nothing while a step is taken; while it lags they nearly stop. Accounts take turns of half
 * a second, and each has at most one in flight. So an account is held up neither by another's many replays, nor by blocks that nodes return slowly
 * or never.
 *
 * In a turn, an account's replays that are at the same block go through some runs of blocks together, which all accounts share (shared-runs.ts).
 * Most blocks have nothing for a webhook, and nothing on record: these cost no transaction, and are noted together at the end of the turn. Of
 * others, recorded notifications are sent again, and missed ones are recorded as the follower would have done. What that is is found out
 * without a lock. It is recorded under the chain's lock, a little in each transaction. A process that dies before it notes a block leaves it to the
 * next one, which finds it on record and sends it again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isServiceError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import { atMost, Precedence, untilTick } from "../../base/pause.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import { lockChainForChange } from "../../store/chains/lock.ts";
import {
  nextReplayStep,
  noteQuietBlocks,
  noteReplayFailure,
  postponeReplay,
  postponeWaiting,
  type ReplayStep,
  reopenReplays,
  replaysTogether,
} from "../../store/chains/replay-work.ts";
import { hasReplays } from "../../store/chains/work-to-do.ts";
import { isDatabaseUnavailable } from "../../store/database-errors.ts";
import type { Lease } from "../../store/lease-holder.ts";
import { commitSoon, inTransaction, type Pool, together } from "../../store/pool.ts";
import { livenessOf, longestRestMs } from "../follow/lanes.ts";
import type { Node } from "../nodes/node.ts";
import { chainMetrics } from "../observe.ts";
import type { ReadBlock } from "../read/block.ts";
import { longestRun } from "../read/run-length.ts";
import { connectNodes, NodePace } from "../sources/node-pool.ts";
import { createTokenReader } from "../tokens/token-reader.ts";
import { assertOnRecord, createBlockSearch, placeOf, replayBlock } from "./replay-block.ts";
import { createSharedRuns, type SharedRun } from "./shared-runs.ts";

/** How long a turn takes, but for its last run, and how many blocks. What is not noted by then is done again after a crash. */
const turnMs = 500;
const turnBlocks = 64;
/** One block a second while the follower is catching up. */
const yieldingPauseMs = 1_000;
const lagToYieldAt = 8;
const idlePauseMs = 1_000;
/** Each of another account. Only this many accounts together, with blocks that hang, could hold up the others. */
const maxInFlight = 4;
/** As many runs are read ahead as while catching up. */
const runsAhead = 2;
const longestPauseMs = 30_000;
const failedRestMs = 500;
/** A webhook's new lane may take a while to catch up. */
const postponedMs = 5_000;
/** One that changes again and again is tried again after others. */
const changedPauseMs = 250;
/** A day of failures of one block, half a minute apart. */
const failureLimit = 2_880;

/**
 * @param options.addressQuota for accounts without their own, if any
 * @param options.following what goes first
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
  following?: Precedence | undefined;
  onRecorded: () => void;
}): Promise<void> {
  const { pool, chain, lease, metrics, addressQuota, onRecorded, following = new Precedence() } = options;
  const { chainId } = chain;
  const log = options.log.child({ chainId });
  const signal = AbortSignal.any([lease.stopping, lease.lost]);
  const counted = chainMetrics(metrics, chainId, "plain");
  const pace = new NodePace();
  const onThrottled = () => pace.throttled();
  const { nodes, readers } = connectNodes(chain, { signal, purpose: "background", metrics: counted, log, onThrottled });
  const tokens = createTokenReader({ pool, chain, callsOf: counted.callsOf, log, signal });
  const runs = createSharedRuns({ chain, nodes, readers, pace, log, signal });
  const search = createBlockSearch(pool, chainId);
  const isLive = livenessOf(pool, chainId);
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);

  const inFlight = new Map<number, Promise<void>>();
  let lastAccount = 0;
  let reopenedAt = Number.NEGATIVE_INFINITY;
  let recording: Promise<unknown> = Promise.resolve();

  /** One transaction at a time: the follower waits for the chain's lock behind each. */
  function inTurn<T>(record: () => Promise<T>): Promise<T> {
    let from = 0;
    const recorded = recording.then(async () => {
      await following.free();
      from = performance.now();
      return record();
    });
    const rested = recorded.then(async () => {
      const tookMs = performance.now() - from;
      if (await isLive()) await pause(tookMs);
    });
    recording = rested.catch(() => undefined);
    return recorded;
  }

  /** Takes a turn of one account, with those of its replays that are at the same block. */
  async function takeTurn(first: ReplayStep): Promise<void> {
    if (!first.followed) {
      await postponeWaiting(pool, chainId, first, postponedMs);
      await pause(failedRestMs);
      return;
    }
    const yields = first.lag > lagToYieldAt;
    const turn = new Turn(yields ? [first] : await replaysTogether(pool, chainId, first), yields ? 1 : turnBlocks);
    try {
      while (turn.goesOn() && !signal.aborted) {
        await following.free();
        const from = performance.now();
        const run = await takeRun(turn);
        if (!run) return;
        try {
          if (!yields && (run.isFar || !(await isLive()))) readAhead(turn, run);
          await replayRun(turn, run);
        } finally {
          run.release();
        }
        // Half of the machine for all accounts together. A node that takes its time takes none of it.
        const restMs = Math.min(longestRestMs, (performance.now() - from) * (2 * inFlight.size - 1));
        if (await isLive()) await pause(restMs);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isDatabaseUnavailable(error)) throw error;
      // Only a block that every available node failed to return counts as a failure.
      await note(turn);
      for (const step of turn.at()) await noteFailure(step, error);
      // An account whose turns only fail has few of them.
      await pause(failedRestMs);
    } finally {
      await note(turn);
    }
  }

  /**
   * @returns blocks that all lanes of the turn's webhooks have recorded; undefined if no node is available
   * @throws what the block failed with on every node
   */
  async function takeRun(turn: Turn): Promise<SharedRun | undefined> {
    const wanted = { from: turn.block, upTo: turn.upTo, traces: turn.traces };
    const except = new Set<Node>();
    for (;;) {
      const taken = runs.take(wanted, except.size > 0 ? except : undefined);
      // What is done is noted while a node takes its time.
      let isThere = false;
      const noteThere = () => {
        isThere = true;
      };
      await atMost(turn.restMs(), taken.then(noteThere, noteThere));
      if (!isThere)
        await note(turn).catch((error: unknown) => {
          void taken.then((run) => run?.release()).catch(() => undefined);
          throw error;
        });
      const run = await taken;
      if (!run) return undefined;
      try {
        await assertRecorded(turn, run);
        for (const node of except) nodes.setAside(node, new Error(`its block ${wanted.from} is of another branch`));
        return run;
      } catch (error) {
        run.release();
        if (!isServiceError(error, "other_branch")) throw error;
        run.forget();
        // One that was read before may have left the chain since.
        if (run.isFresh) except.add(run.node);
        if (run.isFresh && !nodes.pick(except)) throw error;
      }
    }
  }

  /** The blocks of a run are linked, so the last one stands for all. One at a time of each lane. */
  async function assertRecorded(turn: Turn, { blocks }: SharedRun): Promise<void> {
    for (const lane of turn.lanes()) {
      const last = blocks.findLast(({ number }) => number <= turn.upToOf(lane));
      if (last) await assertOnRecord(pool, { chainId, lane }, last);
    }
  }

  function readAhead({ upToOfAll: upTo, traces }: Turn, { blocks }: SharedRun): void {
    let from = (blocks.at(-1)?.number ?? 0) + 1;
    for (let ahead = 0; ahead < runsAhead; ahead += 1) {
      runs.ahead({ from, upTo, traces });
      from += longestRun - (from % longestRun);
    }
  }

  async function replayRun(turn: Turn, { blocks }: SharedRun): Promise<void> {
    const wanted = blocks.filter(({ number }) => number <= turn.upTo);
    // What was read before has left the chain since: it is read again in another turn.
    for (const step of turn.at()) if (step.hash && step.hash !== wanted[0]?.parentHash) turn.giveUp(step);
    const busy = await search(turn.at(), wanted);
    for (const block of wanted) {
      let hasWaited = false;
      for (const step of turn.at(block.number)) {
        if (signal.aborted) return;
        const isBusy = busy.has(placeOf(block.number, step.id));
        if (isBusy) await replayOne(turn, step, block);
        else turn.passed(step, block);
        hasWaited ||= isBusy;
      }
      turn.block = block.number + 1;
      if (hasWaited && turn.restMs() <= 0) return;
    }
  }

  async function replayOne(turn: Turn, step: ReplayStep, block: ReadBlock): Promise<void> {
    const { id: replay, webhookId } = step;
    try {
      const replayed = await tokens.withTokens(block.number, (pass) =>
        replayBlock(pool, chainId, step, { block, tokens: pass, addressQuota, inTurn }),
      );
      if (!replayed) {
        // Somebody else did the block, or the replay was cancelled, or its webhook changes all the time: others come first then.
        turn.leave(step);
        await noteQuiet([step]);
        return postponeReplay(pool, step, changedPauseMs);
      }
      turn.passed(step, block);
      if (replayed === "nothing") return;
      metrics.chain.replayed.inc({ chain_id: chainId }, step.block - (step.noted ?? step.block));
      step.noted = step.block;
      log.debug({ replay, webhookId, block: block.number, ...replayed }, "replayed");
      if (replayed.added + replayed.resent > 0) onRecorded();
    } catch (error) {
      if (signal.aborted || isDatabaseUnavailable(error)) throw error;
      // It is of this replay alone.
      turn.leave(step);
      await noteQuiet([step]);
      await noteFailure(step, error);
    }
  }

  /** Notes the blocks that are done and that nothing was recorded of. */
  async function note(turn: Turn): Promise<void> {
    const gone = await noteQuiet(turn.all());
    for (const step of gone) turn.leave(step);
  }

  /** @returns those that were cancelled, or whose blocks somebody else did, or have left the chain since */
  async function noteQuiet(steps: readonly ReplayStep[]): Promise<ReplayStep[]> {
    const moved = steps.filter(({ block, noted = block }) => block > noted);
    if (moved.length === 0) return [];
    await following.free();
    const done = await inTransaction(pool, async (db) => {
      await together([lockChainForChange(db, chainId), commitSoon(db)]);
      return noteQuietBlocks(db, moved);
    });
    for (const step of moved) {
      if (done.has(step.id)) metrics.chain.replayed.inc({ chain_id: chainId }, step.block - (step.noted ?? step.block));
      step.noted = step.block;
    }
    return moved.filter(({ id }) => !done.has(id));
  }

  async function noteFailure(step: ReplayStep, error: unknown): Promise<void> {
    const { id: replay, block, failures } = step;
    const details = { replay, block, failures, reason: (error as Error).message };
    log.warn(details, "a block could not be replayed; it will be retried");
    const reason = reasonOf(block, error);
    const retryMs = Math.min(longestPauseMs, 250 * 2 ** Math.min(failures, 10));
    const last = failures + 1 >= failureLimit;
    if (last) log.warn({ replay, block }, "a replay failed for good");
    await noteReplayFailure(pool, step, { pauseMs: last ? undefined : retryMs, reason });
  }

  async function startTurn(): Promise<ReplayStep | undefined> {
    if (inFlight.size >= maxInFlight) return undefined;
    if (inFlight.size === 0 && !(await hasReplays(pool, chainId, idlePauseMs / 2))) return undefined;
    if (performance.now() - reopenedAt > idlePauseMs) {
      reopenedAt = performance.now();
      await reopenReplays(pool, chainId);
    }
    const step = await nextReplayStep(pool, chainId, { after: lastAccount, busy: [...inFlight.keys()] });
    if (!step) return undefined;
    lastAccount = step.accountId;
    const running = takeTurn(step).catch(async (error: unknown) => {
      logError(error);
      await pause(1_000);
    });
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
      const step = await startTurn();
      if (step && step.lag > lagToYieldAt) await pause(yieldingPauseMs);
      else if (!step && inFlight.size > 0) await atMost(100, Promise.race(inFlight.values()));
      else if (!step) {
        runs.clear();
        await pause(untilTick(idlePauseMs));
      }
    } catch (error) {
      logError(error);
      await pause(1_000);
    }
  }
  await Promise.all(inFlight.values());
}

/** Why a replay ended, by what its last try failed with. */
const reasonOf = (block: number, error: unknown): string =>
  isServiceError(error, "other_branch")
    ? `Block ${block} of the chain's nodes was not the one that was followed, for a day.`
    : `Block ${block} was not returned by any node of the chain for a day.`;

/** The replays of a turn. They start at the same block, and each goes on until it is done, or fails. */
class Turn {
  /** The next block. */
  block: number;
  readonly upTo: number;
  readonly upToOfAll: number;
  readonly traces: boolean;
  readonly #steps: ReplayStep[];
  readonly #left = new Set<string>();
  readonly #until = performance.now() + turnMs;

  /** @param most how many blocks at most. Turns end at the same blocks for all, so that those who meet stay together */
  constructor(steps: readonly ReplayStep[], most: number) {
    const { block = 0, traces = false } = steps[0] ?? {};
    this.#steps = steps.map((step) => ({ ...step, noted: step.block }));
    this.block = block;
    this.traces = traces;
    this.upToOfAll = Math.max(...steps.map(({ upTo }) => upTo));
    this.upTo = Math.min(this.upToOfAll, block - (block % most) + most - 1);
  }

  goesOn(): boolean {
    return this.block <= this.upTo && this.restMs() > 0 && this.at().length > 0;
  }

  restMs(): number {
    return Math.max(0, this.#until - performance.now());
  }

  all(): readonly ReplayStep[] {
    return this.#steps;
  }

  /** Those whose next block this is, by default the turn's. */
  at(block = this.block): ReplayStep[] {
    return this.#steps.filter((step) => step.block === block && block <= step.upTo && !this.#left.has(step.id));
  }

  lanes(): number[] {
    return [...new Set(this.at().map(({ lane }) => lane))];
  }

  upToOf(lane: number): number {
    return Math.max(...this.at().map((step) => (step.lane === lane ? step.upTo : -1)));
  }

  /** Its next block is done. */
  passed(step: ReplayStep, { hash }: ReadBlock): void {
    step.block += 1;
    step.hash = hash;
    step.failures = 0;
  }

  /** What it did and did not note is of no use. It does no further block in this turn. */
  giveUp(step: ReplayStep): void {
    step.block = step.noted ?? step.block;
    this.leave(step);
  }

  /** It does no further block in this turn. */
  leave(step: ReplayStep): void {
    this.#left.add(step.id);
  }
}
