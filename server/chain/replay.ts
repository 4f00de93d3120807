/** Takes the replays of one chain forward for as long as its lease is held: slowly, since whoever follows the chain comes first. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { BlockBundle } from "../matching/wire.ts";
import type { Lease } from "../store/lease-holder.ts";
import type { Pool } from "../store/pool.ts";
import { nextReplayStep, noteReplayFailure, type ReplayStep } from "../store/replay-work.ts";
import { acceptBlock, logInapplicable, type OnInapplicable } from "./accept.ts";
import type { ChainConfig } from "./config.ts";
import { assertChain, completeBlock, fetchBlock } from "./fetch.ts";
import { connectNode, type Node, NodeError } from "./node.ts";
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
  lease: Lease;
  log: Logger;
  onRecorded: () => void;
}): Promise<void> {
  const { pool, chain, lease, onRecorded } = options;
  const log = options.log.child({ chainId: chain.chainId });
  const signal = AbortSignal.any([lease.stopping, lease.lost]);
  const nodes = chain.rpcUrls.map((url) => connectNode(url, { signal }));
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);
  const onInapplicable = logInapplicable(log);
  let turn = 0;

  async function takeStep(step: ReplayStep): Promise<void> {
    const node = nodes[turn % nodes.length] as Node;
    const { id: replay, webhookId, block } = step;
    try {
      const done = await replayBlock(
        pool,
        chain.chainId,
        step,
        await fetchChecked({ chain, node, onInapplicable }, step),
      );
      if (done) log.debug({ replay, webhookId, block, ...done }, "replayed");
      if (done && done.added > 0) onRecorded();
    } catch (error) {
      if (signal.aborted) return;
      turn += 1;
      const last = step.failures + 1 >= failureLimit;
      const reason = `Block ${block} could not be had from the chain's nodes for a day.`;
      const againInMs = Math.min(longestPauseMs, 250 * 2 ** Math.min(step.failures, 10));
      const said = { replay, block, node: node.origin, failures: step.failures + 1, reason: (error as Error).message };
      log.warn(said, last ? "a replay failed for good" : "a block could not be replayed; it will be tried again");
      await noteReplayFailure(pool, step, { pauseMs: last ? undefined : againInMs, reason });
    }
  }

  while (!signal.aborted) {
    try {
      const step = await nextReplayStep(pool, chain.chainId);
      if (step) await takeStep(step);
      await pause(step ? (step.lag > lagToYieldAt ? yieldingPauseMs : pauseMs) : idlePauseMs);
    } catch (err) {
      log.warn({ err }, "replays could not be taken forward; it will be tried again");
      await pause(1_000);
    }
  }
}

async function fetchChecked(
  source: { chain: ChainConfig; node: Node; onInapplicable: OnInapplicable },
  { block: number, traces }: ReplayStep,
): Promise<BlockBundle> {
  const { chain, node } = source;
  await assertChain(node, chain.chainId);
  const block = await fetchBlock(node, number);
  if (!block) throw new NodeError(`no block ${number}`, { method: "eth_getBlockByNumber", origin: node.origin });
  return acceptBlock(await completeBlock(node, block, { traces: chain.traces && traces }), source);
}
