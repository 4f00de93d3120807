/** The recorder alone: what it was given is on record, waits for the next batch, or was never this process's to write. */
import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createAccounts } from "../../server/delivery/accounts.ts";
import { Endpoint } from "../../server/delivery/endpoint/endpoint.ts";
import { firstAttempt } from "../../server/delivery/queued-notification.ts";
import { Recorder } from "../../server/delivery/recorder.ts";
import { finishedAttempts } from "../../server/delivery/send/attempt.ts";
import { cursorOf, type Shard } from "../../server/delivery/shard.ts";
import { eventually } from "../support/eventually.ts";
import { type Outbox, type OutboxWebhook, openOutbox, outboxChainId } from "../support/outbox.ts";
import { ownedShard, recordOf } from "./endpoint-scene.ts";

let outbox: Outbox;
let webhook: OutboxWebhook;
beforeAll(async () => {
  outbox = await openOutbox();
  webhook = await outbox.addWebhook("https://example.com/");
});
afterAll(() => outbox.close());

const owner = randomUUID();
const setOwner = (owner: string) =>
  outbox.pool.query(
    "UPDATE leases SET owner = $1, epoch = 1, expires_at = now() + interval '1 hour' WHERE kind = 'shard'",
    [owner],
  );
beforeEach(() => setOwner(owner));

/** A recorder, the webhook's endpoint in a shard that this process owns, and a way to have one more notification answered. */
function openScene() {
  const lost = new AbortController();
  const free = ownedShard();
  const shard: Shard = {
    ...free,
    id: webhook.shard,
    lease: { ...free.lease, key: String(webhook.shard), owner, lost: lost.signal },
  };
  const accounts = createAccounts();
  const endpoint = new Endpoint(
    recordOf({ webhookId: webhook.id, shard: shard.id, chainId: outboxChainId }),
    shard,
    accounts.of(1),
  );
  const [warn, onBatch, onFenced] = [vi.fn(), vi.fn(), vi.fn()];
  const log = Object.assign(pino({ level: "silent" }), { warn });
  const recorder = new Recorder({ pool: outbox.pool, log, failingLimitMs: 1, onBatch, onFenced });
  async function answerNext() {
    await outbox.append([webhook]);
    const { rows } = await outbox.pool.query<{ sequence: number; position: number; recordedOn: string }>(
      `SELECT sequence, position, recorded_on AS "recordedOn" FROM notifications WHERE webhook_id = $1 ORDER BY sequence DESC LIMIT 1`,
      [webhook.id],
    );
    const [row] = rows;
    if (!row) throw new Error("nothing was appended");
    const entry = cursorOf(shard, outboxChainId).add(row);
    const notification = firstAttempt(
      { ...row, webhookId: webhook.id, shard: shard.id, messageId: "", eventId: 1, recordedAtMs: 0 },
      "{}",
      { from: "outbox", entry },
    );
    endpoint.enqueue(notification);
    const sent = { endpoint, notifications: endpoint.begin(), at: performance.now() };
    const outcome = { status: 204, durationMs: 1 };
    const attempts = finishedAttempts(sent, outcome, { now: Date.now, pausesMs: [] });
    endpoint.finish(outcome, endpoint.target.url, attempts.rows);
    recorder.add(attempts);
    return { entry, ...row };
  }
  const unrecorded = () => accounts.all.unrecorded.used;
  const flush = () => recorder.flush(shard, new Map([[webhook.id, endpoint]]));
  return { shard, answerNext, unrecorded, flush, lost, warn, onFenced };
}

const attempted = async (sequence: number) =>
  (await outbox.attempts(webhook)).filter((attempt) => attempt.sequence === sequence).length;

test("what the database does not take waits for the next batch, and a flush waits until it is on record", async () => {
  const { shard, answerNext, unrecorded, flush, warn } = openScene();
  await outbox.pool.query("ALTER TABLE attempts RENAME TO elsewhere");
  const first = await answerNext();
  await eventually(() => expect(warn).toHaveBeenCalled());
  let isFlushed = false;
  const flushed = flush().then(() => {
    isFlushed = true;
  });
  const second = await answerNext();
  expect([unrecorded(), first.entry.done, isFlushed]).toEqual([2, false, false]);

  await outbox.pool.query("ALTER TABLE elsewhere RENAME TO attempts");
  await flushed;
  expect([unrecorded(), first.entry.done, second.entry.done]).toEqual([0, true, true]);
  expect([await attempted(first.sequence), await attempted(second.sequence)]).toEqual([1, 1]);
  const { rows } = await outbox.pool.query("SELECT position FROM delivery_cursors WHERE shard = $1", [shard.id]);
  expect(rows).toEqual([{ position: second.position }]);
});

test("a flush ends with the lease, and what was not on record by then is never written", async () => {
  const { answerNext, unrecorded, flush, lost, warn } = openScene();
  await outbox.pool.query("ALTER TABLE attempts RENAME TO elsewhere");
  const { sequence, entry } = await answerNext();
  await eventually(() => expect(warn).toHaveBeenCalled());
  const flushed = flush();
  lost.abort();
  await flushed;
  await outbox.pool.query("ALTER TABLE elsewhere RENAME TO attempts");
  await eventually(() => expect(unrecorded()).toBe(0));
  expect([entry.done, await attempted(sequence)]).toEqual([false, 0]);
});

test("attempts of a shard that another process owns stay unsettled, and the lease is checked", async () => {
  const { shard, answerNext, onFenced } = openScene();
  await setOwner(randomUUID());
  const { sequence, entry } = await answerNext();
  await eventually(() => expect(onFenced).toHaveBeenCalledTimes(1));
  expect([entry.done, await attempted(sequence)]).toEqual([false, 0]);
  expect(cursorOf(shard, outboxChainId).advance()).toBe(false);
});
