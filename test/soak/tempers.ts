/** How endpoints behave, and how many of a hundred do so. */

export const tempers = {
  good: 62,
  slow: 8,
  flapping: 8,
  busy: 6,
  failing: 4,
  refusing: 4,
  resetting: 4,
  hanging: 2,
  gone: 2,
  // The costly account's.
  costly: 0,
} as const;

/** A way to behave. */
export type Temper = keyof typeof tempers;

/** The temper of the nth endpoint. */
export function temperOf(n: number): Temper {
  let left = n % 100;
  for (const [temper, share] of Object.entries(tempers)) {
    left -= share;
    if (left < 0) return temper as Temper;
  }
  return "good";
}
