/**
 * Follows the lanes of one kind of a chain while their lease is held: step by step, with the first available node.
 *
 * Room `follow/`: decides which blocks to record, by which node, and when. It is on top: it imports `read/`, `check/` and `nodes/`, and
 * none of them imports it.
 */

import type { Logger } from "pino";
import { isServiceError } from "../../errors.ts";
import type { Metrics } from "../../metrics.ts";
import { type BlockId, ensureChain } from "../../store/chains/cursor.ts";
import { isDatabaseUnavailable } from "../../store/database-errors.ts";
import type { Lease } from "../../store/lease-holder.ts";
import { createPause, untilTick } from "../../store/pause.ts";
import type { Pool } from "../../store/pool.ts";
import type { Tracing } from "../../tracing.ts";
import { checksOf, profileOf } from "../check/profiles.ts";
import type { ChainConfig } from "../config.ts";
import { type Node, type NodeError, UntrustedNodeError } from "../nodes/node.ts";
import { assertChain } from "../read/fetch.ts";
import type { BlockReader } from "../read/reader.ts";
import { advance, type StepProgress } from "./advance.ts";
import { checkTracing } from "./check-tracing.ts";
import { watchHeads } from "./heads.ts";
import { type FollowedKind, type FollowedLane, followedLanes, lanesPollMs } from "./lanes.ts";
import { connectNodes } from "./node-pool.ts";
import { chainMetrics } from "./observe.ts";

const shortestPauseMs = 250;
const longestPauseMs = 10_000;

/**
 * @param options.onRecorded called after notifications were recorded, so a deliverer in this process need not poll
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
  onRecorded: () => void;
}): Promise<void> {
  const { pool, chain, kind, lease, metrics, onRecorded } = options;
  const { chainId } = chain;
  const log = options.log.child({ chainId, lane: kind.name });
  const signal = AbortSignal.any([lease.stopping, lease.lost]);
  const counted = chainMetrics(metrics, chainId, kind.name);
  const { nodes, readers } = connectNodes(chain, { signal, metrics: counted, log });
  counted.showNodes(nodes, signal);
  const pause = createPause(signal);
  /** Called once there is a lane of this kind: most chains have one kind only, and need one socket. */
  let subscribeToHeads = () => {
    if (chain.wsUrl) watchHeads(chain.wsUrl, { wake: pause.wake, signal, log });
    subscribeToHeads = () => undefined;
  };
  if (kind.name === "traces" && chain.traces) void checkTracing({ nodes: [...readers.keys()], log, signal });
  const lanes = followedLanes({ ...options, log, signal });
  /** The nodes whose chain was asserted since their last failure. */
  const verified = new Set<Node>();
  let outages = 0;
  log.info({ profile: profileOf(chainId).name, checks: checksOf(chain), finality: chain.finality }, "following");

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

  async function step({ lane, memory, lag }: FollowedLane, node: Node, reader: BlockReader): Promise<StepProgress> {
    if (!verified.has(node)) {
      await ensureChain(pool, chainId);
      await assertChain(node, chainId);
      verified.add(node);
    }
    const progress = await advance(pool, chain, { lane, node, reader, witnesses: nodes.witnesses(node), memory });
    if (progress.moved) lag.moved();
    else if (await lag.isBehind(progress.cursor, node, nodes.others(node))) throw lagError(node, progress.cursor);
    return progress;
  }

  function noteProgress(node: Node, progress: StepProgress): void {
    const { cursor, notifications } = progress;
    if (nodes.noteSuccess(node) + outages > 0) log.info({ node: node.origin, block: cursor.number }, "following again");
    outages = 0;
    counted.step(progress);
    if (notifications === 0) return;
    log.debug({ block: cursor.number, notifications }, "recorded");
    onRecorded();
  }

  /** @returns how many ms to wait before the next try */
  function noteFailure({ memory, state }: FollowedLane, node: Node, error: unknown): number {
    memory.runLength = 1;
    state.failed(error);
    // Without the database we cannot judge a node.
    const pauseMs = isDatabaseUnavailable(error) ? outagePauseMs(++outages) : nodes.setAside(node, error);
    verified.delete(node);
    log.warn({ node: node.origin, reason: reasonOf(error), pauseMs }, "a step of the chain failed; it will be retried");
    return isDatabaseUnavailable(error) ? pauseMs : 0;
  }

  while (!signal.aborted) {
    const followed = await nextLane();
    if (!followed) {
      await pause.wait(untilTick(lanesPollMs(chain)));
      continue;
    }
    subscribeToHeads();
    const node = nodes.pick();
    const reader = node && readers.get(node);
    if (!reader) {
      await followed.state.check({ noNode: true });
      await pause.wait(Math.min(1_000, nodes.waitMs()));
      continue;
    }
    lanes.taken(followed);
    try {
      const progress = await step(followed, node, reader);
      noteProgress(node, progress);
      await followed.state.stepped(progress);
      if (!progress.moved || progress.cursor.number >= progress.head.number) await pause.wait(chain.pollMs);
    } catch (error) {
      // Nobody needs what the failed step still waits for.
      node.cancel();
      reader.cancel();
      if (signal.aborted) return;
      if (isServiceError(error, "cursor_moved")) {
        log.debug({ reason: error.message }, "a step came too late");
        await pause.wait(chain.pollMs);
      } else {
        const pauseMs = noteFailure(followed, node, error);
        await followed.state.check({ noNode: false });
        await pause.wait(pauseMs);
      }
    }
  }
}

const outagePauseMs = (outages: number) => Math.min(longestPauseMs, shortestPauseMs * 2 ** (outages - 1));

function lagError({ origin }: Node, { number }: BlockId): NodeError {
  return new UntrustedNodeError(`its head stays at block ${number}, and other nodes are ahead`, {
    method: "eth_getBlockByNumber",
    origin,
  });
}

/** The error of a connection that was tried to several addresses has a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error && String(error.code)) || error.name;
}
