/** What is read with the heads is taken only if it is exactly what the outboxes have next. */
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { OutboxCursor } from "../../server/delivery/cursor.ts";
import type { Endpoint } from "../../server/delivery/endpoint/endpoint.ts";
import { type OwnedShard, withEndpoints } from "../../server/delivery/endpoint/endpoints.ts";
import { areNext, type NewestOfChain, readHeadsAndNewest } from "../../server/delivery/feed/outbox.ts";
import { cursorOf } from "../../server/delivery/shard.ts";
import { readTogether } from "../../server/store/pool.ts";
import { type Outbox, openOutbox, outboxChainId } from "../support/outbox.ts";
import { openEndpoint, ownedShard } from "./endpoint-scene.ts";

let outbox: Outbox;
beforeAll(async () => {
  outbox = await openOutbox();
});
afterAll(() => outbox.close());

/** A shard whose outboxes were read up to a position, of chains on which earlier owners may have attempted up to another. */
function shardAt(
  position: number,
  { recoverUpTo = 0, chainIds = [outboxChainId], day = "2026-01-01" } = {},
): OwnedShard {
  const shard = withEndpoints(ownedShard());
  for (const chainId of chainIds)
    shard.cursors.set(chainId, new OutboxCursor({ chainId, position, recordedOn: day }, recoverUpTo));
  return shard;
}

/** An endpoint with a backlog, to which the outbox leaves what it has. */
function leftOutOf(shard: OwnedShard, webhookId: string): Endpoint {
  const endpoint = openEndpoint({ webhookId, backlogFrom: 1 }, { shard });
  endpoint.skip(2, { position: 2, recordedOn: "2026-01-01", done: false });
  shard.endpoints.set(webhookId, endpoint);
  shard.backlogged.add(endpoint);
  return endpoint;
}

/** @returns what was read, and the values of the statement for the newest; undefined if only the heads were read */
async function read(open: readonly OwnedShard[], chainIds = [outboxChainId]) {
  const query = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => query.mockRestore());
  const [heads] = await readTogether(outbox.pool, (db) => [readHeadsAndNewest(db, open, chainIds)]);
  const statements = query.mock.calls
    .splice(0)
    .map(([statement]) => statement as { name?: string; values?: unknown[] });
  return { ...heads, values: statements.find(({ name }) => name === "read-newest")?.values };
}

test("each chain is looked at from its own day on, if all shards were read up to the same position", async () => {
  const [busy, quiet] = [shardAt(5, { day: "2026-11-01" }), shardAt(0, { day: "1970-01-02", chainIds: ["1"] })];
  const placesOf = async (open: readonly OwnedShard[], chainIds = [outboxChainId]) =>
    JSON.parse(String((await read(open, chainIds)).values?.[0] ?? null));
  expect(await placesOf([busy])).toEqual([{ chainId: outboxChainId, position: 5, since: "2026-11-01" }]);
  expect(await placesOf([busy, shardAt(5, { day: "2026-10-31" })])).toMatchObject([{ since: "2026-10-31" }]);
  expect(await placesOf([busy, shardAt(4)])).toBeNull();
  cursorOf(quiet, outboxChainId).noteRead(7, "2026-11-02");
  expect(await placesOf([quiet], ["1", outboxChainId])).toEqual([
    { chainId: "1", position: 0, since: "1970-01-02" },
    { chainId: outboxChainId, position: 7, since: "2026-11-02" },
  ]);
});

test("only heads are read where pages know more: after another owner, of accounts read separately, after a full page", async () => {
  const plain = shardAt(5, { recoverUpTo: 5 });
  expect((await read([plain])).newest.has(outboxChainId)).toBe(true);
  expect((await read([plain, shardAt(5, { recoverUpTo: 6 })])).newest.size).toBe(0);
  cursorOf(plain, outboxChainId).separate(1);
  expect((await read([plain])).newest.size).toBe(0);
  const full = shardAt(5);
  cursorOf(full, outboxChainId).isFull = true;
  expect((await read([full])).newest.size).toBe(0);
});

test("webhooks that have a backlog are left out, and with many of them only heads are read", async () => {
  const shard = shardAt(5);
  const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  for (let n = 1; n <= 100; n += 1) leftOutOf(shard, idOf(n));
  const { values, newest } = await read([shard]);
  expect(values?.at(-1)).toBe(`{${Array.from({ length: 100 }, (_, n) => idOf(n + 1)).join()}}`);
  expect(newest.get(outboxChainId)?.without).toHaveLength(100);
  leftOutOf(shard, idOf(101));
  expect((await read([shard])).values).toBeUndefined();
});

test("they are the next ones unless an outbox was read on, a shard came, or a webhook is not left out any longer", async () => {
  const webhookId = "00000000-0000-4000-8000-000000000001";
  const newestOf = async (shard: OwnedShard) => (await read([shard])).newest.get(outboxChainId) as NewestOfChain;
  const scene = async () => {
    const shard = shardAt(5);
    const endpoint = leftOutOf(shard, webhookId);
    return { shard, endpoint, newest: await newestOf(shard), cursor: cursorOf(shard, outboxChainId) };
  };
  const same = await scene();
  expect(areNext(same.newest, [same.shard], outboxChainId)).toBe(true);
  expect(areNext(same.newest, [same.shard, shardAt(5)], outboxChainId)).toBe(false);

  const readOn = await scene();
  readOn.cursor.noteRead(6, "2026-01-01");
  expect(areNext(readOn.newest, [readOn.shard], outboxChainId)).toBe(false);

  const readMeanwhile = await scene();
  const reading = readHeadsAndNewest(outbox.pool, [readMeanwhile.shard], [outboxChainId]);
  readMeanwhile.cursor.noteRead(6, "2026-01-01");
  const before = (await reading).newest.get(outboxChainId) as NewestOfChain;
  expect(areNext(before, [readMeanwhile.shard], outboxChainId)).toBe(false);

  const separated = await scene();
  separated.cursor.separate(1);
  expect(areNext(separated.newest, [separated.shard], outboxChainId)).toBe(false);

  const returned = await scene();
  returned.shard.backlogged.delete(returned.endpoint);
  expect(areNext(returned.newest, [returned.shard], outboxChainId)).toBe(false);
});
