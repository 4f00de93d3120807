/** What a delivery process reads: pages of bounded size, fair to every webhook. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DueRetry, readDueRetries } from "../../server/store/delivery/due-retries.ts";
import { readBacklogs, readHeads, readNewest, readOutbox } from "../../server/store/delivery/feed.ts";
import { readEventTexts } from "../../server/store/outbox/event-texts.ts";
import { type Outbox, type OutboxWebhook, openOutbox, outboxChainId } from "../support/outbox.ts";

let outbox: Outbox;
let webhooks: OutboxWebhook[];
beforeAll(async () => {
  outbox = await openOutbox();
  const first = await outbox.addWebhook("http://127.0.0.1/");
  webhooks = [first, ...(await Promise.all([1, 2, 3].map(() => outbox.addWebhook("http://127.0.0.1/", first.shard))))];
  webhooks.sort((a, b) => (a.id < b.id ? -1 : 1));
  await outbox.append(webhooks, 30);
});
afterAll(() => outbox.close());

const at = (index: number) => webhooks[index] ?? raise("no such webhook");
const raise = (message: string): never => {
  throw new Error(message);
};

test("a stream is read by position, up to where it was committed, a limited number at a time", async () => {
  const { shard } = at(0);
  const { positions, today } = await readHeads(outbox.pool, [shard]);
  expect(positions.get(outboxChainId)).toBe(120);
  const options = { since: today, recovering: false };
  const page = await readOutbox(outbox.pool, outboxChainId, [{ shard, position: 50, upTo: 100, limit: 40 }], options);
  expect(page.map(({ position }) => position)).toEqual(Array.from({ length: 40 }, (_, index) => 51 + index));
  const end = [{ shard, position: 90, upTo: 100, limit: 40 }];
  const rest = await readOutbox(outbox.pool, outboxChainId, end, options);
  expect(rest.length).toBe(10);
  const without = webhooks.slice(1).map(({ id }) => id);
  const ofOne = await readOutbox(outbox.pool, outboxChainId, end, { ...options, without });
  expect(ofOne).toEqual(rest.filter(({ webhookId }) => webhookId === at(0).id));
  expect(ofOne.length).toBeGreaterThan(1);
});

test("the newest are read with the heads: behind their places, with short texts, a limited number of each chain", async () => {
  const { shard } = at(0);
  const place = { chainId: outboxChainId, position: 116, since: "2020-01-01" };
  const from = { without: [], count: 3, among: 1_000, longest: 100 };
  const { heads, rows } = await readNewest(outbox.pool, [shard], { ...from, places: [place] });
  expect(heads).toEqual(await readHeads(outbox.pool, [shard]));
  expect(rows.map(({ chainId, position, text }) => [chainId, position, text])).toEqual(
    [117, 118, 119].map((position) => [outboxChainId, position, '{"transaction":{}}']),
  );
  const stream = await readOutbox(outbox.pool, outboxChainId, [{ ...place, shard, upTo: 119, limit: 3 }], {
    ...{ since: place.since, recovering: false },
  });
  expect(rows.map(({ text: _text, chainId: _chainId, ...row }) => row)).toEqual(stream);
  const other = (shard + 1) % 32;
  const positions = async (what: Partial<Parameters<typeof readNewest>[2]>, shards = [shard, other]) => {
    const read = await readNewest(outbox.pool, shards, { ...from, places: [place], ...what });
    return read.rows.map(({ position, text }) => (text === null ? `${position} without text` : position));
  };
  expect(await positions({ longest: 17 })).toEqual([117, 118, 119].map((position) => `${position} without text`));
  const [, ...others] = webhooks.map(({ id }) => id);
  expect(await positions({ without: others, count: 4 })).toHaveLength(1);
  expect(await positions({ places: [{ ...place, position: 120 }] })).toEqual([]);
  expect(await positions({ places: [{ ...place, chainId: "1" }] })).toEqual([]);
  expect(await positions({ among: 2 })).toEqual([117, 118]);
  expect(await positions({}, [other])).toEqual([]);
  expect(await positions({ places: [place, { ...place, chainId: "1" }] })).toEqual([117, 118, 119]);
});

test("a page of a backlog starts at its sequence, ends at a position, and marks notifications with attempts", async () => {
  const { id, shard } = at(1);
  await outbox.pool.query(
    `INSERT INTO attempts (recorded_on, shard, webhook_id, sequence, number, sent_at, duration_ms)
     SELECT recorded_on, shard, webhook_id, sequence, 1, now(), 1 FROM notifications WHERE webhook_id = $1 AND sequence = 12`,
    [id],
  );
  const found = await readBacklogs(outbox.pool, [
    { webhookId: id, from: 10, upTo: 120, count: 4 },
    { webhookId: at(2).id, from: 28, upTo: 114, count: 10 },
  ]);
  expect(found.get(id)?.map(({ sequence, attempted }) => [sequence, attempted])).toEqual([
    [10, false],
    [11, false],
    [12, true],
    [13, false],
  ]);
  // The 29th of the third webhook is at 115, one behind the limit.
  expect(found.get(at(2).id)?.map(({ sequence }) => sequence)).toEqual([28]);
  const options = { since: "2020-01-01", recovering: true };
  const whole = [{ shard, position: 0, upTo: 120, limit: 250 }];
  const stream = await readOutbox(outbox.pool, outboxChainId, whole, options);
  expect(stream.filter(({ attempted }) => attempted).map(({ sequence }) => sequence)).toEqual([12]);
});

/** Has notifications up to a sequence due now, or in an hour. */
const makeDue = (webhookIds: readonly string[], upTo: number, hours = 0) =>
  outbox.pool.query(
    `INSERT INTO retries (shard, account_id, webhook_id, sequence, recorded_on, attempts, due_at)
     SELECT shard, (SELECT account_id FROM webhooks WHERE id = webhook_id), webhook_id, sequence, recorded_on, 1, now() + make_interval(hours => $3)
     FROM notifications WHERE sequence <= $2 AND webhook_id = ANY($1)`,
    [webhookIds, upTo, hours],
  );
function byWebhook(due: readonly DueRetry[]): [string, number][] {
  const ids = [...new Set(due.map(({ webhookId }) => webhookId))];
  return ids.map((id) => [id, due.filter(({ webhookId }) => webhookId === id).length]);
}

test("due retries are read webhook by webhook, a few of each, continuing after the last read", async () => {
  const { shard, accountId } = at(0);
  await makeDue([at(0).id, at(2).id, at(3).id], 20);
  await makeDue([at(1).id], 20, 1);
  await outbox.pool.query("UPDATE webhooks SET status = 'inactive' WHERE id = $1", [at(2).id]);
  const look = (afterWebhook?: string) =>
    readDueRetries(
      outbox.pool,
      {
        shards: [{ shard, afterAccount: 0 }],
        accounts: afterWebhook ? [{ shard, accountId, afterWebhook }] : [],
        without: [],
      },
      { accounts: 10, webhooks: 3, retries: 100, perWebhook: 5 },
    );
  const first = await look();
  expect(byWebhook(first.due)).toEqual([[at(0).id, 5]]);
  expect(first.accounts).toEqual([{ shard, accountId, last: at(2).id }]);
  const second = await look(at(2).id);
  expect(byWebhook(second.due)).toEqual([[at(3).id, 5]]);
  expect(second.accounts).toEqual([{ shard, accountId, last: undefined }]);
  await outbox.pool.query("DELETE FROM retries");
});

test("accounts share a read of due retries equally, however many one has", async () => {
  const accountIds = [at(0).accountId, await outbox.addAccount(), await outbox.addAccount()];
  const many = await Promise.all(Array.from({ length: 40 }, () => outbox.addWebhook("http://127.0.0.1/")));
  await outbox.append(many, 20);
  // All in one shard, and those of the accounts with few behind those of the one with many.
  const inShard = many.map(({ id }) => id).sort();
  const [one, two] = inShard.slice(-2) as [string, string];
  await outbox.pool.query("UPDATE notifications SET shard = 7 WHERE webhook_id = ANY($1)", [inShard]);
  for (const [n, id] of [one, two].entries())
    await outbox.pool.query("UPDATE webhooks SET account_id = $2 WHERE id = $1", [id, accountIds[n + 1]]);
  await makeDue(inShard, 20);
  const [shards, limits] = [
    [{ shard: 7, afterAccount: 0 }],
    { accounts: 10, webhooks: 30, retries: 60, perWebhook: 20 },
  ];
  const first = await readDueRetries(outbox.pool, { shards, accounts: [], without: [] }, limits);
  const ofMany = inShard.slice(0, 10).map((id) => [id, 2]);
  expect(byWebhook(first.due)).toEqual([...ofMany, [one, 20], [two, 20]]);
  const rest = { shards, accounts: [], without: accountIds.slice(0, 1) };
  const without = await readDueRetries(outbox.pool, rest, limits);
  expect(byWebhook(without.due)).toEqual([
    [one, 20],
    [two, 20],
  ]);
  const behind = { ...rest, shards: [{ shard: 7, afterAccount: accountIds[1] ?? 0 }], without: [] };
  expect(byWebhook((await readDueRetries(outbox.pool, behind, limits)).due)).toEqual([[two, 20]]);
  await outbox.pool.query("DELETE FROM retries");
});

test("texts are read up to the limit, and at least one", async () => {
  const big = await outbox.addWebhook("http://127.0.0.1/");
  const body = JSON.stringify({ transaction: { input: "x".repeat(100_000) } });
  await outbox.append([big], 3, body);
  const { rows } = await outbox.pool.query<{ recordedOn: string; eventId: number }>(
    `SELECT recorded_on AS "recordedOn", event_id AS "eventId" FROM notifications WHERE webhook_id = $1 ORDER BY sequence DESC`,
    [big.id],
  );
  const events = [...rows, { recordedOn: rows[0]?.recordedOn ?? "", eventId: 999_999 }];
  const found = await readEventTexts(outbox.pool, events, 150_000);
  const sizes = rows.map(({ eventId }) => found.get(eventId)?.length ?? found.get(eventId));
  expect(sizes).toEqual([body.length, body.length, null]);
  expect(found.has(999_999)).toBe(false);
  const one = await readEventTexts(outbox.pool, rows, 1);
  expect(rows.map(({ eventId }) => one.get(eventId) === null)).toEqual([false, true, true]);
});

test("accounts take turns by bytes when their texts exceed the limit", async () => {
  const [one, two] = [await outbox.addWebhook("http://127.0.0.1/"), await outbox.addWebhook("http://127.0.0.1/")];
  const body = (length: number) => JSON.stringify({ transaction: { input: "x".repeat(length) } });
  await outbox.append([one], 5, body(100_000));
  await outbox.append([two], 5, body(20_000));
  const { rows } = await outbox.pool.query<{ recordedOn: string; eventId: number; accountId: number }>(
    `SELECT recorded_on AS "recordedOn", event_id AS "eventId", CASE webhook_id WHEN $1 THEN 1 ELSE 2 END AS "accountId"
     FROM notifications WHERE webhook_id IN ($1, $2) ORDER BY position`,
    [one.id, two.id],
  );
  const found = await readEventTexts(outbox.pool, rows, 190_000);
  const read = (id: number) => rows.filter(({ accountId, eventId }) => accountId === id && found.get(eventId)).length;
  expect([read(1), read(2)]).toEqual([1, 5]);
});

test("texts of several days are read as if they were of one", async () => {
  const webhook = await outbox.addWebhook("http://127.0.0.1/");
  const body = JSON.stringify({ transaction: { input: "y".repeat(1_000) } });
  await outbox.append([webhook], 3, body);
  const { rows } = await outbox.pool.query<{ recordedOn: string; eventId: number }>(
    `SELECT recorded_on AS "recordedOn", event_id AS "eventId" FROM notifications WHERE webhook_id = $1 ORDER BY sequence`,
    [webhook.id],
  );
  const [, second] = rows.map(({ eventId }) => eventId);
  const { rows: moved } = await outbox.pool.query<{ recordedOn: string }>(
    `UPDATE events SET recorded_on = recorded_on - 1 WHERE id = $1 RETURNING recorded_on AS "recordedOn"`,
    [second],
  );
  const events = rows.map((row) => ({ ...row, ...(row.eventId === second && moved[0]) }));
  const all = await readEventTexts(outbox.pool, events, 150_000);
  expect(events.map(({ eventId }) => all.get(eventId))).toEqual([body, body, body]);
  const some = await readEventTexts(outbox.pool, events, 1_500);
  expect(events.map(({ eventId }) => some.get(eventId)?.length ?? null)).toEqual([body.length, body.length, null]);
});
