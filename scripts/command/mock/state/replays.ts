/** Replays on the mock: what is on record is sent again, and what the played chain has besides is added. Each ends within a second. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { components } from "../../../../generated/types.ts";
import { replayNotFound } from "../../../../server/base/errors.ts";
import type { Handlers } from "../../../../server/contract/handlers.ts";
import { assertFewReplays, assertFollowed, readReplayRange } from "../../../../server/settings/limits.ts";
import type { MockAccount } from "./account.ts";
import type { MockWebhook } from "./records.ts";

type Replay = components["schemas"]["Replay"];

/** How long a replay is queued, and then runs: long enough for a page to show it, and for a busy one to ask for ten more. */
const stepMs = 450;

export function mockReplayHandlers({
  webhooks,
  outbox,
  chain,
}: MockAccount): Pick<Handlers, "createReplay" | "getReplay"> {
  async function run(webhook: MockWebhook, replay: Replay): Promise<void> {
    await pause(stepMs, undefined, { ref: false });
    if (webhook.isDeleted) return;
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
      if (isRecorded || webhook.isDeleted) continue;
      void outbox.attempt(outbox.add(webhook, eventText), "schedule");
      replay.addedCount += 1;
    }
    replay.currentBlock = replay.toBlock;
    await pause(stepMs, undefined, { ref: false });
    if (!webhook.isDeleted) Object.assign(replay, { status: "done", finishedAt: Date.now() });
  }

  return {
    createReplay({ path: { id }, body }) {
      const { to } = readReplayRange(body);
      const webhook = webhooks.get(id);
      const { chainId } = webhook.record;
      if (chain.plays(chainId)) assertFollowed(to, chain.followed() ?? -1, chainId);
      const all = [...webhook.replays.values()];
      assertFewReplays(all.filter(({ status }) => status === "queued" || status === "running").length);
      const replay: Replay = {
        id: randomUUID(),
        webhookId: id,
        status: "queued",
        ...body,
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
    getReplay({ path: { id, replayId } }) {
      const replay = webhooks.get(id).replays.get(replayId);
      if (!replay) throw replayNotFound(id, replayId);
      return { status: 200, body: replay };
    },
  };
}

const keptAtMost = 100;
