/** What waits in the tables besides the outbox: whose backlogs and retries are read, how many, and how often. */
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createAccounts } from "../../server/delivery/accounts.ts";
import { openEndpoints, withEndpoints } from "../../server/delivery/endpoint/endpoints.ts";
import { EventTexts, type FeedContext } from "../../server/delivery/feed/outbox.ts";
import { Retries, readBacklogPages } from "../../server/delivery/feed/waiting.ts";
import { cursorOf } from "../../server/delivery/shard.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { type Outbox, type OutboxWebhook, openOutbox, outboxChainId } from "../support/outbox.ts";
import { ownedShard } from "./endpoint-scene.ts";
import { inShard0, spyOnStatements } from "./feed-scene.ts";

let outbox: Outbox;
let many: OutboxWebhook[];
let other: OutboxWebhook;
beforeAll(async () => {
  outbox = await openOutbox();
  const added = await Promise.all(Array.from({ length: 65 }, () => outbox.addWebhook("https://example.com/")));
  const another = await outbox.addWebhook("https://example.com/", undefined, await outbox.addAccount());
  await outbox.pool.query("UPDATE webhooks SET shard = 0");
  many = inShard0(added);
  [other] = inShard0([another]) as [OutboxWebhook];
  await outbox.append([...many, other], 25);
});
afterAll(() => outbox.close());
afterEach(() => void vi.restoreAllMocks());
beforeEach(async () => {
  for (const table of ["endpoint_states", "retries"]) await outbox.pool.query(`DELETE FROM ${table}`);
});

/** The parts of a feed of shard 0, which has been read to its end. */
async function openScene() {
  const { pool } = outbox;
  const log = pino({ level: "silent" });
  const shard = withEndpoints(ownedShard());
  const { rows } = await pool.query<{ position: number; day: string }>(
    "SELECT last_position AS position, now()::date AS day FROM chains WHERE chain_id = $1",
    [outboxChainId],
  );
  for (const { position, day } of rows) cursorOf(shard, outboxChainId).noteRead(position, day);
  const accounts = createAccounts();
  const context: FeedContext = {
    ...{ pool, log, accounts, keyring: noKeys, shards: new Map([[0, shard]]), texts: new EventTexts(pool, log) },
    recorder: { noteChange: () => {}, noteProgress: () => {}, writeDueCursors: () => {} },
    sender: { schedule: () => {}, resumeRested: () => {} },
  };
  const queuedFor = ({ id }: OutboxWebhook) => shard.endpoints.get(id)?.queued ?? 0;
  return { context, open: [shard], accounts, queuedFor };
}

const addRetries = (webhook: OutboxWebhook, count: number) =>
  outbox.pool.query(
    `INSERT INTO retries (shard, account_id, webhook_id, sequence, recorded_on, attempts, due_at, step)
     SELECT 0, $1, webhook_id, sequence, recorded_on, 1, now(), 1 FROM notifications WHERE webhook_id = $2 AND sequence <= $3`,
    [webhook.accountId, webhook.id, count],
  );

test("the backlogs of one account leave another's a place in the next page, however many there are", async () => {
  await outbox.pool.query(
    "INSERT INTO endpoint_states (shard, webhook_id, backlog_from) SELECT 0, id, 1 FROM webhooks",
  );
  const { context, open, queuedFor } = await openScene();
  const rows = [...many, other].map(({ id }) => ({ shard: 0, webhookId: id }));
  await openEndpoints(context, rows);
  expect(await readBacklogPages(context, open)).toBe(true);
  expect(queuedFor(other)).toBe(20);
  expect(many.filter((webhook) => queuedFor(webhook) > 0)).toHaveLength(63);
  // The account has enough to send now.
  expect(await readBacklogPages(context, open)).toBe(false);
  expect(many.filter((webhook) => queuedFor(webhook) > 0)).toHaveLength(63);
});

test("retries in memory are not queued again, a webhook has few at a time, and looks rest in between", async () => {
  const [webhook] = many as [OutboxWebhook];
  await addRetries(webhook, 25);
  await addRetries(other, 1);
  const { context, open, queuedFor } = await openScene();
  const retries = new Retries(context);
  const look = async () => [await retries.look(open), queuedFor(webhook), queuedFor(other)];
  expect(await look()).toEqual([false, 20, 1]);
  expect(retries.nextInMs()).toBeLessThanOrEqual(0);
  // It looks a few times a second at most.
  const statements = spyOnStatements();
  expect([await look(), statements()]).toEqual([[false, 20, 1], []]);
  vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
  expect(await look()).toEqual([false, 20, 1]);
  expect(statements()).toContain("read-due-retries");
});

test("an account whose part of memory is full gets no retries until there is room", async () => {
  await addRetries(other, 1);
  const { context, open, accounts, queuedFor } = await openScene();
  const { notifications } = accounts.of(other.accountId);
  const retries = new Retries(context);
  notifications.add(notifications.total.limit);
  await retries.look(open);
  expect(queuedFor(other)).toBe(0);
  notifications.add(-notifications.total.limit);
  vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
  await retries.look(open);
  expect(queuedFor(other)).toBe(1);
});
