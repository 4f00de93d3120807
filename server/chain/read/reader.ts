/**
 * Reads a chain's blocks from one node, in threads beside the main one: fetching, parsing and checking a block takes 20 ms, for which
 * API, deliveries and other chains would wait. What comes back is who takes part; the rest stays there until it is asked for.
 */
import type { OnInapplicable } from "../check/accept.ts";
import type { ChainConfig } from "../config.ts";
import { exchangesAtOnce } from "../nodes/node.ts";
import type { OnCall } from "../nodes/node-calls.ts";
import type { ReadBlock } from "./block.ts";
import { toldError } from "./error-messages.ts";
import type { ToldBlock, Wanted } from "./messages.ts";
import { leastBusyThread, mostThreads, type Thread } from "./threads.ts";

/** Reads from one node. */
export type BlockReader = {
  /** @throws what fetching and checking the first block throws */
  read(wanted: Wanted): Promise<ReadRun>;
  /** Gives up what is under way. */
  cancel(): void;
};

/** Blocks that follow one another, each checked; they take memory until they are released. */
export type ReadRun = { blocks: ReadBlock[]; release(): void };

let lastReader = 0;
let lastRun = 0;

/** @param options.signal gives up what is under way, and refuses all that follows */
export function createReader(options: {
  url: string;
  chain: ChainConfig;
  signal: AbortSignal;
  onCall: OnCall;
  onInapplicable: OnInapplicable;
}): BlockReader {
  const { url, chain, signal, onCall, onInapplicable } = options;
  const reader = ++lastReader;
  const opened = new Set<Thread>();
  const tellAll = (tell: "cancel" | "close") => {
    for (const thread of opened) thread.tell({ tell, reader });
  };
  signal.addEventListener("abort", () => tellAll("close"), { once: true });

  function openedThread(): Thread {
    const thread = leastBusyThread();
    if (opened.has(thread)) return thread;
    opened.add(thread);
    // Together they ask a node for no more at once than one would.
    const atOnce = Math.max(1, Math.floor(exchangesAtOnce / mostThreads));
    thread.tell({ tell: "open", reader, url, chain, atOnce });
    return thread;
  }

  // A thread takes a while to begin, for which the first block need not wait.
  openedThread();
  return {
    async read(wanted) {
      signal.throwIfAborted();
      const thread = openedThread();
      const run = ++lastRun;
      const answer = await thread.ask({ ask: "read", reader, run, wanted });
      for (const call of answer.calls) onCall(call);
      for (const { block, ...found } of answer.accepted) onInapplicable(found, block);
      if ("error" in answer) throw toldError(answer.error);
      return {
        blocks: answer.blocks.map((block, index) => asRead(block, thread, { reader, run, index })),
        release: () => thread.tell({ tell: "release", reader, run }),
      };
    },
    cancel: () => tellAll("cancel"),
  };
}

function asRead(told: ToldBlock, thread: Thread, place: { reader: number; run: number; index: number }): ReadBlock {
  return {
    ...told,
    participants: told.participants === "" ? [] : told.participants.split(","),
    async match(watchedBy) {
      const answer = await thread.ask({ ask: "match", ...place, watchedBy });
      if ("error" in answer) throw toldError(answer.error);
      return answer.matches;
    },
  };
}
