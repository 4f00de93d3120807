/** What a process records itself it reads right after the COMMIT, for the next round: neither twice nor too early, and others' with it. */

import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { lockChainExclusively } from "../../server/store/chains/lock.ts";
import { type Appended, appendNotifications } from "../../server/store/outbox/append.ts";
import { inTransaction, type Queryable } from "../../server/store/pool.ts";
import { eventually } from "../support/eventually.ts";
import { lockWaits } from "../support/lock-waits.ts";
import { chainAt } from "../support/move-cursor.ts";
import { notificationsOf, type Outbox, openOutbox, outboxChainId } from "../support/outbox.ts";
import { startReceiver } from "../support/receiver.ts";
import { openFeed, spyOnStatements } from "./feed-scene.ts";

/** Long enough for a round to look for retries again. */
const betweenLooksMs = 500;

const committed = Promise.resolve();

/** What a transaction appended. */
const appended = (count: number, shards = [0]): Appended => ({
  ...{ chainId: outboxChainId, count },
  shards: new Set(shards),
});

/** A round waits some milliseconds for what is being read, which a busy machine may need for nothing. It waits for seconds here. */
function waitLonger(): void {
  const usual = setTimeout;
  vi.stubGlobal("setTimeout", (run: () => void, ms = 0) => usual(run, Math.min(ms * 1_000, 2 ** 31 - 1)));
  onTestFinished(() => void vi.unstubAllGlobals());
}

test("what was read after a COMMIT is not read again, and only the next round takes it", async () => {
  waitLonger();
  const { outbox, webhooks, feed, queued } = await openFeed();
  const wasRead: boolean[] = [];
  const record = (meanwhile: () => Promise<unknown> = async () => undefined) =>
    new Promise<void>((resolve, reject) => {
      inTransaction(outbox.pool, async (db, commit) => {
        await lockChainExclusively(db, outboxChainId);
        await appendNotifications(db, outboxChainId, notificationsOf(webhooks, 3), {
          onLastSent: (...last) =>
            commit(last, async (db, committed) => {
              const reading = feed.readAfterCommit(db, committed, appended(3));
              await meanwhile();
              wasRead.push(await reading);
              resolve();
            }),
        });
      }).catch(reject);
    });
  // Nothing was read to its end before the first round.
  await record();
  expect([await feed.round(), queued()]).toEqual(["nothing", 3]);
  await record();
  const statements = spyOnStatements();
  const heads = () => statements().filter((name) => /^read-(heads|newest|stream|event-texts)$/.test(name));
  expect([await feed.round(), queued(), ...heads()]).toEqual(["nothing", 6]);
  expect([await feed.round(), queued(), ...heads()]).toEqual(["nothing", 6, "read-heads"]);
  // A round that begins meanwhile waits for it.
  let round: Promise<unknown> | undefined;
  await record(async () => {
    round = feed.round();
  });
  expect([await round, queued(), ...heads()]).toEqual(["nothing", 9, "read-heads", "read-newest"]);
  // What was announced meanwhile may be newer.
  await record(async () => {
    feed.expect();
    round = feed.round();
  });
  await outbox.append(webhooks, 1);
  heads();
  expect([await round, queued(), ...heads()]).toEqual(["more", 12]);
  expect([await feed.round(), queued(), ...heads()]).toEqual(["nothing", 13, "read-heads", "read-newest"]);
  // Somebody else's, too: a round reads it.
  await outbox.append(webhooks, 1);
  await record();
  expect([await feed.round(), queued(), heads().includes("read-stream")]).toEqual(["nothing", 17, true]);
  expect(wasRead).toEqual([false, true, true, true, false]);
});

/** A connection whose statements wait until it is released. */
function pausedConnection({ pool }: Outbox): { db: Queryable; release: () => void } {
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

test("what a whole round has read while others read after a COMMIT is not read again", async () => {
  const { outbox, webhooks, feed, queued } = await openFeed();
  await feed.round();
  const { db, release } = pausedConnection(outbox);
  const reading = feed.readAfterCommit(db, committed, appended(1));
  // A second one would wait like the first, on another connection.
  expect(await feed.readAfterCommit(outbox.pool, committed, appended(0))).toBe(false);
  await outbox.append(webhooks, 1);
  await feed.round();
  await outbox.append(webhooks, 1);
  release();
  expect([await reading, queued()]).toEqual([false, 1]);
  await feed.round();
  expect(queued()).toBe(2);
  await outbox.append(webhooks, 1);
  expect([await feed.readAfterCommit(outbox.pool, committed, appended(1)), await feed.round(), queued()]).toEqual([
    true,
    "nothing",
    3,
  ]);
});

test("a round with what was read after a COMMIT also reads what others recorded of other chains, announced or not", async () => {
  const { outbox, webhooks, feed, queued } = await openFeed();
  await chainAt(outbox.pool, "1", 0);
  await feed.round();
  await inTransaction(outbox.pool, async (db) => {
    await lockChainExclusively(db, "1");
    await appendNotifications(db, "1", notificationsOf(webhooks, 2));
  });
  await outbox.append(webhooks, 1);
  expect([await feed.readAfterCommit(outbox.pool, committed, appended(1)), await feed.round(), queued()]).toEqual([
    true,
    "nothing",
    3,
  ]);
});

test("what was read after a COMMIT that failed is not taken, since somebody else may have appended as much", async () => {
  const { outbox, webhooks, feed, queued } = await openFeed();
  await feed.round();
  await outbox.append(webhooks, 1);
  const failed = Promise.reject(new Error("no commit"));
  await expect(feed.readAfterCommit(outbox.pool, failed, appended(1))).rejects.toThrow("no commit");
  const statements = spyOnStatements();
  expect([await feed.round(), queued(), statements()[0]]).toEqual(["nothing", 1, "read-heads"]);
});

test("what cannot be read after a COMMIT is logged, unless the COMMIT failed, and a round reads it", async () => {
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
  await eventually(() =>
    expect(delivery.readAfterCommit(broken, Promise.resolve(), appended(1))).rejects.toThrow("connection"),
  );
  expect(warn.mock.calls).toEqual([[expect.anything(), expect.stringContaining("after their COMMIT")]]);
  const failed = Promise.reject(new Error("no commit"));
  await eventually(() => expect(delivery.readAfterCommit(broken, failed, appended(1))).rejects.toThrow("no commit"));
  expect(warn).toHaveBeenCalledTimes(1);
  await outbox.append([webhook], 1);
  await receiver.waitFor(2);
});

test("what was read after a COMMIT and waits for its round is not replaced by what another one appended", async () => {
  const { outbox, webhooks, feed, queued } = await openFeed();
  await chainAt(outbox.pool, "1", 0);
  await feed.round();
  await outbox.append(webhooks, 1);
  expect(await feed.readAfterCommit(outbox.pool, committed, appended(1))).toBe(true);
  const ofAnother = { chainId: "1", count: 0, shards: new Set([0]) };
  expect(await feed.readAfterCommit(outbox.pool, committed, ofAnother)).toBe(false);
  const statements = spyOnStatements();
  expect([await feed.round(), queued(), statements().includes("read-heads")]).toEqual(["nothing", 1, false]);
});

test("nothing is read after a COMMIT during a round, since the next one begins later", async () => {
  const { outbox, feed } = await openFeed();
  await feed.round();
  await sleep(betweenLooksMs);
  let wasRead: boolean | undefined;
  await inTransaction(outbox.pool, async (db) => {
    await db.query("LOCK TABLE retries");
    const round = feed.round();
    await eventually(async () => expect(await lockWaits(outbox.pool)).toHaveLength(1));
    wasRead = await feed.readAfterCommit(outbox.pool, committed, appended(0));
    await db.query("COMMIT");
    await round;
  });
  expect(wasRead).toBe(false);
  expect(await feed.readAfterCommit(outbox.pool, committed, appended(0))).toBe(true);
});

test("nothing is read after a COMMIT after a round that failed, since the next one begins later", async () => {
  const { outbox, feed } = await openFeed();
  await feed.round();
  await outbox.pool.query("ALTER TABLE retries RENAME TO elsewhere");
  await sleep(betweenLooksMs);
  await expect(feed.round()).rejects.toThrow("retries");
  expect(await feed.readAfterCommit(outbox.pool, committed, appended(0))).toBe(false);
  await outbox.pool.query("ALTER TABLE elsewhere RENAME TO retries");
  await feed.round();
  expect(await feed.readAfterCommit(outbox.pool, committed, appended(0))).toBe(true);
});
