/**
 * Takes the replays of one chain forward for as long as its lease is held: slowly, since following the chain comes first. Accounts take
 * turns, and each has one block in flight at most. So neither the number of an account's replays, nor blocks that no node returns, nor
 * blocks that a node is slow to return hold up another account's.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Metrics } from "../../metrics.ts";
import { nextReplayStep, noteReplayFailure, postponeReplay, type ReplayStep } from "../../store/chains/replay-work.ts";
import { isDatabaseAway } from "../../store/database-errors.ts";
import type { Lease } from "../../store/lease-holder.ts";
import type { Pool } from "../../store/pool.ts";
import { logInapplicable } from "../check/accept.ts";
import type { ChainConfig } from "../config.ts";
import { connectNodes } from "../nodes/connect-nodes.ts";
import { type Node, NodeError } from "../nodes/node.ts";
import { createNodePool } from "../nodes/node-pool.ts";
import type { ReadBlock } from "../read/block.ts";
import { assertChain } from "../read/fetch.ts";
import type { ReadRun } from "../read/reader.ts";
import { areConfirmed } from "./confirm.ts";
import { countChain } from "./count-chain.ts";
import { type Replayed, replayBlock } from "./replay-block.ts";

/** From one block to the next: at most ten a second, and one a second while following the chain has something to catch up with. */
const pauseMs = 100;
const yieldingPauseMs = 1_000;
const lagToYieldAt = 8;
const idlePauseMs = 1_000;
/** Blocks in flight, each of another account. Only so many accounts together, with blocks that hang, would hold up the others. */
const maxInFlight = 4;
const longestPauseMs = 30_000;
/** A webhook's new lane may take a while to catch up. */
const postponedMs = 5_000;
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
  metrics: Metrics;
  onRecorded: () => void;
}): Promise<void> {
  const { pool, chain, lease, metrics, onRecorded } = options;
  const log = options.log.child({ chainId: chain.chainId });
  const signal = AbortSignal.any([lease.stopping, lease.lost]);
  const count = countChain(metrics, chain.chainId, "plain");
  const connected = connectNodes(chain, { signal, count, onInapplicable: logInapplicable(log) });
  const nodes = createNodePool([...connected.keys()]);
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);

  const inFlight = new Map<number, Promise<void>>();
  let lastAccount = 0;
  let recording: Promise<unknown> = Promise.resolve();

  /** One at a time, since the follower waits for the chain's lock behind each. */
  function record(step: ReplayStep, block: ReadBlock): Promise<Replayed | undefined> {
    const recorded = recording.then(() => replayBlock(pool, chain.chainId, step, block));
    recording = recorded.catch(() => undefined);
    return recorded;
  }

  /** Tries one node after the other. */
  async function takeStep(step: ReplayStep): Promise<void> {
    if (!step.followed) return postponeReplay(pool, step, postponedMs);
    const tried = new Set<Node>();
    const lacking = new Map<Node, unknown>();
    for (let node = nodes.pick(); node; node = nodes.pick(tried)) {
      tried.add(node);
      const error = await takeStepWith(node, step);
      if (signal.aborted) return;
      if (!error) {
        nodes.didWell(node);
        // What another node returned, these should have returned too.
        for (const [other, why] of lacking) nodes.setAside(other, why);
        return;
      }
      if (isDatabaseAway(error)) throw error;
      const { id: replay, block, failures } = step;
      const said = { replay, block, node: node.origin, failures, reason: (error as Error).message };
      log.warn(said, "a block could not be replayed; it will be tried again");
      // A block that no node returns says nothing about the nodes, which others need.
      if (error instanceof NodeAwayError) nodes.setAside(node, error.cause);
      else lacking.set(node, error);
    }
    // A replay waits only for what no node gives.
    if (tried.size > 0) await noteFailure(step);
  }

  /** @returns what it failed with */
  async function takeStepWith(node: Node, step: ReplayStep): Promise<unknown> {
    const { id: replay, webhookId, block } = step;
    const reader = connected.get(node);
    let run: ReadRun | undefined;
    try {
      await assertChain(node, chain.chainId).catch((cause: unknown) => Promise.reject(new NodeAwayError(cause)));
      run = await reader?.read({ from: block, to: block, traces: chain.traces && step.traces });
      const read = run?.blocks[0];
      if (!read) throw new NodeError(`no block ${block}`, { method: "eth_getBlockByNumber", origin: node.origin });
      if (!(await areConfirmed([read], { chain, node, witnesses: nodes.witnesses(node) })))
        throw new NodeError(`no other node confirms block ${block}`, {
          method: "eth_getBlockByHash",
          origin: node.origin,
        });
      const done = await record(step, read);
      if (done) log.debug({ replay, webhookId, block, ...done }, "replayed");
      if (done && done.added > 0) onRecorded();
      return undefined;
    } catch (error) {
      // What the failed step still waits for is wanted by nobody; but it cannot be told from what others wait for.
      if (inFlight.size === 1) {
        node.cancel();
        reader?.cancel();
      }
      return error instanceof NodeError && error.throttled ? new NodeAwayError(error) : error;
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

  async function begin(): Promise<ReplayStep | undefined> {
    if (inFlight.size >= maxInFlight) return undefined;
    const step = await nextReplayStep(pool, chain.chainId, { after: lastAccount, busy: [...inFlight.keys()] });
    if (!step) return undefined;
    lastAccount = step.accountId;
    const taken = takeStep(step).catch(noteError);
    inFlight.set(
      step.accountId,
      taken.finally(() => inFlight.delete(step.accountId)),
    );
    return step;
  }

  function noteError(err: unknown): void {
    if (!signal.aborted) log.warn({ err }, "replays could not be taken forward; it will be tried again");
  }

  while (!signal.aborted) {
    if (!nodes.pick()) {
      await pause(nodes.waitMs());
      continue;
    }
    try {
      const step = await begin();
      if (step) await pause(step.lag > lagToYieldAt ? yieldingPauseMs : pauseMs);
      else await pause(inFlight.size > 0 ? pauseMs : idlePauseMs);
    } catch (error) {
      noteError(error);
      await pause(1_000);
    }
  }
  await Promise.all(inFlight.values());
}

/** A node that does not answer, is one of another chain or asks for patience: it can give nobody anything now. */
class NodeAwayError extends Error {
  override readonly name = "NodeAwayError";
  constructor(cause: unknown) {
    super((cause as Error).message, { cause });
  }
}
