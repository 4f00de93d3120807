/** @returns at most so many items: the first of each list, then the second of each, and so on */
export function inTurn<T>(lists: readonly (readonly T[])[], limit: number): T[] {
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
