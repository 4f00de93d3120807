/** What a history in the tables means for others: lanes that catch up, replays, and what is added to what it watches. */
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Precedence } from "../../server/base/pause.ts";
import { followedLanes, lanesByKey } from "../../server/chain/follow/lanes.ts";
import { assertOnRecord } from "../../server/chain/replays/replay-block.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { noteWell } from "../../server/store/chains/chains.ts";
import {
  advanceCursor,
  beginAt,
  ensureChain,
  type LaneId,
  plainLane,
  readCursor,
} from "../../server/store/chains/cursor.ts";
import {
  type HistoryMode,
  joinLanes,
  noteWholeUntil,
  readLaneMoves,
  readLanes,
} from "../../server/store/chains/lanes.ts";
import { nextReplayStep } from "../../server/store/chains/replay-work.ts";
import { createReplay } from "../../server/store/chains/replays.ts";
import { createPool, inTransaction, type Pool, type Queryable } from "../../server/store/pool.ts";
import { addAddresses } from "../../server/store/webhooks/addresses.ts";
import { addCreated } from "../../server/store/webhooks/created-addresses.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { findWatchers, readInterest } from "../../server/store/webhooks/watchers.ts";
import { getWebhook } from "../../server/store/webhooks/webhooks.ts";
import { address } from "../support/api.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { testChain } from "../support/service.ts";

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
const byLogs = { eventSignatures: [`0x${"ab".repeat(32)}`] };

/** @param mode how its blocks are read, besides one for whose webhooks they are read whole */
async function startHistory(chainId: string, from: number, mode?: HistoryMode) {
  await ensureChain(pool, chainId);
  await beginAt(pool, plainLane(chainId), block(newest), newest - 64);
  await pool.query("UPDATE chain_lanes SET head_number = cursor_number WHERE chain_id = $1", [chainId]);
  return watchFrom(chainId, from, { mode });
}

/** @param of.n makes its address */
async function watchFrom(
  chainId: string,
  from: number,
  { mode, n = 1, account = 1 }: { mode?: HistoryMode | undefined; n?: number; account?: number },
) {
  const history = { from, cursor: block(from - 1), mode };
  const wanted = { ...plain, ...(mode && byLogs), chainId, addresses: [address(n)], history };
  const webhook = await inTransaction(pool, (db) => createWebhook(db, account, wanted, noKeys));
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
  expect(await readLaneMoves(pool, "3")).toMatchObject({ lags: true });
  // A lane that stands still needs nothing of the machine.
  await pool.query("UPDATE chain_lanes SET stopped = 'no node traces' WHERE chain_id = '3' AND lane = 0");
  expect(await readLaneMoves(pool, "3")).toMatchObject({ lags: false });
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

const moveTo = (lane: LaneId, number: number) =>
  pool.query("UPDATE chain_lanes SET cursor_number = $2, cursor_hash = decode(substr($3, 3), 'hex') WHERE lane = $1", [
    ...[lane.lane, number, block(number).hash],
  ]);
const laneOf = async ({ id }: { id: string }) =>
  (await pool.query<{ lane: number }>("SELECT lane FROM webhooks WHERE id = $1", [id])).rows[0]?.lane;

test("histories of different modes pass each other, those of one and of one account join, and all join the plain lane", async () => {
  const { rows } = await pool.query<{ id: number }>("INSERT INTO accounts (name) VALUES ('other') RETURNING id");
  const { webhook: first, lane } = await startHistory("9", 500, "headers");
  const { webhook: whole, lane: wholeLane } = await watchFrom("9", 500, {});
  const { webhook: later, lane: laterLane } = await watchFrom("9", 600, { mode: "headers", n: 2 });
  const { webhook: same } = await watchFrom("9", 600, { mode: "headers", n: 3 });
  expect(await laneOf(same)).toBe(laterLane.lane);
  // What it watches may make its blocks be read whole.
  const { webhook: others, lane: othersLane } = await watchFrom("9", 600, {
    mode: "headers",
    account: rows[0]?.id ?? 0,
  });
  expect(othersLane.lane).not.toBe(laterLane.lane);
  await inTransaction(pool, (db) => joinLanes(db, lane));
  expect([await laneOf(first), await laneOf(whole)]).toEqual([lane.lane, wholeLane.lane]);
  const [found] = await readLanes(pool, "9", { traces: false, catchesUp: true, isHistory: true, mode: "headers" });
  expect(found).toMatchObject({ lane: lane.lane, mode: "headers", meetsAt: 599 });
  await moveTo(lane, 599);
  await inTransaction(pool, (db) => joinLanes(db, lane));
  expect(new Set([await laneOf(first), await laneOf(later), await laneOf(same)]).size).toBe(1);
  const joined = { chainId: "9", lane: (await laneOf(first)) ?? 0 };
  expect(await laneOf(others)).toBe(othersLane.lane);
  for (const one of [joined, wholeLane, othersLane]) await moveTo(one, newest);
  await inTransaction(pool, (db) => joinLanes(db, plainLane("9")));
  for (const one of [first, later, same, whole, others]) expect(await laneOf(one)).toBe(0);
});

test("what is looked for in headers is what the lane's webhooks watch, and webhooks that come to the lane are noticed", async () => {
  const { lane } = await startHistory("11", 500, "headers");
  const before = await readInterest(pool, lane);
  expect(before).toMatchObject({
    logs: [{ signatures: byLogs.eventSignatures, addresses: [address(1)] }],
    upTo: newest,
  });
  const arrivals = async () => (await readCursor(pool, lane)).arrivals;
  expect(await arrivals()).toBe(before?.arrivals);
  await watchFrom("11", 500, { mode: "headers", n: 2 });
  const created = await readInterest(pool, lane);
  expect(created?.logs).toHaveLength(2);
  expect(await arrivals()).not.toBe(before?.arrivals);
  const { lane: other } = await watchFrom("11", 600, { mode: "headers", n: 3 });
  await moveTo(other, 499);
  await inTransaction(pool, (db) => joinLanes(db, lane));
  const kept = (await readInterest(pool, lane)) ?? (await readInterest(pool, other));
  expect(kept?.logs).toHaveLength(3);
  expect(kept?.arrivals).not.toBe(created?.arrivals);
});

test("once the newest recorded block becomes lower, headers that were read count no more: what is added then takes effect below", async () => {
  const { lane } = await startHistory("13", 500, "headers");
  const arrivals = async () => (await readCursor(pool, lane)).arrivals;
  const setPlain = (number: number) =>
    pool.query("UPDATE chain_lanes SET cursor_number = $1 WHERE chain_id = '13' AND lane = 0", [number]);
  const first = await arrivals();
  await setPlain(newest + 5);
  await setPlain(newest + 6);
  expect(await arrivals()).toBe(first);
  await setPlain(newest + 2);
  const lowered = await arrivals();
  expect(lowered).not.toBe(first);
  // With traces it is further, and then that lane is gone.
  const { rows } = await pool.query<{ lane: number }>(
    `INSERT INTO chain_lanes (chain_id, traces, cursor_number, cursor_hash) SELECT chain_id, true, cursor_number + 4, cursor_hash
     FROM chain_lanes WHERE chain_id = '13' AND lane = 0 RETURNING lane`,
  );
  expect((await readInterest(pool, lane))?.upTo).toBe(newest + 6);
  await pool.query("DELETE FROM chain_lanes WHERE chain_id = '13' AND lane = $1", [rows[0]?.lane]);
  expect(await arrivals()).not.toBe(lowered);
});

test("a number that a database has lost comes never again, and a lane whose mode has ended changes its number, too", async () => {
  const { lane } = await startHistory("14", 500, "headers");
  const arrivals = async (db: Queryable = pool) =>
    (
      await db.query<{ arrivals: number }>("SELECT arrivals FROM chain_lanes WHERE chain_id = '14' AND lane = $1", [
        lane.lane,
      ])
    ).rows[0]?.arrivals;
  const create = (db: Queryable) =>
    createWebhook(
      db,
      1,
      {
        ...plain,
        ...byLogs,
        chainId: "14",
        addresses: [address(2)],
        history: { from: 500, cursor: block(499), mode: "headers" },
      },
      noKeys,
    );
  let lost: number | undefined;
  await inTransaction(pool, async (db) => {
    await create(db);
    lost = await arrivals(db);
    throw new Error("lost");
  }).catch((error: unknown) => expect(error).toMatchObject({ message: "lost" }));
  await inTransaction(pool, create);
  const kept = await arrivals();
  expect(lost).toBeDefined();
  expect(kept).not.toBe(lost);
  // A step that was read with the mode may be recorded after it.
  await pool.query("UPDATE chain_lanes SET history_mode = NULL WHERE chain_id = '14' AND lane = $1", [lane.lane]);
  await watchFrom("14", 500, { n: 3 });
  const come = await arrivals();
  expect(come).not.toBe(kept);
  const { lane: later } = await watchFrom("14", 600, { n: 4 });
  await moveTo(later, 499);
  await inTransaction(pool, (db) => joinLanes(db, lane));
  expect(await arrivals()).not.toBe(come);
});

test("the record says on how many nodes' logs it rests: the least of all ranges, and of all that came together", async () => {
  const { webhook, lane } = await startHistory("16", 500, "logs");
  const shown = async ({ id }: { id: string }) => (await getWebhook(pool, 1, id)).history;
  expect(await shown(webhook)).toMatchObject({ mode: "logs" });
  expect(await shown(webhook)).not.toHaveProperty("nodesAgreed");
  const advance = (of: LaneId, to: number, nodesAgreed?: number) =>
    inTransaction(pool, (db) => advanceCursor(db, of, { blocks: [block(to)], finalNumber: to, nodesAgreed }));
  await advance(lane, 510, 2);
  await advance(lane, 511);
  expect(await shown(webhook)).toMatchObject({ mode: "logs", nodesAgreed: 2 });
  const { webhook: other, lane: later } = await watchFrom("16", 600, { mode: "logs", n: 2 });
  const { webhook: headers, lane: ofHeaders } = await watchFrom("16", 600, { mode: "headers", n: 3 });
  await advance(later, 610, 1);
  for (const one of [lane, ofHeaders]) await advance(one, 610, 2);
  await inTransaction(pool, (db) => joinLanes(db, lane));
  expect([await laneOf(webhook), await laneOf(other)].includes((await laneOf(headers)) ?? 0)).toBe(false);
  for (const one of [webhook, other]) expect(await shown(one)).toMatchObject({ mode: "logs", nodesAgreed: 1 });
  expect(await shown(headers)).not.toHaveProperty("nodesAgreed");
  // While blocks are read whole, nothing rests on logs.
  await noteWholeUntil(pool, { chainId: "16", lane: (await laneOf(webhook)) ?? 0 }, 700);
  expect(await shown(webhook)).toMatchObject({ mode: "complete" });
  expect(await shown(webhook)).not.toHaveProperty("nodesAgreed");
});

test("a lane with a webhook that can match without a log, or with too many addresses, has no interest to look for", async () => {
  const { lane, webhook } = await startHistory("12", 500, "headers");
  await pool.query("UPDATE webhooks SET event_signatures = '{}' WHERE id = $1", [webhook.id]);
  expect(await readInterest(pool, lane)).toBeUndefined();
  const { lane: crowded, webhook: large } = await watchFrom("12", 700, { mode: "headers" });
  const some = (from: number, count: number) => Array.from({ length: count }, (_, n) => address(from + n));
  await inTransaction(pool, (db) => addAddresses(db, 1, large.id, some(10, 1_999)));
  expect((await readInterest(pool, crowded))?.logs[0]?.addresses).toHaveLength(2_000);
  await inTransaction(pool, (db) => addAddresses(db, 1, large.id, [address(5)]));
  expect(await readInterest(pool, crowded)).toBeUndefined();
  // So do several together.
  const { lane: shared, webhook: one } = await watchFrom("12", 750, { mode: "headers", n: 2_100 });
  const { webhook: another } = await watchFrom("12", 750, { mode: "headers", n: 2_101 });
  await inTransaction(pool, (db) => addAddresses(db, 1, one.id, some(3_000, 999)));
  await inTransaction(pool, (db) => addAddresses(db, 1, another.id, some(4_000, 999)));
  expect((await readInterest(pool, shared))?.logs.map(({ addresses }) => addresses?.length)).toEqual([1_000, 1_000]);
  await inTransaction(pool, (db) => addAddresses(db, 1, another.id, [address(5)]));
  expect(await readInterest(pool, shared)).toBeUndefined();
  const { lane: picky, webhook: choosy } = await watchFrom("12", 800, { mode: "headers" });
  const setSignatures = (count: number) =>
    pool.query(
      "UPDATE webhooks SET event_signatures = ARRAY(SELECT sha256(n::text::bytea) FROM generate_series(1, $2::int) n) WHERE id = $1",
      [choosy.id, count],
    );
  await setSignatures(2_000);
  expect(await readInterest(pool, picky)).toBeDefined();
  await setSignatures(2_001);
  expect(await readInterest(pool, picky)).toBeUndefined();
});

test("nothing is read ahead for histories of which each waits for so many others that it would be dropped", async () => {
  await startHistory("15", 500, "headers");
  const kind = [...lanesByKey("15").values()].find(({ name }) => name === "headers-history") ?? expect.fail("no kind");
  const log = pino({ level: "silent" });
  const chain = { ...testChain({ rpcUrl: "http://127.0.0.1:1" }), chainId: "15" };
  const options = { pool, chain, kind, log, signal: new AbortController().signal };
  const next = () => followedLanes(options).next();
  for (const n of [2, 3, 4]) await watchFrom("15", 500 + 100 * n, { mode: "headers", n });
  expect((await next())?.memory.readsAhead).toBe(true);
  await watchFrom("15", 950, { mode: "headers", n: 5 });
  expect((await next())?.memory.readsAhead).toBe(false);
});

test("while the chain is live, histories are read ahead only from a far node", async () => {
  await startHistory("17", 500, "headers");
  const kind = [...lanesByKey("17").values()].find(({ name }) => name === "headers-history") ?? expect.fail("no kind");
  const chain = { ...testChain({ rpcUrl: "http://127.0.0.1:1" }), chainId: "17" };
  let live = true;
  const { signal } = new AbortController();
  const options = { pool, chain, kind, log: pino({ level: "silent" }), signal, isLive: async () => live };
  const lanes = followedLanes(options);
  const { memory } = await eventually(async () => (await lanes.next()) ?? expect.fail("no history"));
  expect(memory.readsAhead).toBe(false);
  memory.headMs = 100;
  await lanes.next();
  expect(memory.readsAhead).toBe(true);
  memory.headMs = 1;
  live = false;
  await lanes.next();
  expect(memory.readsAhead).toBe(true);
});

test("a history records nothing while a step at the chain's head is taken", async () => {
  await startHistory("16", 500, "headers");
  const kind = [...lanesByKey("16").values()].find(({ name }) => name === "headers-history") ?? expect.fail("no kind");
  const chain = { ...testChain({ rpcUrl: "http://127.0.0.1:1" }), chainId: "16" };
  const following = new Precedence(300_000);
  const { signal } = new AbortController();
  const lanes = followedLanes({ pool, chain, kind, log: pino({ level: "silent" }), signal, following });
  const { record } = (await lanes.next()) ?? expect.fail("no history");
  let end = () => {};
  const step = following.first(
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  let isOver = false;
  // It comes too late, which the record says at once.
  const recorded = record.record({ cursor: block(1), blocks: [], finalNumber: -1 }).finally(() => {
    isOver = true;
  });
  recorded.catch(() => undefined);
  await sleep(200);
  expect(isOver).toBe(false);
  end();
  await step;
  await expect(recorded).rejects.toMatchObject({ code: "cursor_moved" });
});

test("a replay takes blocks that were never followed only where they are final", async () => {
  await startHistory("8", 500);
  const of = (number: number) => assertOnRecord(pool, plainLane("8"), block(number));
  await expect(of(newest)).resolves.toMatchObject({ final: newest - 64 });
  await expect(of(newest - 64)).resolves.toBeDefined();
  await expect(of(newest - 63)).rejects.toMatchObject({ code: "other_branch" });
});
