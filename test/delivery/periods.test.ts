/** The periods that an operator sets, as an endpoint and its webhook's owner see them. */

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type Outbox, openOutbox } from "../support/outbox.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

let outbox: Outbox;
let receiver: Receiver;
beforeAll(async () => {
  [outbox, receiver] = await Promise.all([openOutbox(), startReceiver()]);
});
afterAll(async () => {
  await receiver.close();
  await outbox.close();
});

/** Delivers with these periods for this test. */
function deliver(periods: Parameters<Outbox["deliver"]>[0]): void {
  const delivery = outbox.deliver(periods);
  onTestFinished(() => delivery.stop());
}

test("an attempt waits as long as the time-out, and there is one attempt more than pauses", async () => {
  receiver.answer = () => {};
  deliver({ timeoutMs: 300, retryPausesMs: [200, 400] });
  const webhook = await outbox.addWebhook(`${receiver.url}/hangs`);
  await outbox.append([webhook]);
  await eventually(async () => expect(await outbox.attempts(webhook)).toHaveLength(3));
  const attempts = await outbox.attempts(webhook);
  for (const { error, durationMs } of attempts) {
    expect(error).toBe("timeout");
    expect(durationMs).toBeGreaterThanOrEqual(295);
    expect(durationMs).toBeLessThan(30_000);
  }
  const at = receiver.deliveries.filter(({ path }) => path === "/hangs").map(({ receivedAt }) => receivedAt);
  expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(300 + 180);
  expect((at[2] ?? 0) - (at[1] ?? 0)).toBeGreaterThanOrEqual(300 + 360);
  const { rows } = await outbox.pool.query("SELECT attempts, due_at FROM retries WHERE webhook_id = $1", [webhook.id]);
  expect(rows).toEqual([{ attempts: 3, due_at: null }]);
});

test("a webhook becomes inactive once every attempt failed for as many days as set", async () => {
  receiver.answer = (_, response) => void response.writeHead(500).end();
  deliver({ inactiveAfterDays: 2 });
  const webhook = await outbox.addWebhook(`${receiver.url}/fails`);
  const status = async () =>
    (await outbox.pool.query("SELECT status, status_reason FROM webhooks WHERE id = $1", [webhook.id])).rows[0];
  const failFor = (hours: number) =>
    outbox.pool.query(
      "UPDATE endpoint_states SET failing_since = now() - make_interval(hours => $2) WHERE webhook_id = $1",
      [webhook.id, hours],
    );
  await outbox.append([webhook]);
  await eventually(async () => expect((await failFor(47)).rowCount).toBe(1));
  await outbox.append([webhook]);
  await eventually(async () => expect(await outbox.attempts(webhook)).toHaveLength(2));
  expect(await status()).toEqual({ status: "active", status_reason: "created" });
  await failFor(49);
  await outbox.append([webhook]);
  await eventually(async () =>
    expect(await status()).toEqual({ status: "inactive", status_reason: "endpoint_failing" }),
  );
});
