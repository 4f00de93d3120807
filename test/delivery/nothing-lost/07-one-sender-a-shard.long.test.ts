/** Processes that know of one another only by the database never send for one shard at the same time. */

import { expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import type { Delivered } from "../../support/receiver.ts";
import { startWire } from "../../support/wire.ts";
import { keepAppending, openScene, type Scene } from "./scene.ts";

/** Each process sends from a loopback address of its own, as Linux has millions of. */
const from = (address: string) => ({ preload: "from-address.mjs", env: { FROM_ADDRESS: address } });
const [here, there] = ["127.0.0.2", "127.0.0.3"];

/** Exchanges of one shard by different processes that were in flight at the same time. */
function overlaps({ webhooks, receiver }: Scene): string[] {
  const shardOf = new Map(webhooks.map(({ id, shard }) => [id, shard]));
  const latest = new Map<number, Map<string, Delivered>>();
  const found: string[] = [];
  for (const delivered of receiver.deliveries) {
    const shard = shardOf.get(delivered.notification.webhookId) ?? -1;
    const bySender = latest.get(shard) ?? new Map<string, Delivered>();
    latest.set(shard, bySender);
    for (const [sender, { endedAt = Number.POSITIVE_INFINITY }] of bySender) {
      const lateMs = endedAt - delivered.receivedAt;
      if (sender !== delivered.from && lateMs > 0) found.push(`shard ${shard}: ${lateMs} ms`);
    }
    const before = bySender.get(delivered.from)?.endedAt ?? 0;
    const { endedAt = Number.POSITIVE_INFINITY } = delivered;
    if (endedAt > before) bySender.set(delivered.from, delivered);
  }
  return found;
}

test("not while they join and leave under load", async () => {
  const scene = await openScene(40);
  const { receiver, startSender, allDelivered } = scene;
  receiver.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), 30);
  await startSender(from(here));
  const stopAppending = keepAppending(scene, 50);
  const second = await startSender(from(there));
  await receiver.waitFor(100, (delivered) => delivered.from === there);
  second.signal("SIGTERM");
  await second.ended;
  await startSender(from(there));
  const before = receiver.deliveries.length;
  await receiver.waitFor(100, (delivered) => delivered.from === there && receiver.deliveries.length > before + 200);
  await stopAppending();
  await allDelivered();
  expect(overlaps(scene)).toEqual([]);
  // Each messageId once: they left in order.
  expect(receiver.deliveries.length).toBe(
    new Set(receiver.deliveries.map(({ headers }) => headers["webhook-id"])).size,
  );
});

test("not when one of them has lost the database and still reaches the endpoints", async () => {
  const scene = await openScene(40);
  const { outbox, webhooks, receiver, startSender, allDelivered } = scene;
  const wire = await startWire(outbox.databaseUrl);
  // The tenth of it that is left for cutting off is longer than a busy machine keeps a process waiting.
  const slowly = ({ env, preload }: ReturnType<typeof from>) => ({ preload, env: { ...env, LEASE_SECONDS: "4" } });
  await startSender({ ...slowly(from(here)), databaseUrl: wire.url });
  await startSender(slowly(from(there)));
  await eventually(async () => {
    const { rows } = await outbox.pool.query("SELECT DISTINCT owner FROM leases WHERE kind = 'shard'");
    expect(rows.length).toBe(2);
  });
  // To one process, for longer than the lease. Whatever is in flight when the lease ends is cut off.
  receiver.answer = (delivered, response) =>
    void setTimeout(() => response.writeHead(204).end(), delivered.from === here ? 8_000 : 0);
  await outbox.append(webhooks, 3);
  await receiver.waitFor(20, (delivered) => delivered.from === here);
  wire.silence();
  await allDelivered();
  expect(overlaps(scene)).toEqual([]);
  await eventually(() => expect(receiver.deliveries.filter(({ endedAt }) => endedAt === undefined)).toEqual([]));
  expect(receiver.deliveries.filter((delivered) => delivered.from === here && delivered.answered).length).toBe(0);
  await wire.close();
});
