/** Follows the lanes of one kind of one chain for as long as their lease is held: step by step, with the first of its nodes that is fit. */
import type { Logger } from "pino";
import type { Metrics } from "../../metrics.ts";
import { type BlockId, ensureChain } from "../../store/chains/cursor.ts";
import { isDatabaseAway } from "../../store/database-errors.ts";
import type { Lease } from "../../store/lease-holder.ts";
import type { Pool } from "../../store/pool.ts";
import type { Tracing } from "../../tracing.ts";
import { logInapplicable } from "../check/accept.ts";
import { checksOf, profileOf } from "../check/profiles.ts";
import type { ChainConfig } from "../config.ts";
import { connectNodes } from "../nodes/connect-nodes.ts";
import type { Node, NodeError } from "../nodes/node.ts";
import { createNodePool } from "../nodes/node-pool.ts";
import { NotBelievedError } from "../nodes/untrusted-node.ts";
import { assertChain } from "../read/fetch.ts";
import type { BlockReader } from "../read/reader.ts";
import { advance, type Progress } from "./advance.ts";
import { checkTracing } from "./check-tracing.ts";
import { countChain } from "./count-chain.ts";
import { type FollowedLane, keepLanes, lanePeriodMs } from "./followed-lanes.ts";
import { announceHeads } from "./heads.ts";
import type { FollowedKind } from "./lanes.ts";
import { createPause } from "./pause.ts";
import { CursorMovedError } from "./record.ts";

const shortestPauseMs = 250;
const longestPauseMs = 10_000;
/** Lanes are looked at so often while no node is fit: webhooks may have to leave or to join them. */
const lookMs = 1_000;

/**
 * @param options.onRecorded called after notifications were recorded, so that a deliverer in this process need not poll
 * @returns when the lease is to be given back or is lost
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
  const count = countChain(metrics, chainId, kind.name);
  const connected = connectNodes(chain, { signal, count, onInapplicable: logInapplicable(log) });
  const nodes = createNodePool([...connected.keys()]);
  count.nodes(nodes, signal);
  const pause = createPause(signal);
  /** Only once there is a lane of this kind: most chains have one kind only, and need one socket. */
  let hearHeads = () => {
    if (chain.wsUrl) announceHeads(chain.wsUrl, { wake: pause.wake, signal, log });
    hearHeads = () => undefined;
  };
  if (kind.name === "traces" && chain.traces) void checkTracing({ nodes: [...connected.keys()], log, signal });
  const lanes = keepLanes({ ...options, log, signal });
  /** The nodes that have shown that they are of this chain, since they failed last. */
  const trusted = new Set<Node>();
  let outages = 0;
  log.info({ profile: profileOf(chainId).name, checks: checksOf(chain), finality: chain.finality }, "following");

  /** @returns the lane whose turn it is; undefined where there is none, or the database is away */
  async function nextLane(): Promise<FollowedLane | undefined> {
    try {
      return await lanes.next();
    } catch (error) {
      if (signal.aborted) return undefined;
      lanes.failed(error);
      const pauseMs = outagePauseMs(++outages);
      log.warn({ reason: reasonOf(error), pauseMs }, "a step of the chain failed; it will be tried again");
      await pause(pauseMs);
      return undefined;
    }
  }

  async function step({ lane, memory, lag }: FollowedLane, node: Node, reader: BlockReader): Promise<Progress> {
    if (!trusted.has(node)) {
      await ensureChain(pool, chainId);
      await assertChain(node, chainId);
      trusted.add(node);
    }
    const progress = await advance(pool, chain, { lane, node, reader, witnesses: nodes.witnesses(node), memory });
    if (progress.moved) lag.moved();
    else if (await lag.stood(progress.cursor, node, nodes.others(node))) throw lagsBehind(node, progress.cursor);
    return progress;
  }

  function noteProgress(node: Node, progress: Progress): void {
    const { cursor, notifications } = progress;
    if (nodes.didWell(node) + outages > 0) log.info({ node: node.origin, block: cursor.number }, "following again");
    outages = 0;
    count.progress(progress);
    if (notifications === 0) return;
    log.debug({ block: cursor.number, notifications }, "recorded");
    onRecorded();
  }

  /** @returns how long to wait before the next try */
  function noteFailure({ memory, state }: FollowedLane, node: Node, error: unknown): number {
    memory.run = 1;
    state.failed(error);
    // Without the database no node can be told good from bad.
    const pauseMs = isDatabaseAway(error) ? outagePauseMs(++outages) : nodes.setAside(node, error);
    trusted.delete(node);
    const about = { node: node.origin, reason: reasonOf(error), pauseMs };
    log.warn(about, "a step of the chain failed; it will be tried again");
    return isDatabaseAway(error) ? pauseMs : 0;
  }

  while (!signal.aborted) {
    const followed = await nextLane();
    if (!followed) {
      await pause(lanePeriodMs(chain));
      continue;
    }
    hearHeads();
    const node = nodes.pick();
    const reader = node && connected.get(node);
    if (!reader) {
      await followed.state.look({ nobody: true });
      await pause(Math.min(lookMs, nodes.waitMs()));
      continue;
    }
    lanes.begun(followed);
    try {
      const progress = await step(followed, node, reader);
      noteProgress(node, progress);
      await followed.state.stepped(progress);
      if (!progress.moved || progress.cursor.number >= progress.head.number) await pause(chain.pollMs);
    } catch (error) {
      // What the failed step still waits for is wanted by nobody.
      node.cancel();
      reader.cancel();
      if (signal.aborted) return;
      if (error instanceof CursorMovedError) {
        log.debug({ reason: error.message }, "a step came too late");
        await pause(chain.pollMs);
      } else {
        const pauseMs = noteFailure(followed, node, error);
        await followed.state.look({ nobody: false });
        await pause(pauseMs);
      }
    }
  }
}

const outagePauseMs = (outages: number) => Math.min(longestPauseMs, shortestPauseMs * 2 ** (outages - 1));

function lagsBehind({ origin }: Node, { number }: BlockId): NodeError {
  return new NotBelievedError(`its head stays at block ${number}, and other nodes are ahead`, {
    method: "eth_getBlockByNumber",
    origin,
  });
}

/** Errors of a connection that was tried to several addresses have a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error && String(error.code)) || error.name;
}
