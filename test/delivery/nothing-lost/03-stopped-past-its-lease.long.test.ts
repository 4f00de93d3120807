/** An owner that stalls past its lease, or whose write takes longer than the lease, no longer changes anything. */

import { expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { duplicatesIn } from "../../support/ledger.ts";
import { startWire } from "../../support/wire.ts";
import { openScene } from "./scene.ts";

const stateOf = "SELECT webhook_id, sequence, number, sent_at::text, response_status FROM attempts ORDER BY 1, 2, 3";

test("a process that is paused past its lease records no late result, and sends nothing of the shard", async () => {
  const { outbox, receiver, webhooks, startSender, allDelivered } = await openScene(4);
  const answers: (() => void)[] = [];
  receiver.answer = (_, response) => void answers.push(() => response.writeHead(500).end());
  const stopped = await startSender();
  await outbox.append(webhooks, 5);
  // Two at once to each new endpoint.
  await receiver.waitFor(8);
  stopped.signal("SIGSTOP");
  // These wait in its sockets, and would each be a failure to be recorded.
  for (const answer of answers) answer();
  receiver.answer = (_, response) => response.writeHead(204).end();
  await startSender();
  const before = await allDelivered();
  const { rows } = await outbox.pool.query(stateOf);
  const arrived = receiver.deliveries.length;
  stopped.signal("SIGCONT");
  await eventually(() => expect(stopped.logged.some(({ msg }) => msg === "a lease was lost")).toBe(true));
  // It lives, and may own other shards again.
  await outbox.append(webhooks);
  const after = await allDelivered();
  expect((await outbox.pool.query(stateOf)).rows.filter((row) => Number(row.sequence) < 6)).toEqual(rows);
  expect(receiver.deliveries.length).toBe(arrived + webhooks.length);
  expect(duplicatesIn(after)).toEqual(duplicatesIn(before));
  expect(duplicatesIn(after).size).toBe(8);
  expect((await outbox.pool.query("SELECT FROM retries")).rowCount).toBe(0);
});

test("a write that reaches the database after another took over is void", async () => {
  const { outbox, receiver, webhooks, startSender, allDelivered } = await openScene(1);
  // Kept when the sender hangs up, like packets in flight.
  const wire = await startWire(outbox.databaseUrl, { keepOpen: true });
  receiver.answer = (_, response) => {
    wire.hold();
    response.writeHead(500).end();
  };
  await startSender({ databaseUrl: wire.url });
  await outbox.append(webhooks);
  await eventually(() => expect(wire.held()).toMatch(/write-results|INTO attempts/));
  receiver.answer = (_, response) => response.writeHead(204).end();
  await startSender();
  await allDelivered();
  const { rows } = await outbox.pool.query(stateOf);
  wire.release();
  // The next one that comes through shows that the late one was dealt with.
  await outbox.append(webhooks);
  await allDelivered();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect((await outbox.pool.query(stateOf)).rows[0]).toEqual(rows[0]);
  expect((await outbox.pool.query("SELECT FROM retries")).rowCount).toBe(0);
  await wire.close();
});
