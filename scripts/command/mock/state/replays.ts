/** Replays on the mock: what is on record is sent again, and what the played chain has besides is added. Each ends within a second. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { components } from "../../../../generated/types.ts";
import { replayNotFound } from "../../../../server/base/errors.ts";
import type { Handlers } from "../../../../server/contract/handlers.ts";
import {
  assertFewReplays,
  assertFollowed,
  assertNotEarlier,
  readReplayRange,
} from "../../../../server/settings/limits.ts";
import type { MockAccount } from "./account.ts";
import type { MockWebhook } from "./records.ts";

type Replay = components["schemas"]["Replay"];

/** How long a replay is queued, and then runs: long enough for a page to show it, and for a busy one to ask for ten more. */
const stepMs = 450;

export function mockReplayHandlers({
  webhooks,
  outbox,
  chain,
}: MockAccount): Pick<Handlers, "createReplay" | "getReplay" | "cancelReplay"> {
  const find = ({ id, replayId }: { id: string; replayId: string }): Replay => {
    const replay = webhooks.get(id).replays.get(replayId);
    if (!replay) throw replayNotFound(id, replayId);
    return replay;
  };

  async function run(webhook: MockWebhook, replay: Replay): Promise<void> {
    await pause(stepMs, undefined, { ref: false });
    const isOver = () => webhook.isDeleted || !isUnfinished(replay);
    if (isOver()) return;
    replay.status = "running";
    const [from, to] = [BigInt(replay.fromBlock), BigInt(replay.toBlock)];
    const onRecord = [...webhook.notifications.values()].filter(({ transaction: { blockNumber } }) => {
      const number = BigInt(blockNumber);
      return number >= from && number <= to;
    });
    for (const kept of onRecord) void outbox.attempt(kept, "replay");
    replay.resentCount = onRecord.length;
    for (const { hash, txHash, eventText } of await chain.matchesOf(webhook, from, to)) {
      const isRecorded = onRecord.some(
        ({ transaction }) => transaction.txHash === txHash && transaction.blockHash === hash,
      );
      if (isRecorded || isOver()) continue;
      void outbox.attempt(outbox.add(webhook, eventText), "schedule");
      replay.addedCount += 1;
    }
    if (isOver()) return;
    replay.currentBlock = replay.toBlock;
    replay.blocksPerSecond = Math.round((Number(to - from) + 1) / (stepMs / 1_000));
    replay.finishesAt = Date.now() + stepMs;
    await pause(stepMs, undefined, { ref: false });
    if (!isOver()) end(replay, "done");
  }

  return {
    createReplay({ path: { id }, body }) {
      const range = readReplayRange(body);
      const webhook = webhooks.get(id);
      const { chainId, effectiveFromBlock } = webhook.record;
      const listed = chain.list().find((one) => one.chainId === chainId)?.followedBlock;
      const followed = chain.plays(chainId) ? (chain.followed() ?? -1) : listed;
      if (followed !== undefined) assertFollowed(range.to, Number(followed), chainId);
      assertNotEarlier(range, Number(effectiveFromBlock));
      const all = [...webhook.replays.values()];
      assertFewReplays(all.filter(isUnfinished).length);
      const replay: Replay = {
        id: randomUUID(),
        webhookId: id,
        status: "queued",
        fromBlock: body.fromBlock,
        toBlock: body.toBlock,
        resentCount: 0,
        addedCount: 0,
        createdAt: Date.now(),
      };
      webhook.replays.set(replay.id, replay);
      // Of many, the oldest are forgotten.
      if (all.length >= keptAtMost && all[0]) webhook.replays.delete(all[0].id);
      void run(webhook, replay);
      return { status: 202, headers: { Location: `/v1/webhooks/${id}/replays/${replay.id}` }, body: { ...replay } };
    },
    getReplay: ({ path }) => ({ status: 200, body: find(path) }),
    cancelReplay({ path }) {
      const replay = find(path);
      if (isUnfinished(replay)) end(replay, "cancelled");
      return { status: 200, body: { ...replay } };
    },
  };
}

const isUnfinished = ({ status }: Replay) => status === "queued" || status === "running";

function end(replay: Replay, status: "done" | "cancelled"): void {
  delete replay.blocksPerSecond;
  delete replay.finishesAt;
  Object.assign(replay, { status, finishedAt: Date.now() });
}

const keptAtMost = 100;
