/** One more attempt besides the schedule, also while another attempt is in flight. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type NewAttempt, writeAttempts } from "../../server/store/delivery/results.ts";
import { shardOf } from "../../server/store/delivery/shards.ts";
import { requestResends } from "../../server/store/outbox/resends.ts";
import { type Api, newWebhook, startApi } from "../support/api.ts";
import { attempt, record } from "../support/sent.ts";

const owner = "0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21";
let api: Api;
let id: string;
let recordedOn: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  id = (await api.call("POST", "/v1/webhooks", { body: newWebhook() })).body.id;
  await api.pool.query("UPDATE leases SET owner = $1, epoch = 1 WHERE kind = 'shard'", [owner]);
  await record(api.pool, id, 1);
  recordedOn = (await api.pool.query("SELECT recorded_on FROM notifications WHERE webhook_id = $1", [id])).rows[0]
    .recorded_on;
});

const resend = () => requestResends(api.pool, { id, shard: shardOf(id) }, "resend", [{ recordedOn, sequence: 1 }]);

async function write(result: Partial<NewAttempt>): Promise<void> {
  const shard = shardOf(id);
  const outcome = {
    sentAt: performance.now(),
    durationMs: 1,
    responseStatus: 500,
    responseBody: null,
    errorClass: "bad_status",
  };
  const whole = { recordedOn, shard, webhookId: id, sequence: 1, trigger: "schedule" as const, retryInMs: null };
  await writeAttempts(api.pool, { owner, leases: [{ key: String(shard), epoch: 1 }] }, [
    { ...whole, ...outcome, number: 2, step: 2, ...result },
  ]);
}
const succeeded = { errorClass: null, responseStatus: 204 };

async function row(): Promise<Record<string, unknown> | undefined> {
  const { rows } = await api.pool.query(
    `SELECT attempts, step, extra, delivered, due_at <= now() AS due, resume_at > now() AS "resumesLater",
       due_at > now() AS "dueLater" FROM retries WHERE webhook_id = $1`,
    [id],
  );
  return rows[0];
}

test("requested while a scheduled attempt is in flight that fails, it is still made, and then the schedule continues", async () => {
  await attempt(api.pool, id, [1], "failed");
  await resend();
  await write({ number: 2, step: 2, retryInMs: 60_000 });
  expect(await row()).toMatchObject({ attempts: 2, step: 2, extra: "resend", due: true, resumesLater: true });
  await write({ number: 3, step: 2, trigger: "resend" });
  expect(await row()).toMatchObject({ attempts: 3, step: 2, extra: null, dueLater: true, resumesLater: null });
});

test("requested while a scheduled attempt is in flight that succeeds, it is still made, and ends there", async () => {
  await attempt(api.pool, id, [1], "failed");
  await resend();
  await write({ number: 2, ...succeeded });
  expect(await row()).toMatchObject({ attempts: 2, extra: "resend", delivered: true, due: true });
  await write({ number: 3, trigger: "resend" });
  expect(await row()).toBeUndefined();
});

test("writing the same result twice is harmless", async () => {
  await attempt(api.pool, id, [1], "failed");
  await resend();
  for (let n = 0; n < 2; n++) await write({ number: 2, step: 1, trigger: "resend" });
  expect(await row()).toMatchObject({ attempts: 2, step: 1, extra: null, dueLater: true });
  const attempts = await api.pool.query("SELECT number, trigger FROM attempts WHERE webhook_id = $1 ORDER BY number", [
    id,
  ]);
  expect(attempts.rows).toEqual([
    { number: 1, trigger: "schedule" },
    { number: 2, trigger: "resend" },
  ]);
});

test("requested twice before it is made, it is one attempt; a permanently failed notification stays failed", async () => {
  await attempt(api.pool, id, [1], "failed for good");
  await resend();
  await resend();
  expect(await row()).toMatchObject({ attempts: 1, extra: "resend", due: true, resumesLater: null });
  await write({ number: 2, step: 1, trigger: "resend" });
  expect(await row()).toMatchObject({ attempts: 2, extra: null, due: null });
});
