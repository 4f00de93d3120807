/** Results that the database will not take, and clocks that are wrong. */

import type { ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type Outbox, openOutbox } from "../support/outbox.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

let outbox: Outbox;
let receiver: Receiver;
beforeEach(async () => {
  [outbox, receiver] = await Promise.all([openOutbox(), startReceiver()]);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await receiver.close();
  await outbox.close();
});

test("a result whose day was dropped delays no other", async () => {
  const [doomed, other] = [await outbox.addWebhook(`${receiver.url}/doomed`), await outbox.addWebhook(receiver.url)];
  await outbox.append([doomed]);
  // Moved to the day before. Its partitions exist, and are dropped while the exchange is in flight.
  for (const table of ["notifications", "events"])
    await outbox.pool.query(`UPDATE ${table} SET recorded_on = recorded_on - 1`);
  const { rows } = await outbox.pool.query<{ day: string }>(
    "SELECT to_char(recorded_on, 'YYYYMMDD') AS day FROM notifications",
  );
  const responses: ServerResponse[] = [];
  receiver.answer = (_, response) => void responses.push(response);
  outbox.deliver();
  await receiver.waitFor(1);
  for (const table of ["attempts", "notifications", "events"])
    await outbox.pool.query(`DROP TABLE ${table}_${rows[0]?.day}`);
  await outbox.append([other], 2);
  await receiver.waitFor(3);
  for (const response of responses) response.writeHead(204).end();
  await eventually(async () => expect((await outbox.attempts(other)).length).toBe(2));
  await outbox.atRest();
});

test("only the database's clock decides about due times, timestamps and the end of secrets", async () => {
  const { now } = Date;
  vi.spyOn(Date, "now").mockImplementation(() => now() + 7_200_000);
  receiver.answer = (_, response) =>
    response.writeHead(503, { "retry-after": new Date(now() + 15_000).toUTCString() }).end();
  const webhook = await outbox.addWebhook(receiver.url);
  await outbox.pool.query(
    "INSERT INTO webhook_secrets (webhook_id, secret, expires_at) VALUES ($1, 'before', now() + interval '1 hour')",
    [webhook.id],
  );
  outbox.deliver();
  await outbox.append([webhook]);
  const [delivered] = await receiver.waitFor(1);
  const timestamp = Number(delivered?.headers["webhook-timestamp"]);
  expect(Math.abs(timestamp - now() / 1000)).toBeLessThan(60);
  expect(String(delivered?.headers["webhook-signature"]).split(" ").length).toBe(2);
  vi.restoreAllMocks();
  const verify = new Webhook(webhook.secret.toString("base64"));
  verify.verify(delivered?.rawBody ?? "", delivered?.headers as Record<string, string>);
  await eventually(async () => {
    const { rows } = await outbox.pool.query<{ seconds: number }>(
      "SELECT extract(epoch FROM due_at - sent_at)::float8 AS seconds FROM retries JOIN attempts USING (webhook_id, sequence)",
    );
    expect(rows[0]?.seconds).toBeGreaterThan(12);
    expect(rows[0]?.seconds).toBeLessThan(60);
  });
});

test("under load results are recorded in few batches, and none is left when a process ends", async () => {
  const webhooks = await Promise.all(Array.from({ length: 20 }, () => outbox.addWebhook(receiver.url)));
  await outbox.append(webhooks, 20);
  const queries = vi.spyOn(outbox.pool, "query");
  const begunAt: number[] = [];
  queries.mockImplementation(function (this: Outbox["pool"], ...of: unknown[]) {
    if ((of[0] as { name?: string }).name === "write-results") begunAt.push(performance.now());
    return Reflect.apply(Object.getPrototypeOf(this).query, this, of);
  });
  const delivery = outbox.deliver();
  await receiver.waitFor(400);
  const pauses = begunAt.slice(1).map((at, index) => at - (begunAt[index] ?? 0));
  const median = pauses.sort((a, b) => a - b)[pauses.length >> 1] ?? Number.POSITIVE_INFINITY;
  await delivery.stop();
  expect(median).toBeGreaterThan(30);
  expect(await outbox.unattempted()).toBe(0);
});
