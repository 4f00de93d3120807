/** The sender is killed while exchanges are in flight: those are repeated, and no others. */

import { expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { duplicatesIn } from "../../support/ledger.ts";
import { openScene } from "./scene.ts";

const leaseMs = 2_000;

test("requests in flight are repeated within a lease's time under the same messageId, the rest is sent once", async () => {
  const { outbox, receiver, webhooks, startSender, ledger, allDelivered } = await openScene(20);
  const address = "127.0.0.2";
  // Long enough that something is always in flight when it is killed.
  receiver.answer = ({ from }, response) =>
    void setTimeout(() => response.writeHead(204).end(), from === address ? 1_000 : 5);
  const victim = await startSender({ preload: "from-address.mjs", env: { FROM_ADDRESS: address } });
  // It waits until the lease ends, as another process of the same service would.
  await startSender();
  await eventually(async () => {
    const { rows } = await outbox.pool.query("SELECT DISTINCT owner FROM leases WHERE kind = 'shard'");
    expect(rows.length).toBe(2);
  });
  await outbox.append(webhooks, 30);
  await receiver.waitFor(2, ({ from }) => from === address);
  // Just renewed: so it lasts as long as it can.
  const lease = "SELECT max(expires_at)::text AS at FROM leases WHERE kind = 'shard'";
  const { rows } = await outbox.pool.query<{ at: string }>(lease);
  await eventually(async () => expect((await outbox.pool.query(lease)).rows).not.toEqual(rows));
  victim.signal("SIGKILL");
  await victim.ended;
  const killedAt = performance.now();
  const atDeath = await ledger();
  const after = await allDelivered();
  const repeated = [...duplicatesIn(after).keys()];
  expect(repeated.length).toBeGreaterThan(0);
  expect(repeated.filter((id) => atDeath.delivered.has(id))).toEqual([]);
  const sendersOf = (id: string) =>
    receiver.deliveries.filter(({ headers }) => headers["webhook-id"] === id).map(({ from }) => from === address);
  for (const id of repeated) expect(sendersOf(id)).toEqual([true, false]);
  const again = receiver.deliveries.filter(
    ({ headers, receivedAt }) => repeated.includes(String(headers["webhook-id"])) && receivedAt > killedAt,
  );
  const latest = Math.max(...again.map(({ receivedAt }) => receivedAt));
  // The lease's end is the database's to tell. What may come on top is a look and an exchange, on a machine that does much else.
  expect(latest - killedAt).toBeLessThan(leaseMs + 30_000);
});
