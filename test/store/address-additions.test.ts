/** From which block on an address is watched is known exactly for as long as that block, or one before it, may still be recorded. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { noKeys } from "../../server/settings/keyring.ts";
import { advanceCursor, beginAt, ensureChain, type LaneId, plainLane } from "../../server/store/chains/cursor.ts";
import { maintain } from "../../server/store/outbox/retention.ts";
import { createPool, inTransaction, type Pool } from "../../server/store/pool.ts";
import { addAddresses } from "../../server/store/webhooks/addresses.ts";
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

const chainId = "7";
const block = (number: number) => ({ number, hash: `0x${number.toString(16).padStart(64, "0")}` });
const record = (lane: LaneId, numbers: number[], final: number) =>
  inTransaction(pool, (db) => advanceCursor(db, lane, { blocks: numbers.map(block), finalNumber: final }));
const watchedAt = async (number: number) => {
  const watched = await findWatchers(pool, plainLane(chainId), [address(1), address(2)]);
  return [...watched.at(number).keys()].sort();
};
const additions = async () =>
  (await pool.query("SELECT effective_from_block AS block FROM address_additions ORDER BY 1")).rows.map(
    (row) => row.block,
  );

test("an addition is deleted once no lane can go back to it, and the watched addresses stay the same", async () => {
  await ensureChain(pool, chainId);
  await beginAt(pool, plainLane(chainId), block(10));
  const { rows } = await pool.query<{ lane: number }>(
    "INSERT INTO chain_lanes (chain_id, traces) VALUES ($1, true) RETURNING lane",
    [chainId],
  );
  const traces = { chainId, lane: rows[0]?.lane ?? 0 };
  await beginAt(pool, traces, block(10));

  const { id } = await inTransaction(pool, (db) =>
    createWebhook(db, 1, { ...plain, chainId, addresses: [address(1)] }, noKeys),
  );
  await record(plainLane(chainId), [11, 12, 13, 14], 12);
  await inTransaction(pool, (db) => addAddresses(db, 1, id, [address(1), address(2)]));
  await maintain(pool, 30);
  expect(await additions()).toEqual([11, 15]);

  await record(traces, [11, 12, 13], 12);
  await maintain(pool, 30);
  expect(await additions()).toEqual([15]);
  for (const at of [13, 14]) expect(await watchedAt(at)).toEqual([address(1)]);
  expect(await watchedAt(15)).toEqual([address(1), address(2)]);

  await record(plainLane(chainId), [15, 16], 16);
  await record(traces, [14, 15, 16], 16);
  await maintain(pool, 30);
  expect(await additions()).toEqual([]);
  expect(await watchedAt(17)).toEqual([address(1), address(2)]);
});

const plain = {
  url: "https://example.com/hook",
  eventType: "address_activity" as const,
  name: "",
  description: "",
  includeInternalTxs: false,
  includeLogs: false,
  eventSignatures: [],
};
