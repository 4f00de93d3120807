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

type MockReplays = {
  handlers: Pick<Handlers, "createReplay" | "getReplay" | "cancelReplay">;
  /** Brings the past of added addresses, from a block on that the chain has. @returns the replay's id; without new ones, that of their replay */
  bringPast(webhook: MockWebhook, added: readonly string[], range: BlockRange): string | undefined;
  /** Replays pass over addresses that are removed from their webhook, also if these are added again. */
  passOver(webhook: MockWebhook, removed: readonly string[]): void;
};
type BlockRange = { fromBlock: string; toBlock: string };

export function mockReplays({ webhooks, outbox, chain }: MockAccount): MockReplays {
  /** Of a replay that matches only these addresses. */
  const addedWith = new WeakMap<Replay, Set<string>>();
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
    const added = addedWith.get(replay);
    if (!added && webhook.record.url !== undefined) {
      for (const kept of onRecord) void outbox.attempt(kept, "replay");
      replay.resentCount = onRecord.length;
    }
    for (const { hash, txHash, eventText } of await chain.matchesOf(added ? only(webhook, added) : webhook, from, to)) {
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

  function start(webhook: MockWebhook, { fromBlock, toBlock }: BlockRange, added?: Set<string>): Replay {
    const all = [...webhook.replays.values()];
    assertFewReplays(all.filter(isUnfinished).length);
    const replay: Replay = {
      ...{ id: randomUUID(), webhookId: webhook.record.id, status: "queued", fromBlock, toBlock },
      ...{ resentCount: 0, addedCount: 0, createdAt: Date.now() },
    };
    if (added) addedWith.set(replay, added);
    webhook.replays.set(replay.id, replay);
    // Of many, the oldest are forgotten.
    if (all.length >= keptAtMost && all[0]) webhook.replays.delete(all[0].id);
    void run(webhook, replay);
    return replay;
  }

  const handlers: MockReplays["handlers"] = {
    createReplay({ path: { id }, body }) {
      const range = readReplayRange(body);
      const webhook = webhooks.get(id);
      const { chainId, effectiveFromBlock } = webhook.record;
      const listed = chain.list().find((one) => one.chainId === chainId)?.followedBlock;
      const followed = chain.plays(chainId) ? (chain.followed() ?? -1) : listed;
      if (followed !== undefined) assertFollowed(range.to, Number(followed), chainId);
      assertNotEarlier(range, Number(effectiveFromBlock));
      const replay = start(webhook, body);
      return { status: 202, headers: { Location: `/v1/webhooks/${id}/replays/${replay.id}` }, body: { ...replay } };
    },
    getReplay: ({ path }) => ({ status: 200, body: find(path) }),
    cancelReplay({ path }) {
      const replay = find(path);
      if (isUnfinished(replay)) end(replay, "cancelled");
      return { status: 200, body: { ...replay } };
    },
  };
  return {
    handlers,
    bringPast(webhook, given, range) {
      const { addresses, replays } = webhook;
      const added = given.filter((address) => !addresses.has(address));
      if (added.length > 0) return start(webhook, range, new Set(added)).id;
      const earlier = [...replays.values()].filter(({ fromBlock }) => fromBlock === range.fromBlock);
      return earlier.findLast((replay) => given.some((address) => addedWith.get(replay)?.has(address)))?.id;
    },
    passOver({ replays }, removed) {
      for (const replay of replays.values()) for (const address of removed) addedWith.get(replay)?.delete(address);
    },
  };
}

/** The webhook as if it watched nothing else, of what it still watches. */
function only({ record, addresses, ...webhook }: MockWebhook, added: ReadonlySet<string>): MockWebhook {
  const { createdBy: _, ...metadata } = record.metadata;
  return {
    ...webhook,
    record: { ...record, metadata },
    addresses: new Set([...added].filter((one) => addresses.has(one))),
  };
}

const isUnfinished = ({ status }: Replay) => status === "queued" || status === "running";

function end(replay: Replay, status: "done" | "cancelled"): void {
  delete replay.blocksPerSecond;
  delete replay.finishesAt;
  Object.assign(replay, { status, finishedAt: Date.now() });
}

const keptAtMost = 100;
