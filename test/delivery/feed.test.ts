/** What a round of the feed says is left decides how soon the next one is. */
import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { createAccounts } from "../../server/delivery/account.ts";
import { holdEndpoints } from "../../server/delivery/endpoints.ts";
import { createFeed } from "../../server/delivery/feed.ts";
import { createRecorder } from "../../server/delivery/recorder.ts";
import { inTransaction } from "../../server/store/pool.ts";
import { noKeys } from "../../server/store/webhooks/keyring.ts";
import { type Outbox, type OutboxWebhook, openOutbox } from "../support/outbox.ts";
import { heldShard } from "./endpoint-scene.ts";

/** A feed of shard 0, from which nobody takes what is read, and what it has read. */
function feedOf({ pool }: Outbox) {
  const log = pino({ level: "silent" });
  const accounts = createAccounts();
  const feed = createFeed({
    ...{ pool, log, accounts, shards: new Map([[0, holdEndpoints(heldShard())]]), keyring: noKeys },
    recorder: createRecorder({ pool, log, failingLimitMs: 1, onBatch: () => {}, onFenced: () => {} }),
    sender: { schedule: () => {}, resume: () => {}, resumeRested: () => {} },
  });
  return { ...feed, held: () => accounts.all.notifications.held };
}

/** @returns which statements were sent since the last call */
function spyOnStatements(): () => string[] {
  const query = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => query.mockRestore());
  return () => query.mock.calls.splice(0).flatMap(([statement]) => (statement as { name?: string }).name ?? []);
}

const inShard0 = (webhooks: readonly OutboxWebhook[]) => webhooks.map((webhook) => ({ ...webhook, shard: 0 }));

test("a round reports whether it left something for lack of room", async () => {
  const outbox = await openOutbox();
  onTestFinished(outbox.close);
  const webhooks = await Promise.all(Array.from({ length: 150 }, () => outbox.addWebhook("https://example.com/")));
  await outbox.pool.query("UPDATE webhooks SET shard = 0");
  const feed = feedOf(outbox);
  expect(await feed.round()).toBe("nothing");

  await outbox.append(inShard0(webhooks), 16);
  let left = await feed.round();
  while (left === "more") left = await feed.round();
  expect(left).toBe("full");
  expect(feed.quietMs()).toBe(0);
});

test("the first notifications of what was announced are read with the heads, and the rest by pages", async () => {
  const outbox = await openOutbox();
  onTestFinished(outbox.close);
  const added = await Promise.all(Array.from({ length: 10 }, () => outbox.addWebhook("https://example.com/")));
  await outbox.pool.query("UPDATE webhooks SET shard = 0");
  const webhooks = inShard0(added);
  const feed = feedOf(outbox);
  expect(await feed.round()).toBe("nothing");
  const statements = spyOnStatements();
  const look = async () => [
    await feed.round(),
    feed.held(),
    ...statements().filter((name) => /^read-(heads|stream|event-texts)/.test(name)),
  ];

  await outbox.append(webhooks, 2);
  feed.expect();
  expect(await look()).toEqual(["nothing", 20, "read-heads"]);
  expect(await look()).toEqual(["nothing", 20, "read-heads"]);
  await outbox.append(webhooks, 1);
  expect(await look()).toEqual(["nothing", 30, "read-heads", "read-stream", "read-event-texts"]);
  await outbox.append(webhooks, 6);
  feed.expect();
  expect(await look()).toEqual(["more", 80, "read-heads"]);
  feed.expect();
  expect(await look()).toEqual(["nothing", 90, "read-heads", "read-stream", "read-event-texts"]);
  // A long text is read by itself.
  await outbox.append(webhooks, 1, `"${"x".repeat(70_000)}"`);
  feed.expect();
  expect(await look()).toEqual(["nothing", 100, "read-heads", "read-event-texts"]);
  // What was read behind a COMMIT is not read again.
  await inTransaction(outbox.pool, async (_, commit) =>
    commit([], async (db) => expect(await feed.readBehindCommit(db)).toBe(true)),
  );
  expect(await look()).toEqual(["nothing", 100, "read-heads"]);
});

test("a feed is quiet until the first retry of an active webhook is due", async () => {
  const outbox = await openOutbox();
  onTestFinished(outbox.close);
  const { pool } = outbox;
  await outbox.addWebhook("https://example.com/", 0);
  const paused = await outbox.addWebhook("https://example.com/", 0);
  await pool.query("UPDATE webhooks SET status = 'inactive' WHERE id = $1", [paused.id]);
  const retry = (dueIn: string, status: string) =>
    pool.query(
      `INSERT INTO retries (shard, account_id, webhook_id, sequence, recorded_on, attempts, due_at)
       SELECT 0, account_id, id, (SELECT count(*) FROM retries), now(), 1, now() + $1::interval FROM webhooks WHERE status = $2`,
      [dueIn, status],
    );
  const quietMs = async () => {
    // A new one, whose first look is not too early.
    const feed = feedOf(outbox);
    expect(await feed.round()).toBe("nothing");
    return feed.quietMs();
  };
  expect(await quietMs()).toBe(Number.POSITIVE_INFINITY);
  await retry("1 minute", "inactive");
  expect(await quietMs()).toBe(Number.POSITIVE_INFINITY);
  await retry("3 hours", "active");
  await retry("2 hours", "active");
  expect(await quietMs()).toBeGreaterThan(3_600_000);
  expect(await quietMs()).toBeLessThanOrEqual(7_200_000);
});
