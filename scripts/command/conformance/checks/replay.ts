/** Replays: which blocks they take, how they end, and what they say until then. */
import { setTimeout as wait } from "node:timers/promises";
import { asObject, sameJson } from "../../../document/json.ts";
import type { RecordedExchange } from "../exchange.ts";
import { idOf, type Probe } from "../probe.ts";

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
    checkProgress(probe, replay);
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

/** What is said of a replay's pace is said only while it runs. */
function checkProgress(probe: Probe, replay: RecordedExchange): void {
  const { status, createdAt, blocksPerSecond, finishesAt } = asObject(replay.json);
  const isKnown = blocksPerSecond !== undefined || finishesAt !== undefined;
  const right =
    !isKnown || (status === "running" && Number(blocksPerSecond) >= 0 && Number(finishesAt) >= Number(createdAt));
  const expected = "blocksPerSecond and finishesAt, after createdAt, or neither; and neither unless it is running";
  probe.check(replay, "replay-progress", right, expected, JSON.stringify({ status, blocksPerSecond, finishesAt }));
}

/** What happened before a webhook's first block is replayed only if that is asked for. @param webhook.firstBlock its effectiveFromBlock */
export async function checkEarlier(
  probe: Probe,
  { id, firstBlock }: { id: string; firstBlock: bigint },
): Promise<void> {
  const { followedBlock = -1n } = probe.target;
  const before = firstBlock - 1n;
  if (before < 0n || before > followedBlock) return;
  const path = { id };
  const body = { fromBlock: String(before), toBlock: String(before) };
  const answer = await probe.send("createReplay", { path, body });
  const message = String(asObject(answer.json).message);
  if (!probe.status(answer, "replay-earlier-if-asked", 400)) return;
  const isNamed = message.includes("includeEarlier") || message.includes("fromBlock");
  probe.check(answer, "error-names-the-field", isNamed, "a message that names fromBlock", message);
}

/** One that was cancelled has ended, and stays as it ended. It may have been done before that. */
export async function checkCancelled(probe: Probe, id: string, to: bigint): Promise<void> {
  const path = { id };
  const body = { fromBlock: "0", toBlock: String(to), includeEarlier: true };
  const created = await probe.send("createReplay", { path, body });
  if (created.status !== 202) return probe.note(`cancelReplay: a replay of all blocks was refused: ${created.body}`);
  const one = { path: { id, replayId: idOf(asObject(created.json)) } };
  const cancelled = await probe.send("cancelReplay", one);
  if (!probe.status(cancelled, "status-expected", 200)) return;
  const { status, finishedAt } = asObject(cancelled.json);
  const ended = ["cancelled", "done", "failed"].includes(String(status)) && finishedAt !== undefined;
  probe.check(cancelled, "replay-cancelled", ended, "the status cancelled, with finishedAt", String(cancelled.body));
  if (!ended) return;
  const expected = `what cancelReplay returned: ${cancelled.body}`;
  for (const operation of ["getReplay", "cancelReplay"] as const) {
    const after = await probe.send(operation, one);
    probe.check(after, "replay-cancelled", sameJson(after.json, cancelled.json), expected, String(after.body));
  }
}
