/**
 * Lets clients be worked for in turn. All requests share the event loop and few connections to the database, first come, first served: 30 large
 * creations of one account would have every other request wait for all of them. So some of each are worked on at a time (shares.ts), and its
 * others wait here, where they are in nobody's way. Creations of 2,000 addresses over 32 connections took another account's requests from
 * 14 ms to 1,600 ms without this (`npm run bench:api -- --only fairness`).
 */
import { divide, type Place } from "./shares.ts";

/** Begins the work when it is the client's turn. @returns what ends the turn, also one that has not come yet */
export type TakeTurn = (client: string, begin: () => void) => () => void;

type Waiting = { begin(place: Place): void };

/** @param places so much is worked on at a time; a client has at most as many as it leaves free */
export function turns(places: number): TakeTurn {
  const shares = divide(places, 1);
  const lines = new Map<string, Set<Waiting>>();
  const beginNext = (): void => {
    for (const [client, line] of lines) {
      const place = shares.take(client);
      if (!place) continue;
      const [first] = line;
      // Whoever has a turn goes behind all others.
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
        // Later, so that whoever asks has what ends the turn before it begins.
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
