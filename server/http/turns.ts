/**
 * Divides the connections to the database among accounts. A request that finds none free for its account waits here, and not on a
 * connection: forty requests that wait for one another, as those with the same Idempotency-Key do, would hold all of them.
 */
import type { HandlerContext, ServiceHandlers } from "./context.ts";

/** For what comes before an account is known: the look-up of keys, and limits. */
const setAside = 2;
const timesWhatIsFree = 3;

export type Turns = {
  /** Does some work of an account when it is its turn. */
  take<T>(account: string, work: () => Promise<T>): Promise<T>;
};

/**
 * An account may hold three times as many places as are free: alone it gets three quarters of all, and there are always some for whoever
 * comes next. Those who wait get a place account by account.
 *
 * @param all how many places there are
 */
export function createTurns(all: number): Turns {
  let free = all;
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

  return {
    async take(account, work) {
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
    },
  };
}

/** Has every handler take its account's turn, but `testWebhook`, which mostly waits for an endpoint and holds no connection then. */
export function inTurn(handlers: ServiceHandlers, { pool }: HandlerContext): ServiceHandlers {
  const turns = createTurns(Math.max(1, pool.options.max - setAside));
  const taking = Object.entries(handlers).map(([operation, handler]) => {
    const answer = handler as (input: { caller?: { accountId: number } }) => Promise<unknown>;
    const inItsTurn: typeof answer = (input) =>
      turns.take(String(input.caller?.accountId ?? "without a key"), async () => answer(input));
    return [operation, operation === "testWebhook" ? handler : inItsTurn];
  });
  return Object.fromEntries(taking) as ServiceHandlers;
}
