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
  let until = 0;
  for (;;) {
    const call = { path: { id, replayId }, ...(key !== undefined && { key }) };
    const replay = await probe.send("getReplay", call);
    const { status, currentBlock, finishedAt } = asObject(replay.json);
    if (replay.status !== 200) return probe.status(replay, "status-expected", 200);
    if (status === "done") return probe.check(replay, "replay-finishes", finishedAt !== undefined, "finishedAt");
    const progress = `${status} ${currentBlock}`;
    const limitMs = status === "queued" ? queuedMs : probe.patience(standstillMs);
    if (progress !== before) until = performance.now() + limitMs;
    before = progress;
    if (status === "failed" || performance.now() > until) {
      const expected = `another status or currentBlock within ${Math.round(limitMs / 1000)} s, and done in the end`;
      return probe.check(replay, "replay-finishes", false, expected);
    }
    await wait(100);
  }
}
