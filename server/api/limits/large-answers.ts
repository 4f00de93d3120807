/**
 * Divides what large answers cost. A notification may have megabytes. To make an answer of one keeps the event loop busy for 13 ms a
 * megabyte, and nobody else is answered meanwhile: eight connections that got one of 4 MB again and again took the API from all other accounts.
 */
import { setTimeout as pause, setImmediate as workIsDone } from "node:timers/promises";

/** What is smaller costs about as much as any answer. */
const large = 65_536;
/** After a large answer its account waits so many times as long as that took. The others have nine tenths of the event loop. */
const restAfterAnswer = 9;

/** Settles when it is the account's turn. The answer must then be made without waiting for anything else. */
export type TakeLargeAnswer = (accountId: number, characters: number) => Promise<void>;

export function largeAnswers(): TakeLargeAnswer {
  /** Settles when the account may have its next one. */
  const rested = new Map<number, Promise<void>>();
  return async (accountId, characters) => {
    if (characters < large) return;
    const turn = rested.get(accountId) ?? Promise.resolve();
    const own = turn.then(async () => {
      const from = performance.now();
      await workIsDone();
      await pause(restAfterAnswer * (performance.now() - from));
      if (rested.get(accountId) === own) rested.delete(accountId);
    });
    rested.set(accountId, own);
    await turn;
  };
}
