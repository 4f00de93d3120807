/**
 * Lets clients take turns. All requests share the event loop and few connections to the database, first come, first served. After 30 large
 * creations of one account, every other request would wait for all of them. So each client has some requests in work (shares.ts), and its
 * others wait here, in nobody's way. Without this, creations of 2,000 addresses over 32 connections slowed another account's requests from
 * 14 ms to 1,600 ms (`npm run bench:api -- --only fairness`).
 */
import { divide, type Place } from "./shares.ts";

/** Calls `begin` when it is the client's turn. @returns what ends the turn, also one that has not come yet */
export type TakeTurn = (client: string, begin: () => void) => () => void;

type Waiting = { begin(place: Place): void };

/** @param places how many requests may be in work; a client has at most as many as it leaves free */
export function turns(places: number): TakeTurn {
  const shares = divide(places, 1);
  const lines = new Map<string, Set<Waiting>>();
  const beginNext = (): void => {
    for (const [client, line] of lines) {
      const place = shares.take(client);
      if (!place) continue;
      const [first] = line;
      // After its turn, a client goes behind all others.
      lines.delete(client);
      if (first) line.delete(first);
      if (line.size > 0) lines.set(client, line);
      first?.begin(place);
      beginNext();
      return;
    }
  };
  return (client, begin) => {
    let taken: Place | undefined;
    const own: Waiting = {
      begin(place) {
        taken = place;
        // Later, since the caller needs what ends the turn before it begins.
        queueMicrotask(() => taken && begin());
      },
    };
    const line = lines.get(client) ?? new Set();
    lines.set(client, line.add(own));
    beginNext();
    return () => {
      line.delete(own);
      if (line.size === 0 && lines.get(client) === line) lines.delete(client);
      if (!taken) return;
      taken.leave();
      taken = undefined;
      beginNext();
    };
  };
}
