/** What a round of the feed says is left decides how soon the next one is. */
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createAccounts } from "../../server/delivery/account.ts";
import { holdEndpoints } from "../../server/delivery/endpoints.ts";
import { createFeed } from "../../server/delivery/feed.ts";
import { createRecorder } from "../../server/delivery/recorder.ts";
import { noKeys } from "../../server/store/webhooks/keyring.ts";
import { type Outbox, openOutbox } from "../support/outbox.ts";
import { heldShard } from "./endpoint-scene.ts";

/** A feed of shard 0, from which nobody takes what is read. */
function feedOf({ pool }: Outbox) {
  const log = pino({ level: "silent" });
  return createFeed({
    ...{ pool, log, accounts: createAccounts(), shards: new Map([[0, holdEndpoints(heldShard())]]), keyring: noKeys },
    recorder: createRecorder({ pool, log, failingLimitMs: 1, onBatch: () => {}, onFenced: () => {} }),
    sender: { schedule: () => {}, resume: () => {}, resumeRested: () => {} },
  });
}

test("a round reports whether it left something for lack of room", async () => {
  const outbox = await openOutbox();
  onTestFinished(outbox.close);
  const webhooks = await Promise.all(Array.from({ length: 150 }, () => outbox.addWebhook("https://example.com/")));
  await outbox.pool.query("UPDATE webhooks SET shard = 0");
  const feed = feedOf(outbox);
  expect(await feed.round()).toBe("nothing");

  await outbox.append(
    webhooks.map((webhook) => ({ ...webhook, shard: 0 })),
    16,
  );
  let left = await feed.round();
  while (left === "more") left = await feed.round();
  expect(left).toBe("full");
  expect(feed.quietMs()).toBe(0);
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
