/** A webhook without a URL: its notifications pass through delivery without an attempt, and hold up nobody. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { readDeliveryFigures } from "../../server/store/delivery/figures.ts";
import { countPending } from "../../server/store/moves/plan.ts";
import { maintain } from "../../server/store/outbox/retention.ts";
import { eventually } from "../support/eventually.ts";
import { type Outbox, openOutbox } from "../support/outbox.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

let outbox: Outbox;
let receiver: Receiver;
beforeAll(async () => {
  [outbox, receiver] = await Promise.all([openOutbox(), startReceiver()]);
});
afterAll(async () => {
  await outbox.close();
  await receiver.close();
});

test("nothing is sent of it, and nothing of it waits, is late or has failed", async () => {
  const { pool } = outbox;
  const read = await outbox.addWebhook(undefined);
  // In the same shard, so that it waits if the other does.
  const sent = await outbox.addWebhook(receiver.url, read.shard);
  await outbox.append([read, sent], 40);
  expect(await countPending(pool, read.accountId)).toBe(40);
  const first = outbox.deliver();
  await receiver.waitFor(40);
  await outbox.append([read], 40);
  await outbox.append([sent], 1);
  await receiver.waitFor(41);
  await eventually(async () => {
    const figures = await readDeliveryFigures(pool);
    expect(Object.values(figures).map(({ count }) => count)).toEqual([0, 0, 0, 0]);
  });
  // Nor does the next owner of the shard find anything.
  await first.stop();
  outbox.deliver();
  await outbox.append([read, sent], 1);
  await receiver.waitFor(42);
  const { rows } = await pool.query("SELECT DISTINCT webhook_id FROM attempts");
  expect(rows).toEqual([{ webhook_id: sent.id }]);
  for (const table of ["retries", "endpoint_states", "passed_over"])
    expect((await pool.query(`SELECT FROM ${table} WHERE webhook_id = $1`, [read.id])).rowCount).toBe(0);
  expect(receiver.deliveries.length).toBe(42);
  await eventually(async () => expect(await countPending(pool, read.accountId)).toBe(0));
  await maintain(pool, 30, () => expect.unreachable());
  const kept = await pool.query("SELECT FROM notifications WHERE webhook_id = $1", [read.id]);
  expect(kept.rowCount).toBe(81);
});
