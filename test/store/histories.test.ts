/** What a history in the tables means for others: lanes that catch up, replays, and what is added to what it watches. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { assertOnRecord } from "../../server/chain/replays/replay-block.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { noteWell } from "../../server/store/chains/chains.ts";
import { beginAt, ensureChain, plainLane } from "../../server/store/chains/cursor.ts";
import { joinLanes } from "../../server/store/chains/lanes.ts";
import { nextReplayStep, readLaneMoves } from "../../server/store/chains/replay-work.ts";
import { createReplay } from "../../server/store/chains/replays.ts";
import { createPool, inTransaction, type Pool } from "../../server/store/pool.ts";
import { addAddresses } from "../../server/store/webhooks/addresses.ts";
import { addCreated } from "../../server/store/webhooks/created-addresses.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { findWatchers } from "../../server/store/webhooks/watchers.ts";
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

const newest = 1_000_000;
const block = (number: number) => ({ number, hash: `0x${number.toString(16).padStart(64, "0")}` as const });
const flags = { includeInternalTxs: false, includeLogs: false, eventSignatures: [] };
const plain = {
  url: "https://example.com/",
  eventType: "address_activity" as const,
  name: "",
  description: "",
  ...flags,
};

/** A chain of its own, whose plain lane is far ahead of a history. */
async function startHistory(chainId: string, from: number) {
  await ensureChain(pool, chainId);
  await beginAt(pool, plainLane(chainId), block(newest), newest - 64);
  await pool.query("UPDATE chain_lanes SET head_number = cursor_number WHERE chain_id = $1", [chainId]);
  const history = { from, cursor: block(from - 1) };
  const webhook = await inTransaction(pool, (db) =>
    createWebhook(db, 1, { ...plain, chainId, addresses: [address(1)], history }, noKeys),
  );
  const { rows } = await pool.query<{ lane: number }>("SELECT lane FROM webhooks WHERE id = $1", [webhook.id]);
  return { webhook, lane: { chainId, lane: rows[0]?.lane ?? 0 } };
}

const isHistory = async ({ lane }: { lane: number }) =>
  (await pool.query("SELECT FROM chain_lanes WHERE lane = $1 AND history_from IS NOT NULL", [lane])).rowCount === 1;

test("one ends where the chain is, and not at the head of a node that lags", async () => {
  const { lane } = await startHistory("1", 500);
  await noteWell(pool, lane, { current: true });
  expect(await isHistory(lane)).toBe(true);
  await pool.query("UPDATE chain_lanes SET cursor_number = $2 WHERE lane = $1", [lane.lane, newest - 1]);
  await noteWell(pool, lane, { current: true });
  expect(await isHistory(lane)).toBe(false);
});

test("where it meets a lane that catches up, that one stays, and its webhooks are still watched over", async () => {
  const { lane, webhook } = await startHistory("2", 500);
  const { rows } = await pool.query<{ lane: number }>(
    `INSERT INTO chain_lanes (chain_id, catches_up, cursor_number, cursor_hash)
     SELECT chain_id, true, cursor_number, cursor_hash FROM chain_lanes WHERE lane = $1 RETURNING lane`,
    [lane.lane],
  );
  await inTransaction(pool, (db) => joinLanes(db, lane));
  const joined = await pool.query("SELECT lane FROM webhooks WHERE id = $1", [webhook.id]);
  expect(joined.rows).toEqual(rows);
});

test("it slows down no replay, neither its own webhook's nor others'", async () => {
  const { lane, webhook } = await startHistory("3", 500);
  await pool.query("UPDATE chain_lanes SET cursor_number = 510, head_number = $2 WHERE lane = $1", [lane.lane, newest]);
  await inTransaction(pool, (db) => createReplay(db, 1, webhook.id, { from: 500n, to: 509n }));
  expect(await nextReplayStep(pool, "3", { after: 0, busy: [] })).toMatchObject({ followed: true, lag: 0 });
  expect(await readLaneMoves(pool, "3")).toMatchObject({ lags: false });
  await pool.query("UPDATE chain_lanes SET head_number = head_number + 20 WHERE chain_id = '3' AND lane = 0");
  expect(await nextReplayStep(pool, "3", { after: 0, busy: [] })).toMatchObject({ lag: 20 });
});

test("a contract that its factory created is watched from its block on, also once it is added by hand", async () => {
  const { lane, webhook } = await startHistory("4", 500);
  await inTransaction(pool, (db) =>
    addCreated(
      db,
      [{ webhookIds: [webhook.id], addresses: [address(9)] }],
      { chainId: "4", number: 510, recordedUpTo: 510 },
      undefined,
    ),
  );
  await inTransaction(pool, (db) => addAddresses(db, 1, webhook.id, [address(9)]));
  const watched = await findWatchers(pool, lane, [address(9)]);
  expect([509, 510, 511].map((number) => watched.at(number).has(address(9)))).toEqual([false, true, true]);
});

test("from genesis on it is created only while no block after that one is recorded", async () => {
  const created = (chainId: string) =>
    inTransaction(pool, (db) =>
      createWebhook(db, 1, { ...plain, chainId, addresses: [], history: { from: 0 } }, noKeys),
    );
  await ensureChain(pool, "5");
  await beginAt(pool, plainLane("5"), block(0));
  expect(await created("5")).toMatchObject({ effectiveFromBlock: "0" });
  await ensureChain(pool, "6");
  await beginAt(pool, plainLane("6"), block(1));
  await expect(created("6")).rejects.toMatchObject({ code: "chain_not_followed" });
});

test("a replay takes blocks that were never followed only where they are final", async () => {
  await startHistory("8", 500);
  const of = (number: number) => assertOnRecord(pool, plainLane("8"), block(number));
  await expect(of(newest)).resolves.toMatchObject({ final: newest - 64 });
  await expect(of(newest - 64)).resolves.toBeDefined();
  await expect(of(newest - 63)).rejects.toMatchObject({ code: "other_branch" });
});
