/** Waiting for a replay. */
import { setTimeout as wait } from "node:timers/promises";
import { asObject } from "../../../document/json.ts";
import type { Probe } from "../probe.ts";

// Without progress, while it runs, and before, while others replay long ranges.
const standstillMs = 60_000;
const queuedMs = 600_000;

/**
 * Waits for a replay. It may take long while others replay too; it must only go on.
 *
 * @param key instead of the target's @returns whether it was done, else a finding was reported
 */
export async function finished(probe: Probe, id: string, replayId: string, key?: string): Promise<boolean> {
  let before: string | undefined;
  let since = 0;
  let slowestMs = 0;
  for (;;) {
    const call = { path: { id, replayId }, ...(key !== undefined && { key }) };
    const replay = await probe.send("getReplay", call);
    const { status, currentBlock, finishedAt } = asObject(replay.json);
    if (replay.status !== 200) return probe.status(replay, "status-expected", 200);
    if (status === "done") return probe.check(replay, "replay-finishes", finishedAt !== undefined, "finishedAt");
    const progress = `${status} ${currentBlock}`;
    const now = performance.now();
    // Accounts take turns, so the next block may take as long as the one before it.
    if (before !== undefined && progress !== before) slowestMs = Math.max(slowestMs, now - since);
    const limitMs = Math.max(probe.patience.scaled(status === "queued" ? queuedMs : standstillMs), 3 * slowestMs);
    if (progress !== before) since = now;
    before = progress;
    if (status === "failed" || now - since > limitMs) {
      const expected = `another status or currentBlock within ${Math.round(limitMs / 1000)} s, and done in the end`;
      return probe.check(replay, "replay-finishes", false, expected);
    }
    await wait(100);
  }
}
