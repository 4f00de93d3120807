/** Takes the replays of one chain forward, with traces or without, for as long as its lease is held: slowly, since whoever follows the chain comes first. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Metrics } from "../metrics.ts";
import { isDatabaseAway } from "../store/errors.ts";
import type { Lease } from "../store/lease-holder.ts";
import type { Pool } from "../store/pool.ts";
import { nextReplayStep, noteReplayFailure, type ReplayStep } from "../store/replay-work.ts";
import { logInapplicable } from "./accept.ts";
import type { ChainConfig } from "./config.ts";
import { connectNodes } from "./connect-nodes.ts";
import { countChain } from "./count-chain.ts";
import { assertChain } from "./fetch.ts";
import type { FollowedKind } from "./lanes.ts";
import { type Node, NodeError } from "./node.ts";
import { createNodePool } from "./node-pool.ts";
import type { BlockReader, ReadRun } from "./reading/reader.ts";
import { replayBlock } from "./replay-block.ts";

/** Between two blocks: at most ten a second, and one a second while following the chain has something to catch up with. */
const pauseMs = 100;
const yieldingPauseMs = 1_000;
const lagToYieldAt = 8;
const idlePauseMs = 500;
const longestPauseMs = 30_000;
/** So many failures of one block in a row, each half a minute after the other, are a day. */
const failureLimit = 2_880;

/**
 * @param options.onRecorded called after notifications were recorded, so that a deliverer in this process need not poll
 * @returns when the lease is to be given back or is lost
 */
export async function replayChain(options: {
  pool: Pool;
  chain: ChainConfig;
  kind: FollowedKind;
  lease: Lease;
  log: Logger;
  metrics: Metrics;
  onRecorded: () => void;
}): Promise<void> {
  const { pool, chain, kind, lease, metrics, onRecorded } = options;
  const log = options.log.child({ chainId: chain.chainId });
  const signal = AbortSignal.any([lease.stopping, lease.lost]);
  const count = countChain(metrics, chain.chainId, kind.name);
  const connected = connectNodes(chain, { signal, count, onInapplicable: logInapplicable(log) });
  const nodes = createNodePool([...connected.keys()]);
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);

  async function takeStep(step: ReplayStep, node: Node, reader: BlockReader): Promise<void> {
    const { id: replay, webhookId, block } = step;
    let run: ReadRun | undefined;
    try {
      await assertChain(node, chain.chainId);
      run = await reader.read({ from: block, to: block, traces: chain.traces && step.traces });
      const [read] = run.blocks;
      if (!read) throw new NodeError(`no block ${block}`, { method: "eth_getBlockByNumber", origin: node.origin });
      const done = await replayBlock(pool, chain.chainId, step, read);
      nodes.didWell(node);
      if (done) log.debug({ replay, webhookId, block, ...done }, "replayed");
      if (done && done.added > 0) onRecorded();
    } catch (error) {
      // What the failed step still waits for is wanted by nobody.
      node.cancel();
      reader.cancel();
      if (signal.aborted) return;
      if (isDatabaseAway(error)) throw error;
      nodes.setAside(node, error);
      const said = { replay, block, node: node.origin, failures: step.failures, reason: (error as Error).message };
      log.warn(said, "a block could not be replayed; it will be tried again");
      // A replay waits only for what no node gives.
      if (!nodes.pick()) await noteFailure(step);
    } finally {
      run?.release();
    }
  }

  async function noteFailure(step: ReplayStep): Promise<void> {
    const { id: replay, block, failures } = step;
    const reason = `Block ${block} could not be had from the chain's nodes for a day.`;
    const againInMs = Math.min(longestPauseMs, 250 * 2 ** Math.min(failures, 10));
    const last = failures + 1 >= failureLimit;
    if (last) log.warn({ replay, block }, "a replay failed for good");
    await noteReplayFailure(pool, step, { pauseMs: last ? undefined : againInMs, reason });
  }

  while (!signal.aborted) {
    const node = nodes.pick();
    const reader = node && connected.get(node);
    if (!reader) {
      await pause(nodes.waitMs());
      continue;
    }
    try {
      const step = await nextReplayStep(pool, chain.chainId, kind);
      if (step) await takeStep(step, node, reader);
      await pause(step ? (step.lag > lagToYieldAt ? yieldingPauseMs : pauseMs) : idlePauseMs);
    } catch (err) {
      log.warn({ err }, "replays could not be taken forward; it will be tried again");
      await pause(1_000);
    }
  }
}
