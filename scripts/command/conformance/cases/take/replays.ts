/** The step that creates a replay, and reads it. */
import { asObject, type JsonObject } from "../../../../document/json.ts";
import { idOf } from "../../probe.ts";
import type { Step } from "../steps.ts";
import { type CaseState, compareKnown, isRecent, type Known, succeeded } from "./known.ts";

/** Replays one block, or a range that ends before it begins. */
export async function replay(
  { probe, world }: CaseState,
  known: Known,
  { fromBlock, ahead }: Step & { do: "replay" },
): Promise<void> {
  const path = { id: known.id };
  const { followedBlock } = world.target;
  const toBlock = ahead && BigInt(fromBlock) > 0n ? String(BigInt(fromBlock) - 1n) : fromBlock;
  const answer = await probe.send("createReplay", { path, body: { fromBlock, toBlock, includeEarlier: true } });
  if (toBlock !== fromBlock) return void probe.status(answer, "bad-request-400", 400);
  if (answer.status === 400 && followedBlock === undefined) return;
  if (answer.status === 403) return;
  if (answer.status === 409 && known.replays.size >= 10) return;
  if (!succeeded(probe, answer)) return;
  const came = asObject(answer.json);
  // Nobody takes part in transactions by these addresses.
  const asked = { webhookId: known.id, fromBlock, toBlock, resentCount: 0, addedCount: 0 };
  compareKnown(probe, answer, "created-as-asked", asked, came);
  const replayId = idOf(came);
  probe.check(answer, "created-as-asked", !known.replays.has(replayId), "an id that no other replay has");
  probe.check(answer, "created-as-asked", isRecent(probe, answer, came.createdAt), "createdAt now, in ms");
  known.replays.add(replayId);
  const place = `/v1/webhooks/${known.id}/replays/${replayId}`;
  probe.check(answer, "location", answer.headers.location === place, `Location: ${place}`);
  const read = await probe.send("getReplay", { path: { ...path, replayId } });
  if (!succeeded(probe, read)) return;
  const after = asObject(read.json);
  const { id, createdAt } = came;
  // One that is finished stays as it is.
  compareKnown(probe, read, "reads-as-written", hasEnded(came) ? came : { id, createdAt, ...asked }, after);
  for (const [exchange, shown] of [
    [answer, came],
    [read, after],
  ] as const)
    probe.check(
      exchange,
      "replay-finishes",
      hasEnded(shown) === (shown.finishedAt !== undefined),
      "finishedAt where the status is done, failed or cancelled, and only there",
    );
}

const hasEnded = ({ status }: JsonObject) => status === "done" || status === "failed" || status === "cancelled";
