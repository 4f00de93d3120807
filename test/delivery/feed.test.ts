/** What a round of the feed says is left decides how soon the next one is. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { createAccounts } from "../../server/delivery/account.ts";
import { holdEndpoints } from "../../server/delivery/endpoints.ts";
import { createFeed } from "../../server/delivery/feed.ts";
import { createRecorder } from "../../server/delivery/recorder.ts";
import { lockChainExclusively } from "../../server/store/chains/lock.ts";
import { type Appended, appendNotifications } from "../../server/store/outbox/append.ts";
import { inTransaction, type Queryable } from "../../server/store/pool.ts";
import { noKeys } from "../../server/store/webhooks/keyring.ts";
import { lockWaits } from "../support/lock-waits.ts";
import { chainAt } from "../support/move-cursor.ts";
import { notificationsOf, type Outbox, type OutboxWebhook, openOutbox, outboxChainId } from "../support/outbox.ts";
import { startReceiver } from "../support/receiver.ts";
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

const committed = Promise.resolve();

/** What a transaction appended. */
const appended = (count: number, shards = [0]): Appended => ({
  ...{ chainId: outboxChainId, count },
  shards: new Set(shards),
});

/** @returns which statements were sent since the last call */
function spyOnStatements(): () => string[] {
  const query = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => query.mockRestore());
  return () => query.mock.calls.splice(0).flatMap(([statement]) => (statement as { name?: string }).name ?? []);
}

/** Long enough for a round to look for retries again. */
const betweenLooksMs = 500;

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
});

test("what was read behind a COMMIT is not read again, and only the next round takes it", async () => {
  const outbox = await openOutbox();
  onTestFinished(outbox.close);
  const webhook = await outbox.addWebhook("https://example.com/");
  await outbox.pool.query("UPDATE webhooks SET shard = 0");
  const webhooks = inShard0([webhook]);
  const feed = feedOf(outbox);
  const wasRead: boolean[] = [];
  const record = (meanwhile: () => Promise<unknown> = async () => undefined) =>
    new Promise<void>((resolve, reject) => {
      inTransaction(outbox.pool, async (db, commit) => {
        await lockChainExclusively(db, outboxChainId);
        await appendNotifications(db, outboxChainId, notificationsOf(webhooks, 3), (...last) =>
          commit(last, async (behind, committed) => {
            const reading = feed.readBehindCommit(behind, committed, appended(3));
            await meanwhile();
            wasRead.push(await reading);
            resolve();
          }),
        );
      }).catch(reject);
    });
  // Nothing was read to its end before the first round.
  await record();
  expect([await feed.round(), feed.held()]).toEqual(["nothing", 3]);
  await record();
  const statements = spyOnStatements();
  const heads = () => statements().filter((name) => /^read-(heads|newest|stream|event-texts)$/.test(name));
  expect([await feed.round(), feed.held(), ...heads()]).toEqual(["nothing", 6]);
  expect([await feed.round(), feed.held(), ...heads()]).toEqual(["nothing", 6, "read-heads"]);
  // A round that begins meanwhile waits for it.
  let round: Promise<unknown> | undefined;
  await record(async () => {
    round = feed.round();
  });
  expect([await round, feed.held(), ...heads()]).toEqual(["nothing", 9, "read-heads", "read-newest"]);
  // What was announced meanwhile may be newer.
  await record(async () => {
    feed.expect();
    round = feed.round();
  });
  await outbox.append(webhooks, 1);
  heads();
  expect([await round, feed.held(), ...heads()]).toEqual(["more", 12]);
  expect([await feed.round(), feed.held(), ...heads()]).toEqual(["nothing", 13, "read-heads", "read-newest"]);
  // Somebody else's, too: a round reads it.
  await outbox.append(webhooks, 1);
  await record();
  expect([await feed.round(), feed.held(), heads().includes("read-stream")]).toEqual(["nothing", 17, true]);
  expect(wasRead).toEqual([false, true, true, true, false]);
});

/** A connection whose statements wait until it is released. */
function heldConnection({ pool }: Outbox): { db: Queryable; release: () => void } {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const query = async (...statement: unknown[]) => {
    await released;
    return (pool.query as (...of: unknown[]) => Promise<unknown>)(...statement);
  };
  return { db: { query } as unknown as Queryable, release };
}

test("what a whole round has read while others read behind a COMMIT is not read again", async () => {
  const outbox = await openOutbox();
  onTestFinished(outbox.close);
  const webhook = await outbox.addWebhook("https://example.com/");
  await outbox.pool.query("UPDATE webhooks SET shard = 0");
  const webhooks = inShard0([webhook]);
  const feed = feedOf(outbox);
  await feed.round();
  const { db, release } = heldConnection(outbox);
  const reading = feed.readBehindCommit(db, committed, appended(1));
  // A second one would wait like the first, on another connection.
  expect(await feed.readBehindCommit(outbox.pool, committed, appended(0))).toBe(false);
  await outbox.append(webhooks, 1);
  await feed.round();
  await outbox.append(webhooks, 1);
  release();
  expect([await reading, feed.held()]).toEqual([false, 1]);
  await feed.round();
  expect(feed.held()).toBe(2);
  await outbox.append(webhooks, 1);
  expect([await feed.readBehindCommit(outbox.pool, committed, appended(1)), await feed.round(), feed.held()]).toEqual([
    true,
    "nothing",
    3,
  ]);
});

test("a round with what was read behind a COMMIT also reads what others recorded of other chains, announced or not", async () => {
  const outbox = await openOutbox();
  onTestFinished(outbox.close);
  await chainAt(outbox.pool, "1", 0);
  const webhooks = inShard0([await outbox.addWebhook("https://example.com/")]);
  await outbox.pool.query("UPDATE webhooks SET shard = 0");
  const feed = feedOf(outbox);
  await feed.round();
  await inTransaction(outbox.pool, async (db) => {
    await lockChainExclusively(db, "1");
    await appendNotifications(db, "1", notificationsOf(webhooks, 2));
  });
  await outbox.append(webhooks, 1);
  expect([await feed.readBehindCommit(outbox.pool, committed, appended(1)), await feed.round(), feed.held()]).toEqual([
    true,
    "nothing",
    3,
  ]);
});

test("what was read behind a COMMIT that failed is not taken, since somebody else may have appended as much", async () => {
  const outbox = await openOutbox();
  onTestFinished(outbox.close);
  const webhook = await outbox.addWebhook("https://example.com/");
  await outbox.pool.query("UPDATE webhooks SET shard = 0");
  const feed = feedOf(outbox);
  await feed.round();
  await outbox.append(inShard0([webhook]), 1);
  const failed = Promise.reject(new Error("no commit"));
  await expect(feed.readBehindCommit(outbox.pool, failed, appended(1))).rejects.toThrow("no commit");
  const statements = spyOnStatements();
  expect([await feed.round(), feed.held(), statements()[0]]).toEqual(["nothing", 1, "read-heads"]);
});

test("what cannot be read behind a COMMIT is logged, unless the COMMIT failed, and a round reads it", async () => {
  const [outbox, receiver] = await Promise.all([openOutbox(), startReceiver()]);
  onTestFinished(async () => {
    await outbox.close();
    await receiver.close();
  });
  const webhook = await outbox.addWebhook(receiver.url);
  const warn = vi.fn();
  const delivery = outbox.deliver({ log: Object.assign(pino({ level: "silent" }), { warn }) });
  await outbox.append([webhook], 1);
  await receiver.waitFor(1);
  const broken = { query: () => Promise.reject(new Error("no such connection")) } as unknown as Queryable;
  // It is read only between rounds.
  await vi.waitFor(() =>
    expect(delivery.readBehindCommit(broken, Promise.resolve(), appended(1))).rejects.toThrow("connection"),
  );
  expect(warn.mock.calls).toEqual([[expect.anything(), expect.stringContaining("behind their COMMIT")]]);
  const failed = Promise.reject(new Error("no commit"));
  await vi.waitFor(() => expect(delivery.readBehindCommit(broken, failed, appended(1))).rejects.toThrow("no commit"));
  expect(warn).toHaveBeenCalledTimes(1);
  await outbox.append([webhook], 1);
  await receiver.waitFor(2);
});

test("nothing is read behind a COMMIT during a round, since the next one begins later", async () => {
  const outbox = await openOutbox();
  onTestFinished(outbox.close);
  const feed = feedOf(outbox);
  await feed.round();
  await sleep(betweenLooksMs);
  let wasRead: boolean | undefined;
  await inTransaction(outbox.pool, async (db) => {
    await db.query("LOCK TABLE retries");
    const round = feed.round();
    await vi.waitFor(async () => expect(await lockWaits(outbox.pool)).toHaveLength(1));
    wasRead = await feed.readBehindCommit(outbox.pool, committed, appended(0));
    await db.query("COMMIT");
    await round;
  });
  expect(wasRead).toBe(false);
  expect(await feed.readBehindCommit(outbox.pool, committed, appended(0))).toBe(true);
});

test("nothing is read behind a COMMIT after a round that failed, since the next one begins later", async () => {
  const outbox = await openOutbox();
  onTestFinished(outbox.close);
  const feed = feedOf(outbox);
  await feed.round();
  await outbox.pool.query("ALTER TABLE retries RENAME TO elsewhere");
  await sleep(betweenLooksMs);
  await expect(feed.round()).rejects.toThrow("retries");
  expect(await feed.readBehindCommit(outbox.pool, committed, appended(0))).toBe(false);
  await outbox.pool.query("ALTER TABLE elsewhere RENAME TO retries");
  await feed.round();
  expect(await feed.readBehindCommit(outbox.pool, committed, appended(0))).toBe(true);
});

test("an account with enough to send gets no more with what was announced, and others do", async () => {
  const outbox = await openOutbox();
  onTestFinished(outbox.close);
  const busy = await Promise.all(Array.from({ length: 52 }, () => outbox.addWebhook("https://example.com/")));
  const spare = await outbox.addWebhook("https://example.com/");
  const other = await outbox.addWebhook("https://example.com/", undefined, await outbox.addAccount());
  await outbox.pool.query("UPDATE webhooks SET shard = 0");
  const feed = feedOf(outbox);
  await feed.round();
  await outbox.append(inShard0(busy), 20);
  let left = await feed.round();
  while (left === "more") left = await feed.round();
  expect([left, feed.held()]).toEqual(["nothing", 1_040]);
  await outbox.append(inShard0([spare, other]), 1);
  feed.expect();
  await feed.round();
  await feed.round();
  expect(feed.held()).toBe(1_041);
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
