/** How many blocks make a run: fetched at once, and recorded in one transaction, while catching up. */
import type { ReadBlock } from "./block.ts";

export const longestRun = 8;
/** How heavy a run may be, in bytes, beside its first block. */
export const heaviestRun = 16 * 1024 * 1024;

/**
 * @param run what was read of a run, in which `asked` blocks were asked for while runs had the given length
 * @returns how long the next one is to be: a node that cannot give all at once is asked for less, and where blocks are large
 *   there are fewer in a run
 */
export function nextLength(run: readonly ReadBlock[], { asked, length }: { asked: number; length: number }): number {
  const wanted = run.length < asked ? run.length : Math.min(longestRun, length * 2);
  return Math.max(1, Math.min(wanted, Math.floor(heaviestRun / Math.max(1, ...run.map(({ weight }) => weight)))));
}
