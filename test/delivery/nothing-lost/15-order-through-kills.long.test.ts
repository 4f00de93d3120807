/** Ordered webhooks while senders are killed again and again, and endpoints fail: nothing is lost, and the order holds. */

import { expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import type { OutboxWebhook } from "../../support/outbox.ts";
import { seeded } from "../../support/seeded.ts";
import { notificationsIn } from "../hooks.ts";
import { openScene } from "./scene.ts";

const env = { RETRY_SCHEDULE: Array.from({ length: 30 }, () => "1s").join(",") };

test("each notification comes for the first time after all before it were accepted", async () => {
  const { outbox, receiver, startSender } = await openScene(0);
  const random = seeded(7);
  const add = (index: number, options: object) =>
    outbox.addWebhook(`${receiver.url}/${index}`, undefined, undefined, { ordered: true, ...options });
  const webhooks = await Promise.all([
    ...[0, 1, 2].map((index) => add(index, {})),
    ...[3, 4, 5].map((index) => add(index, { batch: { maxItems: 7, maxWaitMs: 20 } })),
  ]);
  receiver.answer = (_, response) => {
    const chance = random(100) / 100;
    if (chance < 0.1) response.destroy();
    else setTimeout(() => response.writeHead(chance < 0.25 ? 500 : 204).end(), random(10));
  };
  const ids = new Map(webhooks.map(({ id }) => [id, [] as string[]]));
  const append = async (count: number) => {
    const appended = await outbox.append(webhooks, count);
    // One for each webhook in turn.
    for (const [index, id] of appended.entries()) ids.get(webhooks[index % webhooks.length]?.id ?? "")?.push(id);
  };
  await append(10);
  for (let round = 0; round < 3; round += 1) {
    const sender = await startSender({ env });
    const before = receiver.deliveries.length;
    await append(10);
    await receiver.waitFor(before + 25);
    sender.signal("SIGKILL");
    await sender.ended;
  }
  await startSender({ env });
  await eventually(() => {
    for (const webhook of webhooks) expect(acceptedOf(webhook).size).toBe(40);
  });
  for (const webhook of webhooks) expectOrder(webhook);

  function postsOf({ id }: OutboxWebhook) {
    const path = `/${webhooks.findIndex((webhook) => webhook.id === id)}`;
    return receiver.deliveries.filter((delivered) => delivered.path === path);
  }
  function acceptedOf(webhook: OutboxWebhook): Set<string> {
    const posts = postsOf(webhook).filter(({ answered }) => answered === 204);
    return new Set(posts.flatMap(notificationsIn).map(({ messageId }) => messageId));
  }
  function expectOrder(webhook: OutboxWebhook): void {
    const order = ids.get(webhook.id) ?? [];
    const accepted = new Set<string>();
    for (const post of postsOf(webhook)) {
      const sent = notificationsIn(post).map(({ messageId }) => messageId);
      for (const id of sent)
        if (!accepted.has(id))
          for (const before of order.slice(0, order.indexOf(id)))
            expect(accepted.has(before) || sent.includes(before), `${order.indexOf(id)} came too early`).toBe(true);
      if (post.answered === 204) for (const id of sent) accepted.add(id);
    }
  }
});
