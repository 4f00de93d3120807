/** The sender is killed when the receiver has answered 200 and the record of it is on its way to the database. */

import { expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { duplicatesIn } from "../../support/ledger.ts";
import { startWire } from "../../support/wire.ts";
import { openScene } from "./scene.ts";

test.each([
  { what: "a first attempt", statuses: [200] },
  { what: "a retry", statuses: [500, 200] },
])("exactly one duplicate of $what, and the attempts are numbered without a gap", async ({ statuses }) => {
  const { outbox, receiver, webhooks, startSender, allDelivered } = await openScene(1);
  const wire = await startWire(outbox.databaseUrl);
  const answers = [...statuses];
  receiver.answer = (_, response) => {
    const status = answers.shift() ?? 204;
    if (status === 200) wire.hold();
    response.writeHead(status).end();
  };
  const victim = await startSender({ databaseUrl: wire.url });
  await outbox.append(webhooks);
  if (statuses.length > 1) {
    const makeDue = "UPDATE retries SET due_at = now()";
    await eventually(async () => expect((await outbox.pool.query(makeDue)).rowCount).toBe(1));
  }
  await eventually(() => expect(wire.held()).toMatch(/write-results|INTO attempts/));
  victim.signal("SIGKILL");
  await victim.ended;
  await wire.close();

  await startSender();
  const after = await allDelivered();
  expect([...duplicatesIn(after).values()]).toEqual([1]);
  expect([...after.attempts.values()]).toEqual([statuses.map((_, index) => index + 1)]);
  const [webhook] = webhooks;
  expect(webhook && (await outbox.attempts(webhook)).map(({ status }) => status)).toEqual(
    statuses.map((status) => (status === 200 ? 204 : status)),
  );
});
