/** Follows one chain for as long as its lease is held: step by step, over to the next node when one fails. */
import type { Logger } from "pino";
import { ensureChain, noteStopped } from "../store/chain-cursor.ts";
import type { Lease } from "../store/lease-holder.ts";
import type { Pool } from "../store/pool.ts";
import { advance, type Memory } from "./advance.ts";
import { FinalityError } from "./branch.ts";
import type { ChainConfig } from "./config.ts";
import { announceHeads } from "./heads.ts";
import { connectNode, type Node } from "./node.ts";
import { CursorMovedError, TracesMissingError } from "./record.ts";

const longestPauseMs = 30_000;

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
  const pause = pauser(signal);
  if (chain.wsUrl) announceHeads(chain.wsUrl, { wake: pause.wake, signal, log });
  const memory: Memory = {};
  let failures = 0;
  let known = false;
  for (let turn = 0; !signal.aborted; ) {
    const node = nodes[turn % nodes.length] as Node;
    try {
      if (!known) await ensureChain(pool, chain.chainId);
      known = true;
      const progress = await advance(pool, chain, node, memory);
      if (failures > 0) log.info({ node: node.origin, block: progress.cursor.number }, "following again");
      failures = 0;
      if (progress.notifications > 0) {
        log.debug({ block: progress.cursor.number, notifications: progress.notifications }, "recorded");
        onRecorded();
      }
      if (!progress.moved || progress.cursor.number >= progress.head) await pause(chain.pollMs);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof TracesMissingError) continue;
      if (error instanceof CursorMovedError) {
        await pause(chain.pollMs);
        continue;
      }
      failures += 1;
      turn += 1;
      const pauseMs =
        error instanceof FinalityError ? longestPauseMs : Math.min(longestPauseMs, 250 * 2 ** Math.min(failures, 10));
      log.warn(
        { node: node.origin, reason: (error as Error).message, failures, pauseMs },
        "a step of the chain failed; it will be tried again",
      );
      if (error instanceof FinalityError) await noteStopped(pool, chain.chainId, error.message).catch(() => undefined);
      // Another node may do better at once; after a round of all of them there is reason to wait.
      if (error instanceof FinalityError || failures % nodes.length === 0) await pause(pauseMs);
    }
  }
}

/** A pause that a wake-up, also one just before it, or the signal cuts short. */
function pauser(signal: AbortSignal): { (ms: number): Promise<void>; wake: () => void } {
  let woken = false;
  let end = () => {};
  signal.addEventListener("abort", () => end(), { once: true });
  const pause = async (ms: number) => {
    if (!woken && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    woken = false;
  };
  const wake = () => {
    woken = true;
    end();
  };
  return Object.assign(pause, { wake });
}
