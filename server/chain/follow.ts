/** Follows one chain for as long as its lease is held: step by step, over to the next node when one fails. */
import type { Logger } from "pino";
import { ensureChain, noteStopped } from "../store/chain-cursor.ts";
import { isDatabaseAway } from "../store/errors.ts";
import type { Lease } from "../store/lease-holder.ts";
import type { Pool } from "../store/pool.ts";
import { logInapplicable } from "./accept.ts";
import { advance, type Memory, type Progress } from "./advance.ts";
import type { ChainConfig } from "./config.ts";
import { assertChain } from "./fetch.ts";
import { announceHeads } from "./heads.ts";
import { connectNode, type Node } from "./node.ts";
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
  const nodes = chain.rpcUrls.map((url) => connectNode(url, { signal }));
  const pause = createPause(signal);
  if (chain.wsUrl) announceHeads(chain.wsUrl, { wake: pause.wake, signal, log });
  const memory: Memory = { run: 1, onInapplicable: logInapplicable(log) };
  /** The nodes that have shown that they are of this chain, since they failed last. */
  const trusted = new Set<Node>();
  let turn = 0;
  let failures = 0;
  let standstill: StandstillError | undefined;
  log.info({ profile: profileOf(chain.chainId).name, checks: checksOf(chain), finality: chain.finality }, "following");

  async function step(node: Node): Promise<Progress> {
    if (!trusted.has(node)) {
      await ensureChain(pool, chain.chainId);
      await assertChain(node, chain.chainId);
      trusted.add(node);
    }
    return advance(pool, chain, node, memory);
  }

  /** @returns how long to wait before the next try */
  async function takeNote(node: Node, error: unknown): Promise<number> {
    failures += 1;
    memory.run = 1;
    trusted.delete(node);
    // Another node may do better at once; after a round of all of them there is reason to wait.
    const databaseAway = isDatabaseAway(error);
    if (!databaseAway) turn += 1;
    const wait = databaseAway || failures % nodes.length === 0;
    const rounds = Math.ceil(failures / nodes.length);
    const pauseMs = wait ? Math.min(longestPauseMs, shortestPauseMs * 2 ** (rounds - 1)) : 0;
    const reason = reasonOf(error);
    log.warn({ node: node.origin, reason, failures, pauseMs }, "a step of the chain failed; it will be tried again");
    if (error instanceof StandstillError) standstill = error;
    if (wait && standstill) await noteStopped(pool, chain.chainId, standstill.message).catch(() => undefined);
    return pauseMs;
  }

  while (!signal.aborted) {
    const node = nodes[turn % nodes.length];
    if (!node) return;
    try {
      const progress = await step(node);
      if (failures > 0) log.info({ node: node.origin, block: progress.cursor.number }, "following again");
      failures = 0;
      standstill = undefined;
      if (progress.notifications > 0) {
        log.debug({ block: progress.cursor.number, notifications: progress.notifications }, "recorded");
        onRecorded();
      }
      if (!progress.moved || progress.cursor.number >= progress.head) await pause(chain.pollMs);
    } catch (error) {
      // What the failed step still waits for is wanted by nobody.
      node.cancel();
      if (signal.aborted) return;
      if (error instanceof TracesMissingError) continue;
      if (error instanceof CursorMovedError) log.debug({ reason: error.message }, "a step came too late");
      await pause(error instanceof CursorMovedError ? chain.pollMs : await takeNote(node, error));
    }
  }
}

/** Errors of a connection that was tried to several addresses have a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error && String(error.code)) || error.name;
}
