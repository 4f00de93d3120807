/**
 * Replays in the tables: those of a deleted webhook end with it, their rows go later, and their account has used what they have read. What has left
 * the chain is not done.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { noKeys } from "../../server/settings/keyring.ts";
import { historyBlocksUsed } from "../../server/store/accounts/quotas.ts";
import { beginAt, ensureChain, plainLane } from "../../server/store/chains/cursor.ts";
import {
  nextReplayStep,
  noteQuietBlocks,
  postponeWaiting,
  reopenReplays,
  sendReplaysBack,
} from "../../server/store/chains/replay-work.ts";
import { createReplay } from "../../server/store/chains/replays.ts";
import { continueLanes } from "../../server/store/moves/lanes.ts";
import { createPool, inTransaction, type Pool, type Queryable } from "../../server/store/pool.ts";
import { deleteWebhook } from "../../server/store/webhooks/changes.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { removePart } from "../../server/store/webhooks/removed-webhooks.ts";
import { address } from "../support/api.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { lockWaits } from "../support/lock-waits.ts";

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url);
  await pool.query("INSERT INTO accounts (name) VALUES ('test')");
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const chainId = "77";
const flags = { includeInternalTxs: false, includeLogs: false, eventSignatures: [], name: "", description: "" };
const wanted = { url: "https://example.com/", eventType: "address_activity" as const, ...flags, chainId };
const create = (one: number) =>
  inTransaction(pool, (db) => createWebhook(db, 1, { ...wanted, addresses: [address(one)] }, noKeys));

test("one of a webhook without a URL sends nothing again", async () => {
  const chain = "78";
  await ensureChain(pool, chain);
  await beginAt(pool, plainLane(chain), { number: 1_000, hash: `0x${"ab".repeat(32)}` }, 900);
  const { url, ...without } = { ...wanted, chainId: chain };
  const resends = async (webhook: typeof without & { url?: string }) => {
    const create = (db: Queryable) => createWebhook(db, 1, { ...webhook, addresses: [address(9)] }, noKeys);
    const { id } = await inTransaction(pool, create);
    await inTransaction(pool, (db) => createReplay(db, 1, id, { from: 1n, to: 100n, includeEarlier: true }));
    const next = await nextReplayStep(pool, chain, { after: 0, busy: [] });
    await inTransaction(pool, (db) => deleteWebhook(db, 1, id));
    return next?.resends;
  };
  expect([await resends(without), await resends({ url, ...without })]).toEqual([false, true]);
});

test("they end with it, and others of the account go on; the rows are removed afterwards, in parts", async () => {
  await ensureChain(pool, chainId);
  await beginAt(pool, plainLane(chainId), { number: 1_000, hash: `0x${"ab".repeat(32)}` }, 900);
  const [deleted, other] = [await create(1), await create(2)];
  const replay = (id: string) =>
    inTransaction(pool, (db) => createReplay(db, 1, id, { from: 1n, to: 100n, includeEarlier: true }));
  const unfinished = await replay(deleted.id);
  const next = await replay(other.id);
  await pool.query("UPDATE replays SET next_block = 41, status = 'running' WHERE id = $1", [unfinished.id]);
  const many = 9_000;
  await pool.query(
    `INSERT INTO replays (id, account_id, webhook_id, chain_id, from_block, to_block, next_block, status, finished_at)
     SELECT gen_random_uuid(), 1, $1, $2, 1, 10, 11, 'done', now() FROM generate_series(1, $3)`,
    [deleted.id, chainId, many],
  );
  const used = async () => (await historyBlocksUsed(pool, 1)).reduce((sum, { blocks }) => sum + blocks, 0);
  expect(await used()).toBe(100 + 100 + many * 10);
  await inTransaction(pool, async (db) => {
    await deleteWebhook(db, 1, deleted.id);
    // While the chain waits, only what goes on is changed.
    const { rows } = await db.query(
      "SELECT status, count(*)::int FROM replays WHERE webhook_id = $1 GROUP BY 1 ORDER BY 1",
      [deleted.id],
    );
    expect(rows).toEqual([
      { status: "cancelled", count: 1 },
      { status: "done", count: many },
    ]);
  });
  expect(await nextReplayStep(pool, chainId, { after: 0, busy: [] })).toMatchObject({ id: next.id });
  let parts = 0;
  for (; await removePart(pool); parts += 1);
  expect(parts).toBeGreaterThan(1);
  expect((await pool.query("SELECT id FROM replays")).rows).toEqual([{ id: next.id }]);
  expect(await used()).toBe(40 + 100 + many * 10);
});

test("blocks of a branch that has left the chain are not noted as done", async () => {
  const webhook = await create(3);
  const { id } = await inTransaction(pool, (db) =>
    createReplay(db, 1, webhook.id, { from: 901n, to: 1_000n, includeEarlier: true }),
  );
  const note = (hash: string) => noteQuietBlocks(pool, [{ id, noted: 901, block: 1_001, hash }]);
  expect(await note(`0x${"cd".repeat(32)}`)).toEqual(new Set());
  expect(await note(`0x${"ab".repeat(32)}`)).toEqual(new Set([id]));
});

const states = async (id: string) =>
  (await pool.query("SELECT status, next_block AS next FROM replays WHERE webhook_id = $1", [id])).rows;

/** One of the last ten blocks, which is done. */
async function doneReplay(one: number): Promise<{ webhookId: string; id: string }> {
  const { id: webhookId } = await create(one);
  const range = { from: 991n, to: 1_000n, includeEarlier: true };
  const { id } = await inTransaction(pool, (db) => createReplay(db, 1, webhookId, range));
  await noteQuietBlocks(pool, [{ id, noted: 991, block: 1_001, hash: `0x${"ab".repeat(32)}` }]);
  expect(await states(webhookId)).toEqual([{ status: "done", next: 1_001 }]);
  return { webhookId, id };
}

test("one goes back for blocks that left the chain and came back before it was looked at: they were retracted", async () => {
  const { webhookId } = await doneReplay(4);
  for (let times = 0; times < 2; times += 1) await sendReplaysBack(pool, plainLane(chainId), 995);
  await reopenReplays(pool, chainId);
  expect(await states(webhookId)).toEqual([{ status: "running", next: 996 }]);
});

/** Holds a replay's row in a transaction of its own during some work. */
async function holding(id: string, work: (holder: Queryable) => Promise<unknown>): Promise<void> {
  const holder = await pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM replays WHERE id = $1 FOR UPDATE", [id]);
    await work(holder);
    await holder.query("COMMIT");
  } finally {
    holder.release(true);
  }
}

test("one whose webhook is deleted while it goes back stays as it is", async () => {
  const { webhookId, id } = await doneReplay(5);
  await sendReplaysBack(pool, plainLane(chainId), 995);
  let reopened: Promise<void> | undefined;
  await holding(id, async () => {
    reopened = reopenReplays(pool, chainId);
    await eventually(async () => expect(await lockWaits(pool)).toHaveLength(1));
    await inTransaction(pool, (db) => deleteWebhook(db, 1, webhookId));
  });
  await reopened;
  expect(await states(webhookId)).toMatchObject([{ status: "done" }]);
});

test("deleting a webhook locks its replays in the order in which others do", async () => {
  const { id: webhookId } = await create(6);
  // The later id is the earlier row.
  const [second = "", first = ""] = ["f", "0"].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
  await pool.query(
    `INSERT INTO replays (id, account_id, webhook_id, chain_id, from_block, to_block, next_block)
     SELECT id, 1, $1, $2, 1, 10, 1 FROM unnest($3::uuid[]) id`,
    [webhookId, chainId, [second, first]],
  );
  let deleted: Promise<unknown> | undefined;
  await holding(first, async (other) => {
    deleted = inTransaction(pool, (db) => deleteWebhook(db, 1, webhookId)).catch((error: unknown) => error);
    await eventually(async () => expect(await lockWaits(pool)).toHaveLength(1));
    await other.query("SELECT FROM replays WHERE id = $1 FOR UPDATE", [second]);
  });
  expect(await deleted).toMatchObject({ status: "inactive" });
  expect(await states(webhookId)).toMatchObject([{ status: "cancelled" }, { status: "cancelled" }]);
});

test("however many wait for their lane, they wait together, and one that need not has the next turn", async () => {
  const accountId = 1;
  await pool.query("DELETE FROM replays");
  const { id: webhookId } = await create(7);
  await pool.query(
    `INSERT INTO replays (id, account_id, webhook_id, chain_id, from_block, to_block, next_block, due_at)
     SELECT gen_random_uuid(), $3, $1, $2, next, 2000, next, now() - interval '1 minute' * next / 100
     FROM (SELECT 1001 AS next FROM generate_series(1, 10) UNION ALL SELECT 901) added`,
    [webhookId, chainId, accountId],
  );
  const turn = () => nextReplayStep(pool, chainId, { after: 0, busy: [] });
  const waiting = await turn();
  if (!waiting) throw new Error("none is due");
  expect(waiting.followed).toBe(false);
  await postponeWaiting(pool, chainId, waiting, 60_000);
  expect(await turn()).toMatchObject({ block: 901, followed: true });
  const { rows } = await pool.query(
    "SELECT next_block AS next, count(*)::int FROM replays WHERE due_at > now() GROUP BY 1",
  );
  expect(rows).toEqual([{ next: 1_001, count: 10 }]);
});

test("one goes back for blocks that were leaving when its account came from another cell", async () => {
  const { webhookId } = await doneReplay(8);
  const hash = Buffer.alloc(32, 0xab);
  const place = { chainId, lane: 0, traces: false, number: 1_000, hash, highest: 1_000 };
  const blocks = { blockNumbers: [994, 995, 1_000], blockHashes: [hash, hash, hash] };
  const owed = { apartUntil: 2_000, owedAfter: "00000000-0000-0000-0000-000000000000", owedFrom: null };
  const leaving = { leavingAbove: 995, leavingHash: hash };
  const lane = {
    ...place,
    ...blocks,
    ...owed,
    ...leaving,
    webhookIds: [webhookId],
    isHistory: false,
    mode: null,
    nodesAgreed: null,
  };
  await inTransaction(pool, (db) => continueLanes(db, [lane]));
  await reopenReplays(pool, chainId);
  expect(await states(webhookId)).toEqual([{ status: "running", next: 996 }]);
});
