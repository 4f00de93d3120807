/** Work side by side. Unlike `Promise.all`, it waits for everything, also after a failure: what still runs could create something. */

/** Runs all tasks. @returns their results, in the order of the tasks @throws what the first of them threw */
export async function allSettledOf<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(tasks.map((task) => task()));
  return outcomes.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}

/** Lets at most so many through at the same time; the others wait their turn. */
export function gate(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return async (task) => {
    if (inside >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else inside += 1;
    try {
      return await task();
    } finally {
      // Whoever waits takes the place over.
      const next = waiting.shift();
      if (next) next();
      else inside -= 1;
    }
  };
}
