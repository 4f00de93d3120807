/**
 * Lets accounts have the database in turn. All requests share its few connections, first come, first served: ten creations of one account
 * that wait for one another, as those with the same Idempotency-Key do, would hold all of them. So each account works on some at a time
 * (shares.ts), and its others wait here, where they are in nobody's way.
 */
import type { Caller } from "../store/keys.ts";
import type { Pool } from "../store/pool.ts";
import type { ServiceHandlers } from "./context.ts";
import { divide, type Place } from "./shares.ts";

/** Connections for what comes before the account is known: the look-up of keys, and limits. */
const setAside = 2;

/** Does the work when it is the account's turn. */
export type TakeTurn = <T>(account: string, work: () => Promise<T>) => Promise<T>;

/** @param places so much is worked on at a time */
export function turns(places: number): TakeTurn {
  const shares = divide(places);
  const waiting = new Map<string, ((place: Place) => void)[]>();

  function begin(): void {
    for (const [account, line] of waiting) {
      const place = shares.take(account);
      if (!place) continue;
      const first = line.shift();
      // Whoever had a turn goes behind all others.
      waiting.delete(account);
      if (line.length > 0) waiting.set(account, line);
      first?.(place);
      return begin();
    }
  }

  return async (account, work) => {
    const place = await new Promise<Place>((resolve) => {
      const line = waiting.get(account);
      if (line) line.push(resolve);
      else waiting.set(account, [resolve]);
      begin();
    });
    try {
      return await work();
    } finally {
      place.leave();
      begin();
    }
  };
}

type Handler = (input: { caller?: Caller }) => Promise<unknown>;

/** Has every handler take its account's turn, but that of tests, which wait for endpoints and not for the database. */
export function inTurns({ testWebhook, ...handlers }: ServiceHandlers, pool: Pool): ServiceHandlers {
  const takeTurn = turns(Math.max(1, pool.options.max - setAside));
  const taking = Object.entries(handlers as unknown as Record<string, Handler>).map(([operation, answer]) => {
    const inTurn: Handler = (input) => takeTurn(String(input.caller?.accountId ?? "nobody"), async () => answer(input));
    return [operation, inTurn] as const;
  });
  return { ...(Object.fromEntries(taking) as unknown as typeof handlers), testWebhook };
}
