/** An account that takes too much of a block is set apart: nobody waits for it, it misses nothing, and it comes back. */
import pg from "pg";
import { expect, test, vi } from "vitest";
import { retractionsAbove } from "../../../server/chain/follow/notifications.ts";
import { prepareSlice, recordStep, StepBounds, stepLimits } from "../../../server/chain/follow/record.ts";
import { type ReadBlock, readBlock } from "../../../server/chain/read/block.ts";
import type { WebhookOptions } from "../../../server/matching/new-webhook.ts";
import type { Hex } from "../../../server/matching/wire.ts";
import { noKeys } from "../../../server/settings/keyring.ts";
import { plainLane, readCursor } from "../../../server/store/chains/cursor.ts";
import { setApart, tendLane } from "../../../server/store/chains/lanes.ts";
import { accountsWithMany } from "../../../server/store/outbox/block-history.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import { createWebhook } from "../../../server/store/webhooks/creation.ts";
import { noFilter } from "../../../server/store/webhooks/watch-filter.ts";
import { findWatchers } from "../../../server/store/webhooks/watchers.ts";
import { getWebhook } from "../../../server/store/webhooks/webhooks.ts";
import {
  assertExact,
  before,
  busiest,
  busy,
  catchUp,
  caughtUp,
  chainId,
  count,
  each,
  emptyBlock,
  firstLane,
  lanes,
  leaveWhole,
  number,
  openForEachTest,
  pool,
  recordWhole,
  step,
  stored,
  theBlock,
  watch,
  watching,
} from "../apart-world.ts";

openForEachTest();

test("others are notified of a block in its step; the costly account afterwards, of everything and once", async () => {
  const costly = await watch(1, 200);
  const [other = ""] = await watch(2, 1);
  expect(await (await stored(await firstLane(false))).record(step)).toBe(each);
  await assertExact([other]);
  expect(await count()).toBe(each);
  const [first = "", last = ""] = [costly[0], costly.at(-1)];
  expect((await getWebhook(pool, 1, first)).catchUp).toEqual({ reason: "costly", nextBlock: String(number) });
  expect((await getWebhook(pool, 2, other)).catchUp).toBeUndefined();
  await catchUp(new StepBounds());
  expect(await count()).toBe(each * 201);
  await assertExact([first, last, other]);
  expect((await getWebhook(pool, 1, last)).catchUp?.nextBlock).toBe(String(number + 1));
});

test("a process that dies between two slices leaves the rest to the next one", async () => {
  const costly = await watch(1, 200);
  await (await stored(await firstLane(false))).record(step);
  const lane = await firstLane(true);
  const dying = await stored(lane);
  await pool.query(`CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM notifications) > 300 THEN RAISE EXCEPTION 'killed'; END IF; RETURN NULL; END $$`);
  await pool.query("CREATE TRIGGER die AFTER UPDATE OF owed_after ON chain_lanes EXECUTE FUNCTION die()");
  await expect(recordWhole(dying)).rejects.toThrow("killed");
  await pool.query("DROP TRIGGER die ON chain_lanes");
  expect((await firstLane(true)).isOwing).toBe(true);
  const recorded = (await count()) ?? 0;
  expect(recorded).toBeGreaterThan(0);
  expect(recorded).toBeLessThan(each * 200);
  // The same step again comes too late: its cursor has moved.
  await expect((await stored(lane)).record(step)).rejects.toMatchObject({ code: "cursor_moved" });
  for (let next = await firstLane(true); next.isOwing; next = await firstLane(true))
    await (await stored(next)).settle?.(theBlock);
  expect(await count()).toBe(each * 200);
  await assertExact(costly);
});

test("what one account was notified of while it was apart is read for no other lane", async () => {
  await caughtUp(100);
  // For a lane without webhooks nothing would be read anyway.
  await watch(2, 1);
  const lane = await firstLane(false);
  const read = await inTransaction(pool, async (db) => {
    await accountsWithMany(db, lane, { above: number - 1, most: { notifications: 5_000, bytes: 1_000_000 } });
    await retractionsAbove(db, lane, number - 1);
    const { rows } = await db.query<{ read: number }>(
      `SELECT sum(COALESCE(seq_tup_read, 0) + COALESCE(idx_tup_fetch, 0)) AS read FROM pg_stat_xact_user_tables
       WHERE relname LIKE 'events%' OR relname LIKE 'notifications%'`,
    );
    return Number(rows[0]?.read);
  });
  expect(read).toBeLessThan(100);
});

test("factories that name very many contracts hold up nobody: they are matched without the lock, and added a little at a time", async () => {
  const named = new Map<string, Set<string>>();
  for (const { address, topics } of busy.receipts.flatMap(({ logs }) => logs)) {
    if (!topics[1]?.startsWith(`0x${"0".repeat(24)}`)) continue;
    const key = `${address} ${topics[0]}`;
    named.set(key, (named.get(key) ?? new Set()).add(topics[1]));
  }
  const [[key = "", contracts] = []] = [...named].sort(([, a], [, b]) => b.size - a.size);
  const [address, eventSignature] = key.split(" ");
  const createdBy = { address, eventSignature, argument: "topic1" };
  const webhooks = Math.ceil(5_000 / (contracts?.size ?? 1));
  const ids = await watch(1, webhooks, { createdBy });
  const [other = ""] = await watch(2, 1);
  const wantsNothingElse = "DELETE FROM webhook_addresses WHERE webhook_id = ANY($1::uuid[])";
  await pool.query(wantsNothingElse, [ids]);
  await pool.query("UPDATE webhooks SET address_count = 0 WHERE id = ANY($1::uuid[])", [ids]);
  // Nothing but what they name is too much.
  const much = { matches: 1e9, units: 1e12, lookup: { pairsOfAccount: 1e6, pairsInAll: 1e6, bytesOfAccount: 1e9 } };
  const bounds = new StepBounds({ shared: much, slice: much });
  expect(await (await stored(await firstLane(false), bounds)).record(step)).toBe(each);
  await assertExact([other]);
  expect((await pool.query("SELECT FROM webhook_addresses WHERE created_in IS NOT NULL")).rowCount).toBe(0);
  const { created } = await prepareSlice(pool, await firstLane(true), theBlock, { owed: undefined, size: webhooks });
  expect(created.flatMap(({ webhookIds }) => webhookIds).sort()).toEqual([...ids].sort());
  await catchUp(bounds);
  const { rows } = await pool.query(
    `SELECT sum(count)::int AS all, max(count) <= 2000 AS "isLittle" FROM (
       SELECT count(*) FROM webhook_addresses WHERE created_in = $1 GROUP BY xmin::text) added`,
    [number],
  );
  expect(rows).toEqual([{ all: webhooks * (contracts?.size ?? 0), isLittle: true }]);
  // With their block they leave, a little at a time, too.
  await leaveWhole();
  expect((await pool.query("SELECT FROM webhook_addresses WHERE created_in IS NOT NULL")).rowCount).toBe(0);
  const { rows: counts } = await pool.query("SELECT DISTINCT address_count FROM webhooks WHERE account_id = 1");
  expect(counts).toEqual([{ address_count: 0 }]);
});

test("what factories create for few webhooks, which are notified of nothing, is added a little at a time, too", async () => {
  const webhookIds = await watch(1, 30);
  await pool.query("DELETE FROM webhook_addresses");
  await setApart(pool, await firstLane(false), { accountIds: [1], cursor: before });
  const addresses = Array.from({ length: 200 }, (_, at) => `0x${(at + 1).toString(16).padStart(40, "0")}`);
  const block: ReadBlock = {
    ...theBlock,
    match: async (...asked) => ({ ...(await theBlock.match(...asked)), created: [{ webhookIds, addresses }] }),
  };
  await (await stored(await firstLane(true))).record({ ...step, blocks: [block] });
  for (let lane = await firstLane(true); lane.isOwing; lane = await firstLane(true))
    await (await stored(lane)).settle?.(block);
  const { rows } = await pool.query(
    `SELECT sum(count)::int AS all, max(count)::int AS most FROM (
       SELECT count(*) FROM webhook_addresses WHERE created_in = $1 GROUP BY xmin::text) added`,
    [number],
  );
  expect(rows).toEqual([{ all: 6_000, most: 2_000 }]);
});

test("an account comes back after blocks that cost little", async () => {
  await watch(1, 200);
  await (await stored(await firstLane(false))).record(step);
  await catchUp(new StepBounds());
  await pool.query("UPDATE chain_lanes SET apart_until = $1 WHERE apart_account IS NOT NULL", [number + 1]);
  const block = emptyBlock(number + 1, `0x${"0b".repeat(32)}`, busy.block.hash);
  const next = { cursor: { number, hash: busy.block.hash }, blocks: [readBlock(block, chainId)], finalNumber: 0 };
  for (const catchesUp of [false, true]) await (await stored(await firstLane(catchesUp))).record(next);
  for (const lane of await lanes(false)) await tendLane(pool, lane);
  expect(await lanes(true)).toEqual([]);
  const { rows } = await pool.query("SELECT DISTINCT lane FROM webhooks");
  expect(rows).toEqual([{ lane: 0 }]);
});

test("conditions that cost too much count as well, and the account's other webhooks go with them", async () => {
  const field = { field: "transfer.value", op: "gt", value: "0" };
  const conditions = { any: Array.from({ length: 50 }, () => ({ not: field })) };
  const ids = await watch(1, 120, { conditions });
  await pool.query("UPDATE webhooks SET comparisons = 50");
  const [other = ""] = await watch(2, 1);
  const bounds = new StepBounds();
  bounds.failed(Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" }), before);
  expect(bounds.limit).toEqual(stepLimits.shared);
  for (let round = 0; round < 3; round += 1)
    bounds.failed(Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" }), before);
  expect(bounds.limit.units).toBe(stepLimits.shared.units / 4 ** 3);
  expect(await (await stored(await firstLane(false), bounds)).record(step)).toBe(each);
  await assertExact([other]);
  const { rows } = await pool.query(
    "SELECT DISTINCT l.apart_account FROM webhooks w JOIN chain_lanes l USING (chain_id, lane) WHERE w.id = ANY($1)",
    [ids],
  );
  expect(rows).toEqual([{ apart_account: 1 }]);
});

/** 28 KB, of which nothing is a reason to be set apart but that it has to be read. */
const comparing = (n: number, least = "0") => ({
  abi: Array.from({ length: 40 }, (_, index) => ({
    ...{ type: "event", name: `E${index}` },
    inputs: [{ name: `${"n".repeat(600)}${n}`, type: "uint256" }],
  })),
  conditions: { any: [{ field: "transaction.value", op: "gte", value: least }] },
});

test("options count before they are read: accounts with more than 1 MB hold up nobody, and one with less is not set apart", async () => {
  await pool.query("INSERT INTO accounts (name) VALUES ('costly, too'), ('of any address')");
  const watching = async (account: number, count: number, options: (n: number) => object) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(...(await watch(account, 1, options(n))));
    return ids;
  };
  const apart = [await watching(1, 45, comparing), await watching(3, 45, comparing)];
  // Nothing has so much value.
  const never = await watching(4, 45, (n) => ({ ...comparing(n, `1${"0".repeat(30)}`), anyAddress: true }));
  await pool.query("DELETE FROM webhook_addresses WHERE webhook_id = ANY($1::uuid[])", [never]);
  const others = await watching(2, 30, comparing);
  expect(await (await stored(await firstLane(false))).record(step)).toBe(each * others.length);
  await assertExact(others);
  const reason = async (account: number, [id = ""]: readonly string[]) =>
    (await getWebhook(pool, account, id)).catchUp?.reason;
  expect(await reason(1, apart[0] ?? [])).toBe("costly");
  expect(await reason(3, apart[1] ?? [])).toBe("costly");
  expect(await reason(4, never)).toBe("costly");
  expect(await reason(2, others)).toBeUndefined();
  for (const lane of await lanes(true)) {
    const record = await stored(lane);
    await record.record(step);
    const current = async () => (await lanes(true)).find((one) => one.lane === lane.lane);
    for (let next = await current(); next?.isOwing; next = await current())
      await (await stored(next)).settle?.(theBlock);
  }
  await assertExact([...apart.flat(), ...others]);
  expect(await count()).toBe(each * (apart.flat().length + others.length));
});

test("an account whose options are over the bound in a block does not come back for that block", async () => {
  // Nothing of it matches, so that nothing but the options makes it several slices.
  for (let n = 0; n < 60; n += 1) await watch(1, 1, comparing(n, `1${"0".repeat(30)}`));
  const [other = ""] = await watch(2, 1);
  await (await stored(await firstLane(false))).record(step);
  await assertExact([other]);
  const apartUntil = async () =>
    (await pool.query<{ apart_until: number }>("SELECT apart_until FROM chain_lanes WHERE lane <> 0")).rows;
  const [before] = await apartUntil();
  await catchUp(new StepBounds());
  // From this block on it has to be calm, and not from the one before.
  expect(await apartUntil()).toEqual([{ apart_until: (before?.apart_until ?? 0) + 1 }]);
});

test("an account exactly at the bound of options is not set apart", async () => {
  const ids = await watch(1, 2);
  await pool.query("UPDATE webhooks SET matched_bytes = $1", [stepLimits.shared.lookup.bytesOfAccount / 2]);
  expect(await (await stored(await firstLane(false))).record(step)).toBe(2 * each);
  await assertExact(ids);
  expect(await lanes(true)).toEqual([]);
});

test("pairs of an address and a webhook count before they are read, and those of an account set apart are passed over", async () => {
  const lookup = { ...stepLimits.shared.lookup, pairsOfAccount: 1_000, pairsInAll: 3_000 };
  const few = () => new StepBounds({ ...stepLimits, shared: { ...stepLimits.shared, lookup } });
  const addresses = theBlock.participants;
  const ids: string[] = [];
  for (let pair = 0; pair <= lookup.pairsInAll; pair += addresses.length) {
    // Nothing in the block has its signature.
    const webhook = await inTransaction(pool, (db) => createWebhook(db, 1, watching(addresses), noKeys));
    ids.push(webhook.id);
  }
  await pool.query("UPDATE webhooks SET effective_from_block = 0");
  await pool.query("UPDATE address_additions SET effective_from_block = 0");
  const [other = ""] = await watch(2, 1);
  expect(await (await stored(await firstLane(false), few())).record(step)).toBe(each);
  await assertExact([other]);
  const { rows } = await pool.query<{ apart: number }>(
    "SELECT count(*) AS apart FROM webhooks JOIN chain_lanes USING (chain_id, lane) WHERE apart_account = 1",
  );
  expect(rows).toEqual([{ apart: ids.length }]);
  // Of what its own lane must not look through there is nothing left but the other's address.
  const options = { anywhere: false, factories: false, apart: true };
  expect((await findWatchers(pool, plainLane(chainId), addresses, options)).addressCount).toBe(1);
  // The lookup itself is cut.
  const cut = await findWatchers(pool, await firstLane(true), addresses, { ...options, apart: false, limit: lookup });
  expect(cut.crowd).toBeDefined();
  await catchUp(few());
  expect(await count()).toBe(each);

  // A webhook of the account that is elsewhere is found all the same.
  await pool.query("UPDATE webhooks SET lane = 0 WHERE id = $1", [ids[0]]);
  expect((await findWatchers(pool, plainLane(chainId), addresses, options)).addressCount).toBe(addresses.length);
});

test("accounts that together watch an address more often than is read at first are all notified", async () => {
  const lookup = { ...stepLimits.shared.lookup, pairsOfAccount: 10, pairsInAll: 50 };
  const few = { ...stepLimits, shared: { ...stepLimits.shared, lookup } };
  await pool.query("INSERT INTO accounts (name) SELECT 'one of many ' || n FROM generate_series(3, 13) n");
  for (let account = 3; account < 14; account += 1) await watch(account, 5);
  const [other = ""] = await watch(2, 1);
  expect(await (await stored(await firstLane(false), new StepBounds(few))).record(step)).toBe(56 * each);
  await assertExact([other]);
  expect(await lanes(true)).toEqual([]);
});

test("where many accounts watch an address often together, what one of them has in options is bounded all the same", async () => {
  const lookup = { ...stepLimits.shared.lookup, pairsOfAccount: 5, pairsInAll: 10 };
  const few = { ...stepLimits, shared: { ...stepLimits.shared, lookup } };
  await pool.query("INSERT INTO accounts (name) SELECT 'one of many ' || n FROM generate_series(3, 13) n");
  for (let account = 3; account < 14; account += 1) await watch(account, 5);
  const costly = await watch(1, 2);
  await pool.query("UPDATE webhooks SET matched_bytes = $1 WHERE account_id = 1", [lookup.bytesOfAccount / 2 + 1]);
  expect(await (await stored(await firstLane(false), new StepBounds(few))).record(step)).toBe(55 * each);
  expect(await lanes(true)).toHaveLength(1);
  await catchUp(new StepBounds());
  await assertExact(costly);
});

test("an account with too many pairs in another lane only, or in none, stops nobody", async () => {
  const lookup = { ...stepLimits.shared.lookup, pairsOfAccount: 10, pairsInAll: 50 };
  const few = { ...stepLimits, shared: { ...stepLimits.shared, lookup } };
  await watch(1, 60);
  const { rows } = await pool.query<{ lane: number }>(
    `INSERT INTO chain_lanes (chain_id, traces, catches_up, cursor_number, cursor_hash)
     SELECT chain_id, true, false, cursor_number, cursor_hash FROM chain_lanes RETURNING lane`,
  );
  await pool.query("UPDATE webhooks SET lane = $1, include_internal_txs = true", [rows[0]?.lane]);
  const [other = ""] = await watch(2, 1);
  expect(await (await stored(await firstLane(false), new StepBounds(few))).record(step)).toBe(each);
  await assertExact([other]);
  expect(await lanes(true)).toEqual([]);
});

test("an account with too many pairs in another lane only is passed over, and the lookup keeps its limit", async () => {
  const lookup = { ...stepLimits.shared.lookup, pairsOfAccount: 1_000, pairsInAll: 3_000 };
  const bounds = new StepBounds({ ...stepLimits, shared: { ...stepLimits.shared, lookup } });
  for (let count = 0; count <= lookup.pairsInAll; count += theBlock.participants.length)
    await inTransaction(pool, (db) => createWebhook(db, 1, watching(theBlock.participants), noKeys));
  await pool.query("UPDATE webhooks SET effective_from_block = 0");
  await pool.query("UPDATE address_additions SET effective_from_block = 0");
  const { rows } = await pool.query<{ lane: number }>(
    `INSERT INTO chain_lanes (chain_id, traces, catches_up, cursor_number, cursor_hash)
     SELECT chain_id, true, false, cursor_number, cursor_hash FROM chain_lanes RETURNING lane`,
  );
  await pool.query("UPDATE webhooks SET lane = $1, include_internal_txs = true", [rows[0]?.lane]);
  const [other = ""] = await watch(2, 1);
  const query = vi.spyOn(pg.Client.prototype, "query");
  expect(await (await stored(await firstLane(false), bounds)).record(step)).toBe(each);
  const looked = query.mock.calls.flatMap(([config]: unknown[]) =>
    typeof config === "object" && config !== null && "name" in config && String(config.name).startsWith("find-watchers")
      ? [(config as { values?: unknown[] }).values?.[3]]
      : [],
  );
  query.mockRestore();
  expect(looked.length).toBeGreaterThan(1);
  for (const limit of looked) expect(limit).toBe(lookup.pairsInAll + 1);
  await assertExact([other]);
  expect(await lanes(true)).toEqual([]);
});

test("of several blocks in a step an account may take as much as of one; it is set apart at the first that has too much", async () => {
  const few = { ...stepLimits, shared: { ...stepLimits.shared, matches: each * 10 } };
  await watch(1, 8);
  const [other = ""] = await watch(2, 1);
  const empty = (at: number) => readBlock(emptyBlock(at, `0x${String(at).padStart(64, "0")}`, hashBefore(at)), chainId);
  const hashBefore = (at: number): Hex =>
    at === number + 1 ? (theBlock.hash as Hex) : `0x${String(at - 1).padStart(64, "0")}`;
  const blocks = [theBlock, empty(number + 1), empty(number + 2)];
  const lane = await firstLane(false);
  // A third of 10 for each block is too little for 8, but one block after the other is not.
  expect(await (await stored(lane, new StepBounds(few))).record({ ...step, blocks, finalNumber: number + 2 })).toBe(
    9 * each,
  );
  await assertExact([other]);
  expect(await lanes(true)).toEqual([]);
  expect((await firstLane(false)).cursor?.number).toBe(number + 2);
});

test("an account with more webhooks than change lanes at once is set apart as a whole, in one lane", async () => {
  // Those that are moved last would not be too many by themselves.
  await watch(1, 2_030);
  await watch(2, 1);
  await (await stored(await firstLane(false))).record(step);
  const { rows } = await pool.query<{ webhooks: number }>(
    "SELECT count(*) AS webhooks FROM webhooks JOIN chain_lanes USING (chain_id, lane) WHERE apart_account = 1 GROUP BY lane",
  );
  expect(rows).toEqual([{ webhooks: 2_030 }]);
});

test("a webhook with more notifications than are recorded at once has them in several parts, of which none is lost or repeated", async () => {
  const [one = ""] = await watch(1, 1);
  const lane = await firstLane(false);
  await setApart(pool, { ...lane }, { accountIds: [1], cursor: before });
  for (let upTo = 1; upTo < theBlock.transactions; upTo += 50) {
    const apart = await firstLane(true);
    const { owedAfter: after, owedFrom: from } = await readCursor(pool, apart);
    const owed = after === undefined ? undefined : { after, ...(from !== undefined && { from }) };
    const rest = owed ? { ...step, cursor: { number, hash: theBlock.hash } } : step;
    const slice = { owed, size: 1, upTo };
    const prepared = await prepareSlice(pool, apart, theBlock, slice);
    await recordStep(pool, apart, rest, noFilter(apart), { slice: { ...slice, prepared } });
    expect((await firstLane(true)).isOwing).toBe(true);
  }
  await (await stored(await firstLane(true))).settle?.(theBlock);
  expect((await firstLane(true)).isOwing).toBe(false);
  expect(await count()).toBe(each);
  await assertExact([one]);
});

test.each(["deleted", "no longer the first"])(
  "a webhook that is %s when a part of it is recorded takes nothing from the others",
  async (what) => {
    const ids = (await watch(1, 3)).sort();
    const [first = ""] = ids;
    await setApart(pool, await firstLane(false), { accountIds: [1], cursor: before });
    const apart = await firstLane(true);
    await recordStep(pool, apart, step, noFilter(apart), {
      slice: { owed: undefined, size: 1, upTo: theBlock.transactions - 1 },
    });
    const recorded = (await count()) ?? 0;
    expect(recorded).toBeGreaterThan(0);
    if (what === "deleted") await pool.query("DELETE FROM webhooks WHERE id = $1", [first]);
    else
      await pool.query(
        `INSERT INTO webhooks SELECT (jsonb_populate_record(w, jsonb_build_object('id', '00000000-0000-4000-8000-000000000001',
         'effective_from_block', $2::bigint))).* FROM webhooks w WHERE id = $1`,
        [first, number + 1],
      );
    await (await stored(await firstLane(true))).settle?.(theBlock);
    expect((await firstLane(true)).isOwing).toBe(false);
    expect(await count()).toBe(what === "deleted" ? recorded + 2 * each : 3 * each);
    await assertExact(what === "deleted" ? ids.slice(1) : ids);
  },
);

test("a step reads the events of a webhook only if conditions compare their arguments", async () => {
  const abi = [{ type: "event" as const, name: "E", inputs: [{ name: "a", type: "uint256" }] }];
  const conditions = { field: "args.a", op: "eq" as const, value: "1" };
  const read = async (options: WebhookOptions) => {
    const wanted = { ...watching([busiest]), options };
    const { id } = await inTransaction(pool, (db) => createWebhook(db, 1, wanted, noKeys));
    await pool.query("UPDATE webhooks SET effective_from_block = 0 WHERE id = $1", [id]);
    const found = (await findWatchers(pool, plainLane(chainId), [busiest])).at(number + 1).get(busiest);
    return found?.find((watcher) => watcher.id === id)?.options;
  };
  expect(await read({ abi, includeTransfers: true })).toEqual({ includeTransfers: true });
  expect(await read({ abi, conditions })).toEqual({ abi, conditions });
  expect(await read({ abi, conditions: { not: { any: [conditions] } } })).toHaveProperty("abi");
  // And that is what counts for the account.
  const most = (bytesOfAccount: number) =>
    findWatchers(pool, plainLane(chainId), [busiest], {
      ...{ anywhere: true, factories: true, apart: true },
      limit: { ...stepLimits.shared.lookup, bytesOfAccount },
    });
  const { rows } = await pool.query<{ bytes: number }>(
    "SELECT sum(octet_length(COALESCE(matched_options, options)::text) + 66)::int AS bytes FROM webhooks",
  );
  const bytes = rows[0]?.bytes ?? 0;
  expect((await most(bytes)).crowd).toBeUndefined();
  expect((await most(bytes - 1)).crowd).toEqual({ accountIds: [1] });
});
