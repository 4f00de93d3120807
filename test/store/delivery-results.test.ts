/** What a delivery process writes takes effect under its lease only, and once, however often it is written. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isBadInput, type NewAttempt, writeAttempts } from "../../server/store/delivery/results.ts";
import type { Fence } from "../../server/store/delivery/shards.ts";
import { deactivate, writeEndpointStates, writeShardCursors } from "../../server/store/delivery/state.ts";
import { claimLeases, type OwnedLease } from "../../server/store/leases.ts";
import { type Outbox, type OutboxWebhook, openOutbox } from "../support/outbox.ts";
import { runs } from "../support/runs.ts";

let outbox: Outbox;
let webhook: OutboxWebhook;
let recordedOn: string;
let fence: Fence;
const keys = Array.from({ length: 32 }, (_, shard) => String(shard));
beforeAll(async () => {
  outbox = await openOutbox();
});
afterAll(() => outbox.close());
beforeEach(async () => {
  webhook = await outbox.addWebhook("http://127.0.0.1/");
  await outbox.append([webhook], 3);
  const { rows } = await outbox.pool.query<{ recorded_on: string }>(
    "SELECT max(recorded_on) AS recorded_on FROM notifications",
  );
  recordedOn = rows[0]?.recorded_on ?? "";
  await outbox.pool.query("UPDATE leases SET owner = NULL");
  fence = await claim();
});

async function claim(owner: string = randomUUID(), owned: readonly OwnedLease[] = []): Promise<Fence> {
  await outbox.pool.query("DELETE FROM lease_members");
  const options = { kind: "shard", keys, owned, owner, seconds: 60, take: true };
  const { taken, renewed } = await claimLeases(outbox.pool, options, 5_000);
  return { owner, leases: [...renewed, ...taken] };
}

const result = (changes: Partial<NewAttempt> = {}): NewAttempt => ({
  recordedOn,
  shard: webhook.shard,
  webhookId: webhook.id,
  sequence: 1,
  number: 1,
  trigger: "schedule",
  step: changes.number ?? 1,
  sentAt: performance.now(),
  durationMs: 40,
  responseStatus: 204,
  responseBody: null,
  errorClass: null,
  retryInMs: null,
  ...changes,
});
const failure = (changes: Partial<NewAttempt> = {}) =>
  result({ responseStatus: 500, errorClass: "bad_status", retryInMs: 10_000, ...changes });

const rowsOf = async (table: string) =>
  (await outbox.pool.query(`SELECT * FROM ${table} WHERE webhook_id = $1`, [webhook.id])).rows;
const steal = () =>
  outbox.pool.query("UPDATE leases SET epoch = epoch + 1 WHERE kind = 'shard' AND key = $1", [String(webhook.shard)]);

test("under its lease everything is written, and the shards are returned", async () => {
  const held = await writeAttempts(outbox.pool, fence, [result(), failure({ sequence: 2 })]);
  expect(held.size).toBe(32);
  expect((await outbox.attempts(webhook)).map(({ error }) => error)).toEqual([null, "bad_status"]);
  expect(await rowsOf("retries")).toMatchObject([{ sequence: 2, attempts: 1, account_id: webhook.accountId }]);
});

test("under a lost lease nothing is written", async () => {
  await steal();
  const { id: webhookId, shard } = webhook;
  const held = await writeAttempts(outbox.pool, fence, [result(), failure({ sequence: 2 })]);
  expect([held.size, held.has(shard)]).toEqual([31, false]);
  await writeEndpointStates(outbox.pool, fence, [{ shard, webhookId, backlogFrom: 2, failing: true }]);
  const cursor = { shard, chainId: "43112", position: 1_000_000, recordedOn };
  await writeShardCursors(outbox.pool, fence, [cursor]);
  const gone = [{ webhookId, url: "http://127.0.0.1/" }];
  expect(await deactivate(outbox.pool, fence, { gone, failing: [], failingLimitMs: 1 })).toEqual([]);
  for (const table of ["attempts", "retries", "endpoint_states"]) expect(await rowsOf(table)).toEqual([]);
  const { rows } = await outbox.pool.query("SELECT FROM delivery_cursors WHERE position = 1000000");
  expect(rows).toEqual([]);
});

test("the epoch counts, not the owner alone", async () => {
  const again = await claim(fence.owner, []);
  expect((await writeAttempts(outbox.pool, fence, [result()])).size).toBe(0);
  expect((await writeAttempts(outbox.pool, again, [result()])).size).toBe(32);
});

test("written again, after an answer of the database that never came, nothing is different", async () => {
  await writeAttempts(outbox.pool, fence, [failure(), result({ sequence: 2 })]);
  await writeAttempts(outbox.pool, fence, [failure(), result({ sequence: 2 })]);
  expect((await outbox.attempts(webhook)).map(({ sequence, number }) => [sequence, number])).toEqual([
    [1, 1],
    [2, 1],
  ]);
  expect(await rowsOf("retries")).toMatchObject([{ sequence: 1, attempts: 1 }]);
  await writeAttempts(outbox.pool, fence, [result({ number: 2 })]);
  expect(await rowsOf("retries")).toEqual([]);
});

test("the rest of a partly recorded batch is written", async () => {
  await writeAttempts(outbox.pool, fence, [result({ sequence: 2, responseStatus: 200 })]);
  const again = [result(), result({ sequence: 2, responseStatus: 201 }), result({ sequence: 3 })];
  expect((await writeAttempts(outbox.pool, fence, again)).size).toBe(32);
  expect((await outbox.attempts(webhook)).map(({ sequence, status }) => [sequence, status])).toEqual([
    [1, 204],
    [2, 200],
    [3, 204],
  ]);
});

test("a late copy of a failure, after a later attempt has succeeded, changes nothing", async () => {
  await writeAttempts(outbox.pool, fence, [failure()]);
  await writeAttempts(outbox.pool, fence, [result({ number: 2 })]);
  await writeAttempts(outbox.pool, fence, [failure()]);
  expect(await rowsOf("retries")).toEqual([]);
});

test("the time of failing is kept while it lasts, and nothing is kept of an endpoint without anything special", async () => {
  const { id: webhookId, shard } = webhook;
  const note = (backlogFrom: number | null, failing: boolean) =>
    writeEndpointStates(outbox.pool, fence, [{ shard, webhookId, backlogFrom, failing }]);
  await note(null, true);
  const [first] = await rowsOf("endpoint_states");
  await note(2, true);
  expect(await rowsOf("endpoint_states")).toEqual([{ ...first, backlog_from: 2 }]);
  await note(2, false);
  expect(await rowsOf("endpoint_states")).toMatchObject([{ backlog_from: 2, failing_since: null }]);
  await note(null, false);
  expect(await rowsOf("endpoint_states")).toEqual([]);
});

test("values that the database will never accept differ from those it may accept later", async () => {
  const failing = (changes: Partial<NewAttempt>) =>
    writeAttempts(outbox.pool, fence, [failure(changes)]).catch((e) => e);
  expect(isBadInput(await failing({ recordedOn: "2001-01-01" }))).toBe(true);
  expect(isBadInput(await failing({ responseBody: "a\0b" }))).toBe(true);
  expect(isBadInput(await writeAttempts(outbox.pool, fence, [failure(), failure()]).catch((e) => e))).toBe(true);
  expect(isBadInput(await outbox.pool.query("SELECT pg_terminate_backend(pg_backend_pid())").catch((e) => e))).toBe(
    false,
  );
  expect(isBadInput(new Error("connect ECONNREFUSED"))).toBe(false);
});

test("renewing leases and writing under them do not lock each other up", async () => {
  const reversed = { ...fence, leases: fence.leases.toReversed() };
  const times = runs(15, 60);
  const writes = async () => {
    for (let i = 0; i < times; i += 1) await writeAttempts(outbox.pool, i % 2 ? fence : reversed, [result()]);
  };
  const claims = async () => {
    for (let i = 0; i < times; i += 1) await claim(fence.owner, i % 2 ? fence.leases : reversed.leases);
  };
  await Promise.all([writes(), writes(), claims(), claims()]);
});
