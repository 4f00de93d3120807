/**
 * Replays in the tables: those of a deleted webhook end with it, their rows go later, and their account has used what they have read. What has left
 * the chain is not done.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { noKeys } from "../../server/settings/keyring.ts";
import { historyBlocksUsed } from "../../server/store/accounts/quotas.ts";
import { beginAt, ensureChain, plainLane } from "../../server/store/chains/cursor.ts";
import { nextReplayStep, noteQuietBlocks } from "../../server/store/chains/replay-work.ts";
import { createReplay } from "../../server/store/chains/replays.ts";
import { createPool, inTransaction, type Pool } from "../../server/store/pool.ts";
import { deleteWebhook } from "../../server/store/webhooks/changes.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { removePart } from "../../server/store/webhooks/removed-webhooks.ts";
import { address } from "../support/api.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

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
