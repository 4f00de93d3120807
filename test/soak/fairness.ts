/** Whether the well-behaved notice the hostile ones: how long they waited before these came, and with them. */
import { quantile } from "./report.ts";

/** How long something took that began at a time, both in ms; times since the epoch. */
export type Wait = { at: number; ms: number };

/** How long a call of the API took. */
export type CallWait = Wait & { isRead: boolean };

/** Parts of a run: from, and until, in ms since the epoch. */
export type Stretch = { from: number; to: number };

/** 99 of 100 took at most so long, in ms, before the hostile ones came and with them. */
export type Fairness = { of: string; without: number; with: number };

/** One slow moment of the machine must not decide: it is one window of several. */
const windowMs = 4_000;
/** What is faster is not held up. */
const unnoticedMs = 100;

/** The median of what 99 of 100 took at most in each window of a stretch. */
function typicalP99(waits: readonly Wait[], { from, to }: Stretch): number {
  const windows = new Map<number, number[]>();
  for (const { at, ms } of waits) {
    const window = Math.floor((at - from) / windowMs);
    if (at < from || at >= to || window + 1 > (to - from) / windowMs) continue;
    windows.set(window, [...(windows.get(window) ?? []), ms]);
  }
  return quantile(
    [...windows.values()].map((each) => quantile(each, 0.99)),
    0.5,
  );
}

export function fairnessOf(
  waits: Readonly<Record<string, readonly Wait[]>>,
  stretches: { without: Stretch; with: Stretch },
): Fairness[] {
  return Object.entries(waits).map(([of, each]) => ({
    of,
    without: typicalP99(each, stretches.without),
    with: typicalP99(each, stretches.with),
  }));
}

/** Whether they took more than twice as long. What takes up to 100 ms without them may take 200 ms: nobody is held up by that. */
export function isUnfair(fairness: Fairness): boolean {
  return fairness.with > 2 * Math.max(unnoticedMs, fairness.without);
}
