/**
 * The threads that read blocks, shared by all chains. They start when there is something to read, and end with the process. Whoever reads
 * what may take any time has a thread of its own, and ends it.
 *
 * Following comes first. What catches up has threads of its own, so that a new block never waits behind those of hours. Replays and questions are
 * read in the background, by threads that the system gives a processor while nobody else wants it. A lane that catches up is not: it matches
 * under the chain's lock.
 */
import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";
import type { TokenSource } from "./block.ts";
import type {
  AnswerReply,
  HitsReply,
  MatchReply,
  PackReply,
  ReadReply,
  ThreadCommand,
  ThreadMessage,
  ThreadQuestion,
  ThreadReady,
  ThreadReply,
  ThreadRequest,
} from "./messages.ts";

/** Keeps the process alive while a request is pending. */
export type Thread = {
  /** @throws if the thread ends before it replies */
  request(request: ThreadRequest & { request: "read" | "unpack" }): Promise<ReadReply>;
  request(request: ThreadRequest & { request: "hits" }): Promise<HitsReply>;
  /** @param tokens answers the thread's question */
  request(request: ThreadRequest & { request: "match" }, tokens?: TokenSource): Promise<MatchReply>;
  request(request: ThreadRequest & { request: "answer" }, tokens?: TokenSource): Promise<AnswerReply>;
  request(request: ThreadRequest & { request: "pack" }): Promise<PackReply>;
  send(command: ThreadCommand): void;
  /** How many requests have no reply yet. */
  pending(): number;
};

/** A thread that only its owner uses. */
export type OwnThread = Thread & {
  /** Settles once it can work, or has ended. It takes a tenth of a second, or several on a busy machine. */
  ready: Promise<void>;
  /** Ends it, whatever it is doing: what is pending fails, and later requests do. */
  end(): void;
  /** Whether it was ended, or ended by itself, such as without memory. */
  hasEnded(): boolean;
};

/** More than four were never all busy. */
export const maxThreads = Math.min(4, availableParallelism());
/** In MB. A parsed block is many times as large as its text, and mostly garbage soon. A larger young generation gained nothing. */
const resourceLimits = { maxYoungGenerationSizeMb: 192 };

/** What blocks are read for. Each has threads of its own. */
export type ReadPurpose = "following" | "catching-up" | "background";

const threadsOf: Readonly<Record<ReadPurpose, Set<Thread>>> = {
  following: new Set(),
  "catching-up": new Set(),
  background: new Set(),
};
let lastId = 0;

/** @returns the thread with the fewest pending requests, or a new one if all are busy */
export function leastBusyThread(purpose: ReadPurpose): Thread {
  const threads = threadsOf[purpose];
  const [thread] = [...threads].sort((one, other) => one.pending() - other.pending());
  if (thread && (thread.pending() === 0 || threads.size === maxThreads)) return thread;
  const started = startThread(createWorker(purpose), () => threads.delete(started));
  threads.add(started);
  return started;
}

/** In the background. */
export function startOwnThread(): OwnThread {
  return startThread(createWorker("background"), () => undefined);
}

function startThread(worker: Worker, onExit: () => void): OwnThread {
  const pending = new Map<number, (reply: ThreadReply | undefined) => void>();
  const asked = new Map<number, TokenSource>();
  let reason = "it was terminated";
  let isEnded = false;
  let noteReady = () => {};
  const ready = new Promise<void>((resolve) => {
    noteReady = resolve;
  });
  const failure = () => new Error(`a reading thread ended: ${reason}`);
  // Copies of packed blocks would have V8 collect the main thread's whole heap all the time.
  const post = (message: ThreadMessage, moved: readonly Uint8Array<ArrayBuffer>[] = []) =>
    worker.postMessage(
      message,
      moved.map(({ buffer }) => buffer),
    );
  const thread: OwnThread = {
    ready,
    request(request: ThreadRequest, tokens?: TokenSource): Promise<never> {
      if (isEnded) return Promise.reject(failure());
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        post({ ...request, id }, request.request === "unpack" ? request.from.packed : []);
        worker.ref();
        if (tokens) asked.set(id, tokens);
        pending.set(id, (reply) => (reply ? resolve(reply as never) : reject(failure())));
      });
    },
    send: (command) => post(command),
    pending: () => pending.size,
    hasEnded: () => isEnded,
    end() {
      isEnded = true;
      // Not while it starts: when a module with a top-level await is settled in a thread that is being ended, V8 of Node 24 fails a check and
      // ends the process (nodejs/node#60755).
      void ready.then(() => worker.terminate());
    },
  };
  async function answer({ id, tokensOf }: ThreadQuestion): Promise<void> {
    const book = await asked
      .get(id)?.(tokensOf)
      .catch(() => undefined);
    post({ command: "tokens", question: id, ...(book && { book }) });
  }
  worker.on("message", (reply: ThreadReply | ThreadQuestion | ThreadReady) => {
    if ("ready" in reply) {
      noteReady();
      return;
    }
    if ("tokensOf" in reply) {
      void answer(reply);
      return;
    }
    pending.get(reply.id)?.(reply);
    asked.delete(reply.id);
    pending.delete(reply.id);
    if (pending.size === 0) worker.unref();
  });
  // Such as when it runs out of memory. The next block starts another thread.
  worker.on("error", (error: Error) => {
    reason = error.message;
  });
  worker.on("exit", () => {
    isEnded = true;
    noteReady();
    onExit();
    asked.clear();
    for (const settle of pending.values()) settle(undefined);
  });
  // After the listeners: one for messages keeps the process alive.
  worker.unref();
  return thread;
}

/** The package has JavaScript. The repository runs its sources by tsx, which Node does not pass on to threads. */
function createWorker(purpose: ReadPurpose): Worker {
  const options: WorkerOptions = { resourceLimits, workerData: purpose };
  const source = new URL(`./read-thread${extname(import.meta.url)}`, import.meta.url);
  if (extname(source.pathname) === ".js") return new Worker(source, options);
  const tsx = import.meta.resolve("tsx/esm/api");
  const start = `import(${JSON.stringify(tsx)}).then((tsx) => (tsx.register(), import(${JSON.stringify(source.href)})))`;
  return new Worker(start, { ...options, eval: true, execArgv: [] });
}
