/**
 * Follows the lanes of one kind of a chain while their lease is held. Each step takes the lane that is next, and a source: the stream of
 * checked blocks while it can, otherwise the first available node. `step.ts` says what a step is. A step that fails has changed nothing: its
 * source is set aside, and the next step takes another one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isServiceError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import { createPause, type Pause, Precedence, untilTick } from "../../base/pause.ts";
import type { Tracing } from "../../base/tracing.ts";
import { checksOf, profileOf } from "../../settings/chain-profiles.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import { ensureChain } from "../../store/chains/cursor.ts";
import type { Lease } from "../../store/lease-holder.ts";
import type { Pool } from "../../store/pool.ts";
import { type ChainMetrics, chainMetrics } from "../observe.ts";
import { assertChain } from "../read/fetch.ts";
import { longestRun } from "../read/run-length.ts";
import { type AnnouncedHead, createHeadWakes, watchHeads } from "../sources/heads.ts";
import { checkTracing, connectNodes, NodePace } from "../sources/node-pool.ts";
import { type NodeSources, nodeSources } from "../sources/node-source.ts";
import type { ChosenSource } from "../sources/source.ts";
import { type StreamSources, streamSources } from "../sources/stream-source.ts";
import { StreamAwayError } from "../stream/block-stream.ts";
import type { BlocksConnection } from "../stream/connection.ts";
import { createTokenReader } from "../tokens/token-reader.ts";
import {
  type FollowedKind,
  type FollowedLane,
  type FollowedLanes,
  followedLanes,
  lanesPollMs,
  livenessOf,
  longestRestMs,
} from "./lanes.ts";
import { type StepProgress, takeStep } from "./step.ts";

/**
 * @param options.blocks takes blocks from the stream while it can
 * @param options.following steps at the chain's head go first there, and those of histories wait
 * @param options.addressQuota for accounts without their own, if any
 * @param options.onRecorded called after notifications were recorded
 * @returns when the lease must be returned or is lost
 */
export async function followLanes(options: {
  pool: Pool;
  chain: ChainConfig;
  kind: FollowedKind;
  lease: Lease;
  log: Logger;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  blocks?: BlocksConnection | undefined;
  addressQuota?: number | undefined;
  following?: Precedence | undefined;
  onRecorded?: (() => void) | undefined;
}): Promise<void> {
  const { pool, chain, kind, lease, metrics, blocks, following = new Precedence() } = options;
  const { chainId } = chain;
  const log = options.log.child({ chainId, lane: kind.name });
  const signal = AbortSignal.any([lease.stopping, lease.lost]);
  const counted = chainMetrics(metrics, chainId, kind.name);
  const purpose = kind.catchesUp ? "catching-up" : "following";
  const pace = kind.isHistory ? new NodePace() : undefined;
  const onThrottled = () => pace?.throttled();
  const { nodes, readers } = connectNodes(chain, { signal, purpose, metrics: counted, log, onThrottled });
  counted.showNodes(nodes, signal);
  const tokens = createTokenReader({ pool, chain, callsOf: counted.callsOf, log, signal });
  const pause = createPause(signal);
  const heads = createHeadWakes(pause);
  if (kind.name === "traces" && chain.traces && !blocks) void checkTracing({ nodes: [...readers.keys()], log, signal });
  const isLive = livenessOf(pool, chainId);
  /** While a step is taken at the head in this process, the past begins nothing. On a live chain it rests as long as it worked. */
  async function inOrder<T>(step: () => Promise<T>): Promise<T> {
    if (!kind.isHistory) return kind.catchesUp ? step() : following.first(step);
    await following.free();
    const from = performance.now();
    try {
      return await step();
    } finally {
      const restMs = Math.min(longestRestMs, performance.now() - from);
      if (await isLive().catch(() => true)) await sleep(restMs, undefined, { signal }).catch(() => undefined);
    }
  }
  log.info({ profile: profileOf(chainId).name, checks: checksOf(chain), finality: chain.finality }, "following");
  await takeSteps({
    ...{ chain, pace, inOrder, pause, counted, log, signal, announced: heads.take },
    lanes: followedLanes({ ...options, isLive, tokens, log, signal }),
    nodes: nodeSources({
      ...{ chain, nodes, readers },
      async verify(node) {
        await ensureChain(pool, chainId);
        await assertChain(node, chainId);
      },
      onDoubt({ isContradiction, ...logs }) {
        if (isContradiction) counted.logsContradicted(logs.nodes);
        log.warn(logs, "blocks are read whole: nodes do not agree on their logs");
      },
    }),
    // The stream has no blocks of the past.
    stream:
      blocks && !kind.isHistory
        ? streamSources(blocks, { chain, purpose, counted, log, signal, wake: pause.wake })
        : undefined,
    onFirst() {
      // Most chains have lanes of one kind only, and need one socket. The stream announces heads by itself.
      if (chain.wsUrl && !blocks) watchHeads(chain.wsUrl, { wake: heads.wake, signal, log });
    },
  });
}

const shortestPauseMs = 250;
const longestPauseMs = 10_000;
const pacePollMs = 100;

/**
 * Takes steps of lanes, one after the other, until the signal.
 *
 * @param options.stream has the first choice; undefined if blocks come from nodes only
 * @param options.pace of what is not following: what a node allows in a second is what following has, too
 * @param options.inOrder takes a step when it may be taken; immediately by default
 * @param options.announced returns the head that was announced since it was called last, if any
 * @param options.onFirst called once there is a lane
 * @param options.signal ends it after the step
 */
export async function takeSteps(options: {
  chain: ChainConfig;
  lanes: FollowedLanes;
  nodes: NodeSources;
  stream?: StreamSources | undefined;
  pace?: NodePace | undefined;
  inOrder?: <T>(step: () => Promise<T>) => Promise<T>;
  pause: Pause;
  counted: ChainMetrics;
  log: Logger;
  signal: AbortSignal;
  announced: () => AnnouncedHead | undefined;
  onFirst: () => void;
}): Promise<void> {
  const { chain, lanes, nodes, stream, pace, inOrder = (step) => step(), pause, counted, log, signal } = options;
  let outages = 0;
  let isFirst = true;

  while (!signal.aborted) {
    if (pace && !pace.mayStart()) {
      await pause.wait(pacePollMs);
      continue;
    }
    const followed = await nextLane();
    if (!followed) {
      await pause.wait(untilTick(lanesPollMs(chain)));
      continue;
    }
    if (isFirst) options.onFirst();
    isFirst = false;
    const chosen = await chooseSource(followed);
    if (!chosen) continue;
    lanes.taken?.();
    try {
      const progress = await inOrder(() => step(followed, chosen));
      noteProgress(chosen, progress);
      await followed.state.stepped(progress);
      const isAtHead = !progress.moved || progress.cursor.number >= progress.head.number;
      if (isAtHead && !progress.releasing) await pause.wait(chain.pollMs);
    } catch (error) {
      // Nobody needs what the failed step still waits for.
      chosen.cancel();
      if (signal.aborted) return;
      if (isServiceError(error, "cursor_moved")) {
        log.debug({ reason: error.message }, "a step came too late");
        await pause.wait(chain.pollMs);
      } else await noteFailure(followed, chosen, error);
    }
  }

  /** @returns undefined if there is no lane, or the database is away */
  async function nextLane(): Promise<FollowedLane | undefined> {
    try {
      return await lanes.next();
    } catch (error) {
      if (signal.aborted) return undefined;
      lanes.failed(error);
      const pauseMs = outagePauseMs(++outages);
      log.warn({ reason: reasonOf(error), pauseMs }, "a step of the chain failed; it will be retried");
      await pause.wait(pauseMs);
      return undefined;
    }
  }

  /** @returns undefined after a wait, if there is no source now */
  async function chooseSource(followed: FollowedLane): Promise<ChosenSource | undefined> {
    const fromStream = stream?.pick(followed);
    if (fromStream === "wait") {
      await followed.state.waited();
      await pause.wait(lanesPollMs(chain));
      return undefined;
    }
    const chosen = fromStream ?? nodes.pick(followed);
    if (chosen) return chosen;
    await followed.state.check({ noNode: true });
    await pause.wait(Math.min(1_000, nodes.waitMs()));
    return undefined;
  }

  async function step({ record, memory }: FollowedLane, chosen: ChosenSource): Promise<StepProgress> {
    pace?.started();
    try {
      await chosen.prepare();
      const progress = await takeStep(chain, { record, source: chosen.source, memory, announced: options.announced() });
      await chosen.assertCurrent(progress);
      return progress;
    } finally {
      pace?.ended();
    }
  }

  function noteProgress({ source, ...chosen }: ChosenSource, progress: StepProgress): void {
    const { cursor, notifications } = progress;
    const hadFailed = chosen.succeeded(progress);
    if (hadFailed || outages > 0) log.info({ node: source.origin, block: cursor.number }, "following again");
    outages = 0;
    counted.step(progress);
    if (notifications > 0) log.debug({ block: cursor.number, notifications }, "recorded");
  }

  async function noteFailure({ memory, state }: FollowedLane, chosen: ChosenSource, error: unknown): Promise<void> {
    memory.runLength = 1;
    memory.sparse = { ...memory.sparse, runLength: longestRun };
    const aside = chosen.failed(error);
    const pauseMs = aside === "outage" ? outagePauseMs(++outages) : aside;
    // The nodes have blocks that the stream lacks, so only their failures stop the chain; their patience begins after the stream's.
    if (!chosen.source.isSettled || aside === "outage" || error instanceof StreamAwayError) state.failed(error);
    log.warn(
      { node: chosen.source.origin, reason: reasonOf(error), pauseMs },
      "a step of the chain failed; it will be retried",
    );
    await state.check({ noNode: false });
    if (aside === "outage") await pause.wait(pauseMs);
  }
}

const outagePauseMs = (outages: number) => Math.min(longestPauseMs, shortestPauseMs * 2 ** (outages - 1));

/** The error of a connection that was tried to several addresses has a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error && String(error.code)) || error.name;
}
