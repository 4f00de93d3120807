/** The threads that read blocks, shared by all chains: they are begun when there is something to read, and end with the process. */
import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";
import type { Answer, MatchAnswer, Notice, Order, Question, ReadAnswer } from "./messages.ts";

/** A thread. It keeps the process alive while somebody waits for it. */
export type Thread = {
  /** @throws when the thread ends before it answers */
  ask(question: Question & { ask: "read" }): Promise<ReadAnswer>;
  ask(question: Question & { ask: "match" }): Promise<MatchAnswer>;
  tell(notice: Notice): void;
  /** How much it was asked for and has not answered yet. */
  waiting(): number;
};

/** More than four have never anything to do. */
export const mostThreads = Math.min(4, availableParallelism());
/** In MB. Blocks are many times as large as objects as they are as text, and mostly garbage soon; more than this gained nothing. */
const youngGeneration = 192;

const threads = new Set<Thread>();
let lastId = 0;

/** @returns the thread that has least to do, another one if all are busy */
export function leastBusyThread(): Thread {
  const [thread] = [...threads].sort((one, other) => one.waiting() - other.waiting());
  return thread && (thread.waiting() === 0 || threads.size === mostThreads) ? thread : startThread();
}

function startThread(): Thread {
  const worker = createWorker({ resourceLimits: { maxYoungGenerationSizeMb: youngGeneration } });
  const waiting = new Map<number, (answer: Answer | undefined) => void>();
  let reason = "it was ended";
  const say = (order: Order) => worker.postMessage(order);
  const thread: Thread = {
    ask(question: Question): Promise<never> {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, (answer) =>
          answer ? resolve(answer as never) : reject(new Error(`a thread that reads ended: ${reason}`)),
        );
        worker.ref();
        say({ ...question, id });
      });
    },
    tell: say,
    waiting: () => waiting.size,
  };
  threads.add(thread);
  worker.on("message", (answer: Answer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker.unref();
  });
  // It ends of an error such as too little memory; the next block starts another one.
  worker.on("error", (error: Error) => {
    reason = error.message;
  });
  worker.on("exit", () => {
    threads.delete(thread);
    for (const settle of waiting.values()) settle(undefined);
  });
  // Last, since to listen for messages keeps the process alive.
  worker.unref();
  return thread;
}

/** In the package it is JavaScript. In the repository the sources run, by tsx, which Node does not hand on to threads. */
function createWorker(options: WorkerOptions): Worker {
  const source = new URL(`./read-thread${extname(import.meta.url)}`, import.meta.url);
  if (extname(source.pathname) === ".js") return new Worker(source, options);
  const tsx = import.meta.resolve("tsx/esm/api");
  const start = `import(${JSON.stringify(tsx)}).then((tsx) => (tsx.register(), import(${JSON.stringify(source.href)})))`;
  return new Worker(start, { ...options, eval: true, execArgv: [] });
}
