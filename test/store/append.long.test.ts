/** Notifications are appended whole, in order, and each with its event, however many there are. */
import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { lockChainExclusively } from "../../server/store/chains/lock.ts";
import { appendAllButLast, appendNotifications, type NewNotification } from "../../server/store/outbox/append.ts";
import { inTransaction, openTransaction, type Pool, type Queryable } from "../../server/store/pool.ts";
import { notificationsOf, openOutbox, outboxChainId } from "../support/outbox.ts";

async function openWebhooks(count: number) {
  const outbox = await openOutbox();
  onTestFinished(() => outbox.close());
  return {
    pool: outbox.pool,
    webhooks: await Promise.all(Array.from({ length: count }, () => outbox.addWebhook("http://127.0.0.1/"))),
  };
}

const append = (pool: Pool, notifications: readonly NewNotification[]) =>
  inTransaction(pool, async (db) => {
    await lockChainExclusively(db, outboxChainId);
    await appendNotifications(db, outboxChainId, notifications);
  });

async function recorded(pool: Pool) {
  const { rows } = await pool.query(
    `SELECT n.position, n.sequence, n.webhook_id AS "webhookId", n.message_id AS "messageId", e.body, e.transaction_hash AS hash
     FROM notifications n JOIN events e ON e.recorded_on = n.recorded_on AND e.id = n.event_id ORDER BY n.position`,
  );
  return rows;
}

test("what takes several statements has positions and sequences without a gap, and shares its events", async () => {
  const { pool, webhooks } = await openWebhooks(3);
  const texts = Array.from({ length: 4_000 }, (_, n) => `{"n":"${n} ${"ü".repeat(n % 7)}"}`);
  const events = texts.flatMap((body) => notificationsOf(webhooks, 1, body));
  // One webhook after the other, so that events are shared over statements.
  const ordered = webhooks.flatMap(({ id }) => events.filter(({ webhookId }) => webhookId === id));
  await append(pool, events.slice(0, 3));
  await append(pool, ordered.slice(0, 11_000));
  const rows = await recorded(pool);
  const expected = [...events.slice(0, 3), ...ordered.slice(0, 11_000)];
  expect(rows.map(({ position }) => position)).toEqual(expected.map((_, index) => index + 1));
  expect(rows.map(({ messageId }) => messageId)).toEqual(expected.map(({ messageId }) => messageId));
  expect(rows.map(({ body }) => body)).toEqual(expected.map(({ event }) => event.body));
  expect(rows.map(({ hash }) => `0x${hash.toString("hex")}`)).toEqual(
    expected.map(({ event }) => event.transactionHash),
  );
  for (const { id } of webhooks) {
    const sequences = rows.filter(({ webhookId }) => webhookId === id).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  }
  const { rows: stored } = await pool.query("SELECT count(*) AS events FROM events");
  expect(stored).toEqual([{ events: 1 + 4_000 }]);
});

test("a transaction whose last of several statements shares a round trip with COMMIT has all of them", async () => {
  const { pool, webhooks } = await openWebhooks(1);
  const many = Array.from({ length: 12_000 }, (_, n) => n).flatMap((n) =>
    notificationsOf(webhooks, 1, `{"n":${n % 2}}`),
  );
  for (const notifications of [[], many.slice(0, 3), many.slice(3)]) {
    const opening = (db: Queryable) => lockChainExclusively(db, outboxChainId);
    await openTransaction(pool, opening, async (db) => {
      const appendLast = await appendAllButLast(db, outboxChainId, notifications);
      return { result: undefined, sendLast: () => [appendLast()] };
    });
  }
  expect((await recorded(pool)).map(({ messageId }) => messageId)).toEqual(many.map(({ messageId }) => messageId));
});

test("no statement has more than 32 million characters of text, unless one event has", async () => {
  const { pool, webhooks } = await openWebhooks(1);
  const texts = [13, 13, 13, 40, 1].map((millions) => `"${"x".repeat(millions * 1_000_000)}"`);
  const sent: number[] = [];
  await inTransaction(pool, async (db) => {
    await lockChainExclusively(db, outboxChainId);
    const query = (statement: { values: unknown[] }) => {
      sent.push(statement.values.find(Buffer.isBuffer)?.length ?? 0);
      return db.query(statement as never);
    };
    const notifications = texts.flatMap((body) => notificationsOf(webhooks, 1, body));
    await appendNotifications({ query } as unknown as Queryable, outboxChainId, notifications);
  });
  expect(sent.map((bytes) => Math.floor(bytes / 1_000_000))).toEqual([26, 13, 40, 1]);
  expect((await recorded(pool)).map(({ body }) => body.length)).toEqual(texts.map(({ length }) => length));
});

test("for a webhook or a chain that is not there, nothing is recorded", async () => {
  const { pool, webhooks } = await openWebhooks(2);
  const stranger = { ...webhooks[1], id: randomUUID() } as (typeof webhooks)[number];
  const mixed = notificationsOf([...webhooks, stranger], 2);
  await expect(append(pool, mixed)).rejects.toThrow(/sequence/);
  const elsewhere = inTransaction(pool, (db) => appendNotifications(db, "99", notificationsOf(webhooks, 1)));
  await expect(elsewhere).rejects.toThrow("chain 99 has no row");
  expect(await recorded(pool)).toEqual([]);
  await append(pool, notificationsOf(webhooks, 1));
  expect((await recorded(pool)).map(({ position, sequence }) => [position, sequence])).toEqual([
    [1, 1],
    [2, 1],
  ]);
});
