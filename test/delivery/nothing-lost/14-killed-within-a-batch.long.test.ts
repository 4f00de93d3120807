/** The sender is killed while batches are in flight: each is sent again whole, and no notification is lost. */

import { expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { notificationsIn } from "../hooks.ts";
import { openScene } from "./scene.ts";

test("what was in flight comes again, each notification under its messageId, and everything is delivered", async () => {
  const { outbox, receiver, startSender } = await openScene(0);
  const options = { batch: { maxItems: 20, maxWaitMs: 100 } };
  const webhooks = await Promise.all(
    Array.from({ length: 5 }, (_, index) =>
      outbox.addWebhook(`${receiver.url}/${index}`, undefined, undefined, options),
    ),
  );
  let isHanging = false;
  receiver.answer = (_, response) => {
    if (!isHanging) response.writeHead(204).end();
  };
  const victim = await startSender();
  const recorded = new Set(await outbox.append(webhooks, 10));
  await eventually(() => expect(receiver.deliveries.flatMap(notificationsIn)).toHaveLength(recorded.size));
  isHanging = true;
  const before = receiver.deliveries.length;
  for (const id of await outbox.append(webhooks, 60)) recorded.add(id);
  // More than one batch.
  await eventually(() => expect(receiver.deliveries.length).toBeGreaterThan(before + 1));
  victim.signal("SIGKILL");
  await victim.ended;
  const unanswered = receiver.deliveries.slice(before).flatMap(notificationsIn);
  expect(unanswered.length).toBeGreaterThan(20);
  isHanging = false;
  const sentAgain = receiver.deliveries.length;

  await startSender();
  const arrived = () =>
    new Set(
      receiver.deliveries
        .filter(({ answered }) => answered === 204)
        .flatMap(notificationsIn)
        .map((n) => n.messageId),
    );
  await eventually(() => expect(arrived()).toEqual(recorded));
  await eventually(async () => expect(await outbox.unattempted()).toBe(0));
  const again = new Set(
    receiver.deliveries
      .slice(sentAgain)
      .flatMap(notificationsIn)
      .map((n) => n.messageId),
  );
  for (const { messageId } of unanswered) expect(again).toContain(messageId);
  const { rows } = await outbox.pool.query("SELECT DISTINCT number, error_class FROM attempts");
  expect(rows).toEqual([{ number: 1, error_class: null }]);
});
