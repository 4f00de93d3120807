/** How what clients or accounts share is divided. */

/**
 * Each may take more only while it holds less than is free, or than a multiple of that. Nothing is reserved, and some is always free for the next
 * one. If k of them want everything, each gets a (k + 1)th. A hanging request keeps its slot, so a slot must be free before it is needed. Network
 * switches share their buffers in this way (Choudhury and Hahne, "Dynamic Queue Length Thresholds", 1998).
 *
 * @param times the multiple of what is free that one may hold. With 1 a single client gets half of everything, with 3 three quarters
 */
export function mayHoldMore(own: number, all: number, limit: number, times = 1): boolean {
  return own < times * (limit - all);
}

/** @returns at most `limit` items: the first of each list, then the second of each, and so on */
export function roundRobin<T>(lists: readonly (readonly T[])[], limit: number): T[] {
  const taken: T[] = [];
  for (let nth = 0; ; nth += 1) {
    const before = taken.length;
    for (const list of lists) {
      if (taken.length >= limit) return taken;
      if (nth < list.length) taken.push(list[nth] as T);
    }
    if (taken.length === before) return taken;
  }
}
