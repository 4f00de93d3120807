/**
 * Reads a chain's blocks from one node, in other threads: to fetch, parse and check a block takes 20 ms, for which the API, deliveries and
 * other chains would wait. The participants of a block come back. The bundle stays in its thread, which matches it on request.
 *
 * Room `read/`: from a node to checked blocks that can be matched. It imports `nodes/` and `check/`, and never `follow/`.
 */
import type { BlockId } from "../../store/chains/cursor.ts";
import type { SkippedCheck } from "../check/check.ts";
import type { ChainConfig } from "../config.ts";
import { maxConcurrentExchanges } from "../nodes/node.ts";
import type { OnCall } from "../nodes/node-calls.ts";
import type { ReadBlock } from "./block.ts";
import { type BlockMessage, type BlockSelection, restoreError } from "./messages.ts";
import { leastBusyThread, maxThreads, type Thread } from "./threads.ts";

/** Called with each check that a block was accepted without. */
export type OnSkippedCheck = (skipped: SkippedCheck, block: BlockId) => void;

/** Reads from one node. */
export type BlockReader = {
  /** @throws what fetching and checking the first block throws */
  read(selection: BlockSelection): Promise<ReadRun>;
  /** Aborts the reads in flight. */
  cancel(): void;
};

/** Consecutive blocks, each checked. They take memory until they are released. */
export type ReadRun = { blocks: ReadBlock[]; release(): void };

let lastReader = 0;
let lastRun = 0;

/** @param options.signal aborts the reads in flight, and makes all later ones fail */
export function createReader(options: {
  url: string;
  chain: ChainConfig;
  signal: AbortSignal;
  onCall: OnCall;
  onSkippedCheck: OnSkippedCheck;
}): BlockReader {
  const { url, chain, signal, onCall, onSkippedCheck } = options;
  const reader = ++lastReader;
  const opened = new Set<Thread>();
  const sendAll = (command: "cancel" | "close") => {
    for (const thread of opened) thread.send({ command, reader });
  };
  signal.addEventListener("abort", () => sendAll("close"), { once: true });

  function openedThread(): Thread {
    const thread = leastBusyThread();
    if (opened.has(thread)) return thread;
    opened.add(thread);
    // Together the threads call a node no more often than one would.
    const maxConcurrent = Math.max(1, Math.floor(maxConcurrentExchanges / maxThreads));
    thread.send({ command: "open", reader, url, chain, maxConcurrent });
    return thread;
  }

  // A thread takes a while to start, and the first block should not wait for it.
  openedThread();
  return {
    async read(selection) {
      signal.throwIfAborted();
      const thread = openedThread();
      const run = ++lastRun;
      const reply = await thread.request({ request: "read", reader, run, selection });
      for (const call of reply.calls) onCall(call);
      for (const { block, ...skipped } of reply.skipped) onSkippedCheck(skipped, block);
      if ("error" in reply) throw restoreError(reply.error);
      return {
        blocks: reply.blocks.map((block, index) => blockIn(thread, block, { reader, run, index })),
        release: () => thread.send({ command: "release", reader, run }),
      };
    },
    cancel: () => sendAll("cancel"),
  };
}

/** A block whose bundle is in a thread. */
function blockIn(
  thread: Thread,
  block: BlockMessage,
  place: { reader: number; run: number; index: number },
): ReadBlock {
  return {
    ...block,
    participants: block.participants === "" ? [] : block.participants.split(","),
    async match(watchedBy) {
      const reply = await thread.request({ request: "match", ...place, watchedBy });
      if ("error" in reply) throw restoreError(reply.error);
      return reply.matched;
    },
  };
}
