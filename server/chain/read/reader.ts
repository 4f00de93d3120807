/**
 * Reads a chain's blocks from one node, in other threads: to fetch, parse and check a block takes 20 ms, for which the API, deliveries and
 * other chains would wait. The participants of a block come back. The bundle stays in its thread, which matches it on request.
 *
 * Room `read/`: from a node to checked blocks that can be matched. It imports `nodes/` and `check/`, and never `follow/`.
 */

import type { ChainConfig } from "../../settings/chains.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import type { SkippedCheck } from "../check/check.ts";
import { maxConcurrentExchanges, type OnCall } from "../nodes/node.ts";
import { nodeAddress } from "../nodes/node-address.ts";
import type { ReadBlock, TokenSource } from "./block.ts";
import type { LogHits, LogRangeRequest } from "./logs.ts";
import { type BlockMessage, type BlockSelection, type PackedRun, type ReadReply, restoreError } from "./messages.ts";
import { leastBusyThread, maxThreads, type ReadPurpose, type Thread } from "./threads.ts";

/** Called with each check that a block was accepted without. */
export type OnSkippedCheck = (skipped: SkippedCheck, block: BlockId) => void;

/** Reads from one node. */
export type BlockReader = {
  /** @throws what fetching and checking the first block throws */
  read(selection: BlockSelection): Promise<ReadRun>;
  /** Aborts the reads in flight. */
  cancel(): void;
};

/** Reads from one node, and asks it which blocks have logs that can match. */
export type NodeReader = BlockReader & {
  /** @throws NoLogsError if the node's logs are of no use */
  findHits(range: LogRangeRequest): Promise<LogHits>;
};

/** Blocks in their order, each checked. They are consecutive unless they were selected by their logs. They take memory until they are released. */
export type ReadRun = { blocks: ReadBlock[]; release(): void };

let lastReader = 0;
let lastRun = 0;

/**
 * @param options.signal aborts the reads in flight, and makes all later ones fail
 * @param options.purpose in whose threads it reads
 * @param options.thread reads there only
 */
export function createReader(options: {
  url: string;
  chain: ChainConfig;
  signal: AbortSignal;
  onCall: OnCall;
  onSkippedCheck: OnSkippedCheck;
  purpose?: ReadPurpose;
  thread?: Thread;
}): NodeReader {
  const { url, chain, signal, onCall, onSkippedCheck, purpose = "following", thread } = options;
  const opened = { url, origin: nodeAddress(url).origin, chain, signal };
  const choose = () => thread ?? leastBusyThread(purpose);
  const threads = openThreads(opened, { choose, isUrgent: purpose === "following" });
  return {
    read: (selection) => {
      const read = (thread: Thread, place: RunPlace) => thread.request({ request: "read", ...place, selection });
      return threads.run(read, { onCall, onSkippedCheck });
    },
    findHits: (range) => threads.findHits(range, onCall),
    cancel: () => threads.sendAll("cancel"),
  };
}

/** Reads packed blocks. */
export type Unpacker = {
  /** @throws what unpacking and checking the first block throws */
  unpack(from: PackedRun): Promise<ReadRun>;
};

/**
 * @param options.origin names the stream in errors
 * @param options.signal makes all later reads fail
 * @param options.purpose in whose threads it reads
 */
export function createUnpacker(options: {
  origin: string;
  chain: ChainConfig;
  signal: AbortSignal;
  onSkippedCheck: OnSkippedCheck;
  purpose: ReadPurpose;
}): Unpacker {
  const { onSkippedCheck, purpose, ...opened } = options;
  const choose = () => leastBusyThread(purpose);
  const threads = openThreads(opened, { choose, isUrgent: purpose === "following" });
  return {
    unpack: (from) => {
      const unpack = (thread: Thread, place: RunPlace) => thread.request({ request: "unpack", ...place, from });
      return threads.run(unpack, { onCall: () => undefined, onSkippedCheck });
    },
  };
}

type RunPlace = { reader: number; run: number };

/**
 * The threads that read for one reader.
 *
 * @param choose the thread for the next request
 * @param isUrgent whether the first request is not to wait for a thread to start, which takes a tenth of a second
 */
function openThreads(
  options: { url?: string; origin: string; chain: ChainConfig; signal: AbortSignal },
  { choose, isUrgent }: { choose: () => Thread; isUrgent: boolean },
) {
  const { signal, ...opened } = options;
  const reader = ++lastReader;
  const open = new Set<Thread>();
  const sendAll = (command: "cancel" | "close") => {
    for (const thread of open) thread.send({ command, reader });
  };
  signal.addEventListener("abort", () => sendAll("close"), { once: true });

  function openedThread(): Thread {
    const thread = choose();
    if (open.has(thread)) return thread;
    open.add(thread);
    // Together the threads call a node no more often than one would.
    const maxConcurrent = Math.max(1, Math.floor(maxConcurrentExchanges / maxThreads));
    thread.send({ command: "open", reader, ...opened, maxConcurrent });
    return thread;
  }

  // Others may never read: an idle process would have two more threads, of 25 MB each.
  if (isUrgent) openedThread();
  return {
    sendAll,
    async findHits(range: LogRangeRequest, onCall: OnCall): Promise<LogHits> {
      signal.throwIfAborted();
      const reply = await openedThread().request({ request: "hits", reader, range });
      for (const call of reply.calls) onCall(call);
      if ("error" in reply) throw restoreError(reply.error);
      return reply.hits;
    },
    async run(
      request: (thread: Thread, place: RunPlace) => Promise<ReadReply>,
      { onCall, onSkippedCheck }: { onCall: OnCall; onSkippedCheck: OnSkippedCheck },
    ): Promise<ReadRun> {
      signal.throwIfAborted();
      const thread = openedThread();
      const place = { reader, run: ++lastRun };
      const reply = await request(thread, place);
      for (const call of reply.calls) onCall(call);
      for (const { block, ...skipped } of reply.skipped) onSkippedCheck(skipped, block);
      if ("error" in reply) throw restoreError(reply.error);
      return {
        blocks: reply.blocks.map((block, index) => blockIn(thread, block, { ...place, index })),
        release: () => thread.send({ command: "release", ...place }),
      };
    },
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
    async match(watchedBy, tokens, beyond) {
      const { source, failures } = noteFailures(tokens);
      const hasTokens = source !== undefined;
      const reply = await thread.request({ request: "match", ...place, watchedBy, hasTokens, beyond }, source);
      if ("error" in reply) throw failures[0] ?? restoreError(reply.error);
      return reply.matched;
    },
    async answer(question, tokens) {
      const { source, failures } = noteFailures(tokens);
      const hasTokens = source !== undefined;
      const reply = await thread.request({ request: "answer", ...place, question, hasTokens }, source);
      if ("error" in reply) throw failures[0] ?? restoreError(reply.error);
      return reply.answer;
    },
    async pack() {
      const reply = await thread.request({ request: "pack", ...place });
      if ("error" in reply) throw restoreError(reply.error);
      return reply.packed;
    },
  };
}

/** Whoever records must know what the source failed with: it may be the database. */
function noteFailures(tokens: TokenSource | undefined): { source: TokenSource | undefined; failures: unknown[] } {
  const failures: unknown[] = [];
  const noteFailure = (error: unknown) => {
    failures.push(error);
    throw error;
  };
  return { source: tokens && ((contracts) => tokens(contracts).catch(noteFailure)), failures };
}
