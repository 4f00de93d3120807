/**
 * Divides the connections to the database among accounts. A request that finds none free for its account waits here, and not on a
 * connection: forty requests that wait for one another, as those with the same Idempotency-Key do, would hold all of them.
 */
import type { Pool } from "../store/pool.ts";
import type { ServiceHandlers } from "./context.ts";

/** For what comes before an account is known: the look-up of keys, and limits. */
const setAside = 2;
const timesWhatIsFree = 3;

/** Does the work when it is the account's turn. */
export type TakeTurn = <T>(account: string, work: () => Promise<T>) => Promise<T>;

/**
 * An account may hold three times as many places as are free: alone it gets three quarters of all, and there are always some for whoever
 * comes next. Those who wait get a place account by account.
 *
 * @param places how many there are
 */
export function turns(places: number): TakeTurn {
  let free = places;
  const held = new Map<string, number>();
  /** In the order of their turns. */
  const waiting = new Map<string, (() => void)[]>();
  const holds = (account: string) => held.get(account) ?? 0;
  const mayBegin = (account: string) => free > 0 && (holds(account) === 0 || holds(account) < timesWhatIsFree * free);

  function begin(account: string): void {
    free -= 1;
    held.set(account, holds(account) + 1);
  }

  function end(account: string): void {
    free += 1;
    const left = holds(account) - 1;
    if (left > 0) held.set(account, left);
    else held.delete(account);
    for (const [next, line] of waiting) {
      if (!mayBegin(next)) continue;
      const start = line.shift();
      waiting.delete(next);
      if (line.length > 0) waiting.set(next, line);
      begin(next);
      start?.();
      return;
    }
  }

  return async (account, work) => {
    if (mayBegin(account)) begin(account);
    else {
      const line = waiting.get(account) ?? [];
      waiting.set(account, line);
      await new Promise<void>((resolve) => void line.push(resolve));
    }
    try {
      return await work();
    } finally {
      end(account);
    }
  };
}

type Handler = (input: { caller?: { accountId: number } }) => Promise<unknown>;

/** Has every handler take its account's turn, but `testWebhook`, which mostly waits for an endpoint and holds no connection then. */
export function inTurns({ testWebhook, ...handlers }: ServiceHandlers, pool: Pool): ServiceHandlers {
  const takeTurn = turns(Math.max(1, pool.options.max - setAside));
  const taking = Object.entries(handlers as unknown as Record<string, Handler>).map(([operation, answer]) => {
    const inTurn: Handler = (input) =>
      takeTurn(String(input.caller?.accountId ?? "without a key"), async () => answer(input));
    return [operation, inTurn] as const;
  });
  return { ...(Object.fromEntries(taking) as unknown as typeof handlers), testWebhook };
}
