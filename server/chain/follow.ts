/** Follows one chain for as long as its lease is held: step by step, with the first of its nodes that is fit. */
import type { Logger } from "pino";
import { type BlockId, ensureChain, noteStopped } from "../store/chain-cursor.ts";
import { isDatabaseAway } from "../store/errors.ts";
import type { Lease } from "../store/lease-holder.ts";
import type { Pool } from "../store/pool.ts";
import { createWatchFilter } from "../store/watch-filter.ts";
import { logInapplicable } from "./accept.ts";
import { advance, type Memory, type Progress } from "./advance.ts";
import { fetchAhead } from "./ahead.ts";
import type { ChainConfig } from "./config.ts";
import { assertChain } from "./fetch.ts";
import { announceHeads } from "./heads.ts";
import { watchLag } from "./lag.ts";
import { connectNode, type Node, NodeError } from "./node.ts";
import { createNodePool } from "./node-pool.ts";
import { createPause } from "./pause.ts";
import { checksOf, profileOf } from "./profiles.ts";
import { CursorMovedError, TracesMissingError } from "./record.ts";
import { StandstillError } from "./standstill.ts";

const shortestPauseMs = 250;
const longestPauseMs = 10_000;

/**
 * @param options.onRecorded called after notifications were recorded, so that a deliverer in this process need not poll
 * @returns when the lease is to be given back or is lost
 */
export async function followChain(options: {
  pool: Pool;
  chain: ChainConfig;
  lease: Lease;
  log: Logger;
  onRecorded: () => void;
}): Promise<void> {
  const { pool, chain, lease, onRecorded } = options;
  const log = options.log.child({ chainId: chain.chainId });
  const signal = AbortSignal.any([lease.stopping, lease.lost]);
  const nodes = createNodePool(chain.rpcUrls.map((url) => connectNode(url, { signal })));
  const pause = createPause(signal);
  if (chain.wsUrl) announceHeads(chain.wsUrl, { wake: pause.wake, signal, log });
  const memory: Memory = {
    run: 1,
    headers: new Map(),
    ahead: fetchAhead(),
    filter: createWatchFilter({ pool, chainId: chain.chainId, log, signal }),
    onInapplicable: logInapplicable(log),
  };
  const lag = watchLag(chain.pollMs);
  /** The nodes that have shown that they are of this chain, since they failed last. */
  const trusted = new Set<Node>();
  let outages = 0;
  let standstill: StandstillError | undefined;
  log.info({ profile: profileOf(chain.chainId).name, checks: checksOf(chain), finality: chain.finality }, "following");

  async function step(node: Node): Promise<Progress> {
    if (!trusted.has(node)) {
      await ensureChain(pool, chain.chainId);
      await assertChain(node, chain.chainId);
      trusted.add(node);
    }
    const others = nodes.others(node);
    const progress = await advance(pool, chain, node, { memory, others });
    if (progress.moved) lag.moved();
    else if (await lag.stood(progress.cursor, node, others)) throw lagsBehind(node, progress.cursor);
    return progress;
  }

  function noteProgress(node: Node, { cursor, notifications }: Progress): void {
    if (nodes.didWell(node) + outages > 0) log.info({ node: node.origin, block: cursor.number }, "following again");
    outages = 0;
    standstill = undefined;
    if (notifications === 0) return;
    log.debug({ block: cursor.number, notifications }, "recorded");
    onRecorded();
  }

  /** @returns how long to wait before the next try */
  function noteFailure(node: Node, error: unknown): number {
    memory.run = 1;
    if (error instanceof StandstillError) standstill = error;
    // Without the database no node can be told good from bad.
    const pauseMs = isDatabaseAway(error) ? outagePauseMs(++outages) : nodes.setAside(node, error);
    trusted.delete(node);
    const about = { node: node.origin, reason: reasonOf(error), pauseMs };
    log.warn(about, "a step of the chain failed; it will be tried again");
    return isDatabaseAway(error) ? pauseMs : 0;
  }

  while (!signal.aborted) {
    const node = nodes.pick();
    if (!node) {
      if (standstill) await noteStopped(pool, chain.chainId, standstill.message).catch(() => undefined);
      await pause(nodes.waitMs());
      continue;
    }
    try {
      const progress = await step(node);
      noteProgress(node, progress);
      if (!progress.moved || progress.cursor.number >= progress.head) await pause(chain.pollMs);
    } catch (error) {
      // What the failed step still waits for is wanted by nobody.
      node.cancel();
      if (signal.aborted) return;
      if (error instanceof TracesMissingError) continue;
      if (error instanceof CursorMovedError) {
        log.debug({ reason: error.message }, "a step came too late");
        await pause(chain.pollMs);
      } else {
        await pause(noteFailure(node, error));
      }
    }
  }
}

const outagePauseMs = (outages: number) => Math.min(longestPauseMs, shortestPauseMs * 2 ** (outages - 1));

function lagsBehind({ origin }: Node, { number }: BlockId): NodeError {
  return new NodeError(`its head stays at block ${number}, and other nodes are ahead`, {
    method: "eth_getBlockByNumber",
    origin,
  });
}

/** Errors of a connection that was tried to several addresses have a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error && String(error.code)) || error.name;
}
