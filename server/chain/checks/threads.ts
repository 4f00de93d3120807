/**
 * Examines heavy blocks in threads beside the main one, which is left to the API, to delivery and to other chains. Of a block with
 * 301 transactions and 714 logs, handing it over takes 5 ms, of two threads together, and examining it 10.
 */
import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { BlockBundle } from "../../matching/wire.ts";
import type { Checks } from "./check.ts";
import type { Answer, Order } from "./check-thread.ts";
import { examine, type Verdict } from "./examine.ts";

/** A thread, and who waits for what it was handed. It keeps the process alive while somebody does. */
type Thread = { worker: Worker; waiting: Map<number, (verdict: Verdict | undefined) => void> };

/** One core is left to the main thread; more than four have never anything to do. */
const most = Math.min(4, Math.max(1, availableParallelism() - 1));
const threads = new Set<Thread>();
let lastId = 0;

/** The same as `examine`; it takes longer and holds nobody up. */
export async function examineBeside(bundle: BlockBundle, checks: Checks): Promise<Verdict> {
  const verdict = await handOver({ id: ++lastId, bundle, checks });
  // A thread that broke must not cost a block, and says nothing against the node that gave it.
  return verdict ?? examine(bundle, checks);
}

/** @returns undefined where the thread ended before it answered */
function handOver(order: Order): Promise<Verdict | undefined> {
  const { worker, waiting } = leastBusy();
  return new Promise((resolve) => {
    waiting.set(order.id, resolve);
    worker.ref();
    worker.postMessage(order);
  });
}

function leastBusy(): Thread {
  const [thread] = [...threads].sort((one, other) => one.waiting.size - other.waiting.size);
  return thread && (thread.waiting.size === 0 || threads.size === most) ? thread : startThread();
}

function startThread(): Thread {
  // In the repository the sources run, by tsx; in the package they are JavaScript.
  const extension = extname(import.meta.url);
  const worker = new Worker(new URL(`./check-thread${extension}`, import.meta.url), {
    execArgv: extension === ".ts" ? ["--import", "tsx"] : [],
  });
  const thread: Thread = { worker, waiting: new Map() };
  threads.add(thread);
  worker.on("message", ({ id, verdict }: Answer) => {
    thread.waiting.get(id)?.(verdict);
    thread.waiting.delete(id);
    if (thread.waiting.size === 0) worker.unref();
  });
  // It ends of an error such as too little memory; the next block starts another one.
  worker.on("error", () => undefined);
  worker.on("exit", () => {
    threads.delete(thread);
    for (const resolve of thread.waiting.values()) resolve(undefined);
  });
  return thread;
}
