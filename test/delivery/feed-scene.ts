/** A feed alone: nobody takes what it reads. */
import pg from "pg";
import { pino } from "pino";
import { onTestFinished, vi } from "vitest";
import { createAccounts } from "../../server/delivery/accounts.ts";
import { withEndpoints } from "../../server/delivery/endpoint/endpoints.ts";
import { Feed } from "../../server/delivery/feed/feed.ts";
import { Recorder } from "../../server/delivery/recorder.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { type Outbox, type OutboxWebhook, openOutbox } from "../support/outbox.ts";
import { ownedShard } from "./endpoint-scene.ts";

export type FeedScene = {
  outbox: Outbox;
  /** All in shard 0. */
  webhooks: OutboxWebhook[];
  /** Of shard 0. */
  feed: Feed;
  /** @returns how many notifications it has queued */
  queued(): number;
};

/** Ends with the test. */
export async function openFeed(count = 1): Promise<FeedScene> {
  const outbox = await openOutbox();
  onTestFinished(outbox.close);
  const added = await Promise.all(Array.from({ length: count }, () => outbox.addWebhook("https://example.com/")));
  await outbox.pool.query("UPDATE webhooks SET shard = 0");
  return { outbox, webhooks: inShard0(added), ...feedOf(outbox) };
}

/** A feed of shard 0, and how much it has read. */
export function feedOf({ pool }: Outbox) {
  const log = pino({ level: "silent" });
  const accounts = createAccounts();
  const feed = new Feed({
    ...{ pool, log, accounts, shards: new Map([[0, withEndpoints(ownedShard())]]), keyring: noKeys },
    recorder: new Recorder({ pool, log, failingLimitMs: 1, onBatch: () => {}, onFenced: () => {} }),
    sender: { schedule: () => {}, resumeRested: () => {} },
  });
  return { feed, queued: () => accounts.all.notifications.used };
}

/** @returns which statements were sent since the last call */
export function spyOnStatements(): () => string[] {
  const query = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => query.mockRestore());
  return () => query.mock.calls.splice(0).flatMap(([statement]) => (statement as { name?: string }).name ?? []);
}

/** Webhooks that were moved there. */
export const inShard0 = (webhooks: readonly OutboxWebhook[]) => webhooks.map((webhook) => ({ ...webhook, shard: 0 }));
