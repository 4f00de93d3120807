/** One transaction that concerns 10,000 webhooks, and one webhook with 10,000 notifications in a block. */

import { randomBytes } from "node:crypto";
import { messageIdOf } from "../../../server/matching/message-id.ts";
import { lockChainExclusively } from "../../../server/store/chains/lock.ts";
import { announceWork } from "../../../server/store/delivery/announcements.ts";
import { appendNotifications, type NewNotification } from "../../../server/store/outbox/append.ts";
import { inTransaction, type Pool } from "../../../server/store/pool.ts";
import { chainId } from "./outbox.ts";
import { eventText } from "./post-alone.ts";
import type { Found } from "./world.ts";
import { fill, openWorld } from "./world.ts";

const burst = 10_000;

export async function bursts(): Promise<Found> {
  const rows = [
    await measure("one transaction, 10,000 webhooks", burst, true),
    await measure("one webhook, 10,000 transactions", 1, false),
    await measure("1,000 webhooks, 10,000 transactions", 1_000, false),
  ];
  return { rows, says: [] };
}

async function measure(what: string, webhooks: number, shared: boolean): Promise<Record<string, string | number>> {
  const world = await openWorld({ webhooks });
  world.deliver();
  await fill(world.pool, burst);
  await world.recorded(burst);
  world.receiver.reset();
  const startedAt = performance.now();
  await recordBlock(world.pool, burst, shared);
  const recordedMs = performance.now() - startedAt;
  await world.arrived(burst);
  await world.recorded(2 * burst);
  const doneMs = performance.now() - startedAt;
  await world.close();
  return {
    what,
    "recorded ms": Math.round(recordedMs),
    "delivered and on record ms": Math.round(doneMs),
    "deliveries/s": Math.round((burst * 1_000) / (doneMs - recordedMs)),
  };
}

/** As the follower does it, but for matching. @param shared one transaction concerns everybody; else each has its own */
async function recordBlock(pool: Pool, count: number, shared: boolean): Promise<void> {
  const { rows } = await pool.query<{ id: string; shard: number }>("SELECT id, shard FROM webhooks ORDER BY id");
  const blockHash = `0x${randomBytes(32).toString("hex")}`;
  const eventOf = (transactionIndex: number) => {
    const transactionHash = `0x${randomBytes(32).toString("hex")}`;
    const body = eventText(transactionIndex);
    return { blockNumber: 1, blockHash, transactionHash, transactionIndex, removed: false, body };
  };
  const first = eventOf(0);
  const notifications = Array.from({ length: count }, (_, n): NewNotification => {
    const event = shared ? first : eventOf(n);
    const { id: webhookId, shard } = rows[n % rows.length] as (typeof rows)[number];
    const messageId = messageIdOf({ webhookId, ...event, occurrence: 0 });
    return { webhookId, shard, messageId, occurrence: 0, event };
  });
  await inTransaction(pool, async (db) => {
    await lockChainExclusively(db, chainId);
    await appendNotifications(db, chainId, notifications);
  });
  await announceWork(pool, "notifications");
}
