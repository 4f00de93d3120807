/**
 * A snapshot is held open for minutes under load, so that nothing that was updated or deleted meanwhile can be cleaned away.
 * `SNAPSHOT_SECONDS=600 npm run test:more delivery` holds it longer.
 */
import { Client } from "pg";
import { expect, test } from "vitest";
import { countDuplicates, keepAppending, openScene } from "./scene.ts";

const seconds = Number(process.env.SNAPSHOT_SECONDS ?? 100);

test("everything arrives once, and no lease is lost", async () => {
  const scene = await openScene(50);
  const { outbox, receiver, allDelivered } = scene;
  // Every tenth is refused once, so that the retries' table is in use.
  receiver.answer = ({ sequence, notification }, response) => {
    const isFirst =
      receiver.deliveries.filter((other) => other.notification.messageId === notification.messageId).length === 1;
    response.writeHead(sequence % 10 === 0 && isFirst ? 503 : 204, { "retry-after": "0" }).end();
  };
  outbox.deliver({ leaseSeconds: 30 });
  const makeDue = setInterval(
    () => void outbox.pool.query("UPDATE retries SET due_at = now()").catch(() => undefined),
    1_000,
  );
  const stopAppending = keepAppending(scene, 100);
  const epochs = async () =>
    (await outbox.pool.query("SELECT key, epoch FROM leases WHERE kind = 'shard' ORDER BY key")).rows;
  await receiver.waitFor(100);
  const before = await epochs();
  const reader = new Client({ connectionString: outbox.databaseUrl });
  await reader.connect();
  await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await reader.query("SELECT count(*) FROM attempts");
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  expect(await epochs()).toEqual(before);
  await reader.query("ROLLBACK");
  await reader.end();
  clearInterval(makeDue);
  await stopAppending();
  await outbox.pool.query("UPDATE retries SET due_at = now()");
  expect(countDuplicates(await allDelivered())).toBe(0);
});
