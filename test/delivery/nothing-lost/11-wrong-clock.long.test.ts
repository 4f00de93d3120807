/** The sender's clock is an hour off: leases, due times and signatures are the database's to tell. */

import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openScene } from "./scene.ts";

const hourMs = 3_600_000;

test.each([
  { clock: "ahead", offMs: hourMs },
  { clock: "behind", offMs: -hourMs },
])("$clock: every time is as if it was right", async ({ offMs }) => {
  const { outbox, receiver, webhooks, startSender, allDelivered } = await openScene(4);
  const [plain, dated] = webhooks;
  // Ten seconds is the schedule's own; a date says by whose clock it is read.
  receiver.answer = ({ path }, response) => {
    const inFifteenSeconds = new Date(Date.now() + 15_000).toUTCString();
    response.writeHead(503, path === "/1" ? { "retry-after": inFifteenSeconds } : {}).end();
  };
  const sender = await startSender({ preload: "shifted-clock.mjs", env: { CLOCK_OFF_MS: String(offMs) } });
  expect(Math.abs(Date.parse(String(sender.logged[0]?.time)) - Date.now() - offMs)).toBeLessThan(60_000);
  const right = await startSender();
  await eventually(async () => {
    const { rows } = await outbox.pool.query<{ owners: number; seconds: number }>(
      `SELECT count(DISTINCT owner) AS owners, max(extract(epoch FROM expires_at - clock_timestamp()))::float8 AS seconds
       FROM leases WHERE kind = 'shard'`,
    );
    expect(rows[0]?.owners).toBe(2);
    expect(rows[0]?.seconds).toBeLessThanOrEqual(2);
  });
  right.signal("SIGTERM");
  await right.ended;

  await outbox.append(webhooks);
  const inSeconds = await eventually(async () => {
    const { rows } = await outbox.pool.query<{ id: string; inSeconds: number; ageSeconds: number }>(
      `SELECT r.webhook_id AS id, extract(epoch FROM due_at - sent_at)::float8 AS "inSeconds",
         extract(epoch FROM clock_timestamp() - sent_at)::float8 AS "ageSeconds"
       FROM retries r JOIN attempts a USING (webhook_id, sequence)`,
    );
    expect(rows.length).toBe(4);
    for (const { ageSeconds } of rows) expect(Math.abs(ageSeconds)).toBeLessThan(20);
    return new Map(rows.map(({ id, inSeconds }) => [id, inSeconds]));
  });
  expect(inSeconds.get(plain?.id ?? "")).toBeGreaterThan(8.9);
  expect(inSeconds.get(plain?.id ?? "")).toBeLessThan(60);
  expect(inSeconds.get(dated?.id ?? "")).toBeGreaterThan(12);
  expect(inSeconds.get(dated?.id ?? "")).toBeLessThan(60);
  for (const { headers, rawBody, notification } of receiver.deliveries) {
    const { secret } = webhooks.find(({ id }) => id === notification.webhookId) ?? {};
    // It refuses what is more than five minutes old or ahead.
    new Webhook(secret?.toString("base64") ?? "").verify(rawBody, headers as Record<string, string>);
  }

  receiver.answer = (_, response) => response.writeHead(204).end();
  await outbox.pool.query("UPDATE retries SET due_at = now()");
  await allDelivered();
  expect(receiver.deliveries.length).toBe(8);
});
