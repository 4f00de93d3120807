/** A webhook whose owner limits its rate: it is never called faster, loses nothing, and holds up nobody. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "../../server/store/pool.ts";
import { updateWebhook } from "../../server/store/webhooks/changes.ts";
import { eventually } from "../support/eventually.ts";
import { type Outbox, type OutboxWebhook, openOutbox } from "../support/outbox.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { hooksAt, sequencesIn } from "./hooks.ts";

let outbox: Outbox;
let receiver: Receiver;
const hook = hooksAt(
  () => outbox,
  () => receiver,
);
beforeAll(async () => {
  [outbox, receiver] = await Promise.all([openOutbox(), startReceiver()]);
  outbox.deliver();
});
afterAll(async () => {
  await outbox.close();
  await receiver.close();
});

const limit = ({ id, accountId }: OutboxWebhook, maxPerSecond: number) =>
  inTransaction(outbox.pool, (db) => updateWebhook(db, accountId, id, { maxPerSecond }));

/** When attempts began, in ms since the epoch, in order. */
async function begunAt({ id }: OutboxWebhook): Promise<number[]> {
  const { rows } = await outbox.pool.query<{ at: number }>(
    "SELECT extract(epoch FROM sent_at)::float8 * 1000 AS at FROM attempts WHERE webhook_id = $1 ORDER BY sent_at",
    [id],
  );
  return rows.map(({ at }) => at);
}

test("no second has more than it allows, all arrive, and a webhook of the same account does not wait", async () => {
  const [slow, quick] = [await hook({}), await hook({})];
  await limit(slow, 5);
  await outbox.append([slow, quick], 20);
  await quick.arrived(20);
  expect((await begunAt(slow)).length).toBeLessThan(20);
  await slow.arrived(20);
  await eventually(async () => expect((await begunAt(slow)).length).toBe(20));
  const times = await begunAt(slow);
  // The clock of the records is not the one that counts.
  for (const [index, at] of times.entries()) if (index >= 5) expect(at - (times[index - 5] ?? 0)).toBeGreaterThan(990);
});

test("what it has had in this second counts after webhooks have changed, too", async () => {
  const slow = await hook({});
  await limit(slow, 1);
  for (let sent = 1; sent <= 3; sent += 1) {
    await outbox.append([slow], 1);
    await slow.arrived(sent);
    await sleep(300);
    await limit(slow, 1);
    await sleep(300);
  }
  await eventually(async () => expect((await begunAt(slow)).length).toBe(3));
  const times = await begunAt(slow);
  for (const [index, at] of times.entries()) if (index >= 1) expect(at - (times[index - 1] ?? 0)).toBeGreaterThan(990);
});

test("an ordered webhook keeps its order, and a limit that is taken away lets all of it go", async () => {
  const webhook = await hook({ ordered: true });
  await limit(webhook, 1);
  const ids = await outbox.append([webhook], 60);
  await webhook.arrived(2);
  await limit(webhook, 0);
  const posts = await webhook.arrived(60);
  expect(sequencesIn(posts, ids).flat()).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
});

test("retries that are due do not hold back what is new, however many they are", async () => {
  const webhook = await hook({});
  await outbox.append([webhook], 60);
  await eventually(async () => expect((await begunAt(webhook)).length).toBe(60));
  await limit(webhook, 10);
  await outbox.pool.query(
    `INSERT INTO retries (shard, account_id, webhook_id, sequence, recorded_on, due_at, attempts, step)
     SELECT shard, $2, webhook_id, sequence, recorded_on, now(), 1, 1 FROM notifications WHERE webhook_id = $1`,
    [webhook.id, webhook.accountId],
  );
  await webhook.arrived(75);
  const ids = await outbox.append([webhook], 5);
  const posts = await webhook.arrived(125);
  const places = sequencesIn(posts, ids).flatMap(([sequence = 0], place) => (sequence > 0 ? [place] : []));
  expect(places.length).toBe(5);
  expect(Math.max(...places)).toBeLessThan(110);
});
