/**
 * The threads in which questions are answered. A question may take any time: whoever asks chooses the block, and what to make of it. So each
 * has a thread of its own while it is in flight, apart from those that follow chains. When its time is over, the thread is ended in whatever
 * it does, since nothing else stops a computation.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../base/log.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import type { Node } from "../nodes/node.ts";
import type { OnCall } from "../nodes/node-calls.ts";
import { type BlockReader, createReader } from "../read/reader.ts";
import { type OwnThread, startOwnThread } from "../read/threads.ts";
import { logSkippedChecks } from "./observe.ts";

/** How long a thread may take to start. The question's own time begins afterwards. */
const startMs = 10_000;

/** A thread, lent to one question. */
type LentThread = {
  /** Reads from a node in this thread. */
  readerOf(node: Node, of: { url: string; chain: ChainConfig; onCall: OnCall }): BlockReader;
  /** Call this once the question has its answer, or none. @param isDone whether nobody uses the thread any longer; otherwise it is ended */
  giveBack(isDone: boolean): void;
};

type KeptThread = { thread: OwnThread; readers: Map<Node, BlockReader>; controller: AbortController };

type QuestionThreads = {
  /** @returns once it has started */
  lend(): Promise<LentThread>;
  /** Ends all. */
  stop(): void;
};

export function createQuestionThreads(log: Logger): QuestionThreads {
  const onSkippedCheck = logSkippedChecks(log);
  const idle: KeptThread[] = [];
  const lent = new Set<KeptThread>();

  function end(kept: KeptThread): void {
    kept.controller.abort();
    kept.thread.end();
  }

  return {
    async lend() {
      const kept = idle.pop() ?? { thread: startOwnThread(), readers: new Map(), controller: new AbortController() };
      const { thread, readers, controller } = kept;
      lent.add(kept);
      const late = new AbortController();
      const { signal: isReady } = late;
      await Promise.race([thread.ready, sleep(startMs, undefined, { signal: isReady }).catch(() => undefined)]);
      late.abort();
      return {
        readerOf(node, { url, chain, onCall }) {
          const { signal } = controller;
          const reader = readers.get(node) ?? createReader({ url, chain, signal, onCall, onSkippedCheck, thread });
          readers.set(node, reader);
          return reader;
        },
        giveBack(isDone) {
          lent.delete(kept);
          if (isDone && !thread.hasEnded()) idle.push(kept);
          else end(kept);
        },
      };
    },
    stop() {
      for (const kept of [...idle.splice(0), ...lent]) end(kept);
    },
  };
}
