/** Divides long work among the turns of the event loop. */
import { setImmediate as nextTurn } from "node:timers/promises";

let lastTurn: Promise<unknown> = Promise.resolve();

/** Several blocks come in one answer: what is done with each is done in a turn of its own, one after the other. */
export async function inTurn<T>(work: () => T): Promise<T> {
  lastTurn = lastTurn.then(() => nextTurn());
  await lastTurn;
  return work();
}
