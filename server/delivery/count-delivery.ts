/** Counts what delivering does: attempts by what came of them, how long notifications waited for them, and what is in memory. */
import type { Metrics } from "../metrics.ts";
import type { Accounts } from "./account.ts";
import type { Task } from "./endpoint.ts";
import type { Outcome } from "./exchange.ts";
import { isResting } from "./pace.ts";
import type { Shard } from "./shard.ts";

/** @returns what is to be told of what came of each attempt */
export function countAttempts({ delivery }: Metrics): (result: Outcome) => void {
  return ({ errorClass: outcome = "delivered", durationMs }) => {
    delivery.attempts.inc({ outcome });
    delivery.attemptSeconds.observe({ outcome }, durationMs / 1_000);
  };
}

/** @param now the database's time, in ms since the epoch @returns what is to be told of each notification that is sent */
export function countDelays({ delivery }: Metrics, now: () => number): (task: Task) => void {
  return ({ attempts, recordedAtMs, dueAtMs }) => {
    const since = attempts === 0 ? recordedAtMs : dueAtMs;
    if (since === undefined) return;
    const histogram = attempts === 0 ? delivery.firstAttemptSeconds : delivery.retrySeconds;
    // The two clocks are a round trip apart, so that a moment may seem to lie ahead.
    histogram.observe(Math.max(0, now() - since) / 1_000);
  };
}

/** Shows what this process has in hand whenever metrics are told. @returns what ends that */
export function showInHand(
  { delivery, lease, onScrape }: Metrics,
  of: { shards: ReadonlyMap<number, Shard>; accounts: Accounts; held: () => string[] },
): () => void {
  return onScrape(() => {
    delivery.inFlight.set(of.accounts.all.exchanges.held);
    delivery.queued.set(of.accounts.all.tasks.held);
    delivery.unrecorded.set(of.accounts.all.unrecorded.held);
    const count = { well: 0, failing: 0, resting: 0 };
    for (const { endpoints } of of.shards.values())
      for (const { failing, pace } of endpoints.values())
        count[isResting(pace) ? "resting" : failing ? "failing" : "well"] += 1;
    for (const state of ["well", "failing", "resting"] as const) delivery.endpoints.set({ state }, count[state]);
    for (const key of of.held()) lease.held.set({ kind: "shard", key }, 1);
  });
}
