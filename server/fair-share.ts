/**
 * The one rule that divides what clients or accounts share: each may take more only while it holds less than is free, or a multiple of
 * that. Nothing is set aside, and there is always some for whoever comes next. Of k that want all they can get, each holds a (k + 1)th. A slot
 * that a hanging exchange holds cannot be taken back, so room must be free before it is needed. Network switches share their buffers in
 * this way (Choudhury and Hahne, "Dynamic Queue Length Thresholds", 1998).
 */

/** @param times how many times what is free one may hold: with 1, one that is alone gets half of all; with 3, three quarters */
export function mayHoldMore(own: number, all: number, limit: number, times = 1): boolean {
  return own < times * (limit - all);
}
