/** Some of many, by a seed: `N` of them, all, or those with a text in their names. */
import { seeded } from "../support/seeded.ts";

/** Chooses them. @param nameOf the name that the text is looked for in */
export function sampleOf<T>(
  of: readonly T[],
  nameOf: (one: T) => string,
  { wanted, seed }: { wanted: string; seed: number },
): T[] {
  const all = wanted === "all";
  if (!all && Number.isNaN(Number(wanted))) return of.filter((one) => nameOf(one).includes(wanted));
  const order = [...of];
  const dice = seeded(seed);
  const size = all ? order.length : Math.min(order.length, Number(wanted));
  for (let index = 0; index < size; index += 1) {
    const other = index + dice(order.length - index);
    [order[index], order[other]] = [order[other] as T, order[index] as T];
  }
  return order.slice(0, size);
}
