/** Rows that are committed late, under lower numbers than others that have been sent: none is passed over. */

import { expect, test } from "vitest";
import { lockChainExclusively } from "../../../server/store/chains/lock.ts";
import { appendNotifications } from "../../../server/store/outbox/append.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import { eventually } from "../../support/eventually.ts";
import { chainAt } from "../../support/move-cursor.ts";
import { notificationsOf, outboxChainId } from "../../support/outbox.ts";
import { openScene } from "./scene.ts";

const otherChainId = "43113";

test("another chain's, which share the shard and the numbers of events", async () => {
  const { outbox, receiver, webhooks, allDelivered } = await openScene(1);
  const [late] = webhooks;
  if (!late) throw new Error("no webhook");
  const quick = await outbox.addWebhook(`${receiver.url}/quick`, late.shard);
  await chainAt(outbox.pool, otherChainId, 0);
  await outbox.pool.query("UPDATE webhooks SET chain_id = $1 WHERE id = $2", [otherChainId, late.id]);
  outbox.deliver();
  await inTransaction(outbox.pool, async (db) => {
    await lockChainExclusively(db, otherChainId);
    await appendNotifications(db, otherChainId, notificationsOf([late], 20));
    // Its events have the lower numbers; these are read, sent and put behind the cursor before it commits.
    await outbox.append([quick], 20);
    await eventually(async () => expect((await outbox.attempts(quick)).length).toBe(20));
    await outbox.atRest();
  });
  const { rows } = await outbox.pool.query<{ chain: string; last: number }>(
    "SELECT chain_id AS chain, max(id) AS last FROM events GROUP BY 1 ORDER BY 2",
  );
  expect(rows.map(({ chain }) => chain)).toEqual([otherChainId, outboxChainId]);
  await allDelivered();
  expect(receiver.deliveries.length).toBe(40);
});

test("the same chain's are committed in the order of their positions, however long one of them takes", async () => {
  const { outbox, receiver, webhooks, allDelivered } = await openScene(2);
  const [slow, quick] = webhooks;
  if (!slow || !quick) throw new Error("no webhooks");
  outbox.deliver();
  let appended = false;
  const waiting = await inTransaction(outbox.pool, async (db) => {
    await lockChainExclusively(db, outboxChainId);
    await appendNotifications(db, outboxChainId, notificationsOf([slow], 5));
    const later = outbox.append([quick], 5).then(() => {
      appended = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([appended, receiver.deliveries.length]).toEqual([false, 0]);
    return { later };
  });
  await waiting.later;
  await allDelivered();
  expect(receiver.deliveries.length).toBe(10);
});

test("a reader whose snapshot stays open sees none of it and delays nothing", async () => {
  const { outbox, webhooks, allDelivered } = await openScene(5);
  outbox.deliver();
  await outbox.append(webhooks, 5);
  await allDelivered();
  const reader = await outbox.pool.connect();
  const count = async () => (await reader.query<{ count: number }>("SELECT count(*) FROM attempts")).rows[0]?.count;
  await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  expect(await count()).toBe(25);
  for (let round = 0; round < 20; round += 1) await outbox.append(webhooks, 2);
  await allDelivered();
  await outbox.atRest();
  expect(await count()).toBe(25);
  await reader.query("ROLLBACK");
  reader.release();
});
