/** When to ask for a token again: not while it is asked for, and the later, the more often that failed. */

export type AskingTimes = {
  mayAsk(contract: string): boolean;
  begin(contracts: readonly string[]): void;
  /** A node was asked. @param answered those that need not be asked again */
  asked(contracts: readonly string[], answered: ReadonlySet<string>): void;
  /** No node could be asked, which says nothing about the contracts. */
  noNode(contracts: readonly string[]): void;
};

const shortestMs = 10_000;
const longestMs = 3_600_000;
/** Without a node, blocks wait for tokens only so often. */
const noNodeMs = 5_000;
const longestNoNodeMs = 60_000;
const mostRemembered = 10_000;

/** @param now a monotonic clock, in ms */
export function askingTimes(now: () => number = () => performance.now()): AskingTimes {
  const inFlight = new Set<string>();
  const failed = new Map<string, { times: number; until: number }>();
  let outages = 0;
  let outUntil = Number.NEGATIVE_INFINITY;

  const end = (contracts: readonly string[]) => {
    for (const contract of contracts) inFlight.delete(contract);
  };

  return {
    mayAsk: (contract) =>
      now() >= outUntil &&
      !inFlight.has(contract) &&
      now() >= (failed.get(contract)?.until ?? Number.NEGATIVE_INFINITY),
    begin(contracts) {
      for (const contract of contracts) inFlight.add(contract);
    },
    asked(contracts, answered) {
      end(contracts);
      outages = 0;
      for (const contract of contracts) {
        const times = (failed.get(contract)?.times ?? 0) + 1;
        failed.delete(contract);
        if (!answered.has(contract))
          failed.set(contract, { times, until: now() + Math.min(longestMs, shortestMs * 2 ** (times - 1)) });
      }
      for (const contract of failed.keys()) {
        if (failed.size <= mostRemembered) return;
        failed.delete(contract);
      }
    },
    noNode(contracts) {
      end(contracts);
      outUntil = now() + Math.min(longestNoNodeMs, noNodeMs * 2 ** outages);
      outages += 1;
    },
  };
}
