/**
 * The one rule that divides what clients or accounts share: each may take more only while it holds less than is free, or than a multiple of
 * that. Nothing is reserved, and some is always free for the next one. If k of them want everything, each gets a (k + 1)th. A
 * hanging request keeps its slot, so a slot must be free before it is needed. Network switches share their buffers in this way
 * (Choudhury and Hahne, "Dynamic Queue Length Thresholds", 1998).
 */

/** @param times the multiple of what is free that one may hold. With 1 a single client gets half of everything, with 3 three quarters. */
export function mayHoldMore(own: number, all: number, limit: number, times = 1): boolean {
  return own < times * (limit - all);
}
