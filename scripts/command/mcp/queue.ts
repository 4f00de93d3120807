/** Lets a few calls run at the same time. A host may send any number of them, and the API limits each account. */
import { ToolFailure } from "./answers.ts";

const maxConcurrent = 8;
const maxWaiting = 100;

/** Runs some work when its turn comes. @throws {ToolFailure} when too much waits, or the signal ends the wait */
export type Queue = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

export function createQueue(): Queue {
  let running = 0;
  const waiting = new Set<() => void>();

  const turn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener("abort", giveUp);
        waiting.delete(begin);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(begin);
        reject(new ToolFailure("The call was ended before its turn came."));
      };
      if (signal.aborted) return giveUp();
      waiting.add(begin);
      signal.addEventListener("abort", giveUp, { once: true });
    });

  return async (signal, work) => {
    if (running >= maxConcurrent) {
      if (waiting.size >= maxWaiting) throw new ToolFailure("Too many concurrent calls. Wait for the answers of some.");
      // Whoever ends passes its place on, so `running` stays.
      await turn(signal);
    } else running += 1;
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) next();
      else running -= 1;
    }
  };
}
