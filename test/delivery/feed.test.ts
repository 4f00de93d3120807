/** What a round of the feed says is left decides how soon the next one is. */
import { expect, onTestFinished, test } from "vitest";
import { openOutbox } from "../support/outbox.ts";
import { feedOf, inShard0, openFeed, spyOnStatements } from "./feed-scene.ts";

test("a round reports whether it left something for lack of room", async () => {
  const { outbox, webhooks, feed } = await openFeed(150);
  expect(await feed.round()).toBe("nothing");

  await outbox.append(webhooks, 16);
  let left = await feed.round();
  while (left === "more") left = await feed.round();
  expect(left).toBe("full");
  expect(feed.quietMs()).toBe(0);
});

test("the first notifications of what was announced are read with the heads, and the rest by pages", async () => {
  const { outbox, webhooks, feed, queued } = await openFeed(10);
  expect(await feed.round()).toBe("nothing");
  const statements = spyOnStatements();
  const look = async () => [
    await feed.round(),
    queued(),
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
});

test("behind many notifications of other processes' shards, the next one is found in the next round", async () => {
  const { outbox, webhooks, feed, queued } = await openFeed(1);
  const elsewhere = await outbox.addWebhook("https://example.com/", 1);
  await feed.round();
  await outbox.append([elsewhere], 1_000);
  await outbox.append(webhooks, 1);
  feed.expect();
  expect([await feed.round(), queued()]).toEqual(["more", 0]);
  expect([await feed.round(), queued()]).toEqual(["nothing", 1]);
});

test("an account with enough to send gets no more with what was announced, and others do", async () => {
  const outbox = await openOutbox();
  onTestFinished(outbox.close);
  const busy = await Promise.all(Array.from({ length: 52 }, () => outbox.addWebhook("https://example.com/")));
  const spare = await outbox.addWebhook("https://example.com/");
  const other = await outbox.addWebhook("https://example.com/", undefined, await outbox.addAccount());
  await outbox.pool.query("UPDATE webhooks SET shard = 0");
  const { feed, queued } = feedOf(outbox);
  await feed.round();
  await outbox.append(inShard0(busy), 20);
  let left = await feed.round();
  while (left === "more") left = await feed.round();
  expect([left, queued()]).toEqual(["nothing", 1_040]);
  await outbox.append(inShard0([spare, other]), 1);
  feed.expect();
  await feed.round();
  await feed.round();
  expect(queued()).toBe(1_041);
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
    const { feed } = feedOf(outbox);
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
