/** Replays take turns by account: however many one account has, and whatever becomes of them, another's are at most half as fast. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { createReplay, getReplay } from "../../../server/store/chains/replays.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import type { RpcAnswer, RpcCall } from "../../support/rpc-proxy.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";

const [one, other] = [1, 2];
const last = 12n;
/** What each of them replays. */
const ownBlocks = { from: 1n, to: 3n };
const othersBlocks = { from: 5n, to: last };

let world: ChainWorld;
beforeEach(async () => {
  world = await startChainWorld();
  await world.start();
  await world.followed();
  await world.chain.mine(Number(last));
  await world.followed();
  await world.pool.query("INSERT INTO accounts (name) VALUES ('other')");
});
afterEach(() => world.stop());

/** Queues replays, ten for each webhook. */
async function queue(accountId: number, count: number, blocks: { from: bigint; to: bigint }) {
  const replays: { webhookId: string; id: string }[] = [];
  while (replays.length < count) {
    const { id } = await world.watch({ addresses: [freshAddress()] });
    await world.pool.query("UPDATE webhooks SET account_id = $1 WHERE id = $2", [accountId, id]);
    const some = Array.from({ length: Math.min(10, count - replays.length) }, () =>
      inTransaction(world.pool, (db) => createReplay(db, accountId, id, { ...blocks, includeEarlier: true })),
    );
    replays.push(...(await Promise.all(some)));
  }
  return replays;
}

/** Runs one replay of the other account. @param onQueued called when it begins @returns how long it took, in ms */
async function runOther(onQueued: () => unknown = () => undefined): Promise<number> {
  const [replay] = await queue(other, 1, othersBlocks);
  const startedAt = performance.now();
  await onQueued();
  const { webhookId = "", id = "" } = replay ?? {};
  await soon(
    async () => expect(await getReplay(world.pool, other, webhookId, id)).toMatchObject({ status: "done" }),
    25_000,
  );
  return performance.now() - startedAt;
}

/** Half as fast, and half a second for a slow machine. */
const atMost = (alone: number) => 2 * alone + 500;

test("twenty thousand replays of one account do not make the only one of another wait for them", async () => {
  const alone = await runOther();
  await queue(one, 1, ownBlocks);
  await world.pool.query(
    `INSERT INTO replays (id, account_id, webhook_id, chain_id, from_block, to_block, next_block)
     SELECT gen_random_uuid(), account_id, webhook_id, chain_id, 0, $2, 0 FROM replays, generate_series(1, 20000) WHERE account_id = $1`,
    [one, last],
  );
  const beside = await runOther();
  expect(beside).toBeLessThan(atMost(alone));
  // They had not all ended before.
  const { rows } = await world.pool.query<{ left: number }>(
    "SELECT count(*)::int AS left FROM replays WHERE account_id = $1 AND status IN ('queued', 'running')",
    [one],
  );
  expect(rows[0]?.left).toBeGreaterThan(0);
});

test("twelve replays of three accounts over the same blocks read each block about once", async () => {
  await world.chain.mine(300);
  await world.followed();
  const { number } = await world.chain.head();
  await world.pool.query("INSERT INTO accounts (name) VALUES ('third')");
  const blocks = { from: BigInt(number - 299), to: BigInt(number) };
  world.proxy.calls.length = 0;
  const replays = await Promise.all([one, other, 3].map((account) => queue(account, 4, blocks)));
  await soon(async () => {
    const { rows } = await world.pool.query("SELECT FROM replays WHERE status <> 'done'");
    expect(rows).toHaveLength(0);
  });
  expect(replays.flat()).toHaveLength(12);
  const isRead = ({ method, params }: RpcCall) => method === "eth_getBlockByNumber" && /^0x/.test(String(params[0]));
  const read = world.proxy.calls.filter(isRead).length;
  expect(read).toBeGreaterThanOrEqual(300);
  expect(read).toBeLessThan(450);
});

test("how far a replay is may be lost when PostgreSQL crashes where nothing was recorded, and only there", async () => {
  await world.pool.query(`
    CREATE TABLE commits (added int, is_soon boolean);
    CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
      INSERT INTO commits SELECT NEW.added, source = 'session' FROM pg_settings WHERE name = 'synchronous_commit'; RETURN NULL;
    END$$;
    CREATE CONSTRAINT TRIGGER note_commit AFTER UPDATE OF next_block ON replays
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_commit()`);
  const to = freshAddress();
  await world.chain.transfer(to);
  await world.chain.mine(3);
  await world.followed();
  const { number } = await world.chain.head();
  const { id } = await world.watch({ addresses: [to] });
  const blocks = { from: 1n, to: BigInt(number), includeEarlier: true };
  const replay = await inTransaction(world.pool, (db) => createReplay(db, one, id, blocks));
  await soon(async () => expect(await getReplay(world.pool, one, id, replay.id)).toMatchObject({ status: "done" }));
  const { rows } = await world.pool.query("SELECT DISTINCT added, is_soon FROM commits");
  // The blocks before the transfer may be noted with it.
  expect(rows).toEqual(
    expect.arrayContaining([
      { added: 1, is_soon: false },
      { added: 1, is_soon: true },
    ]),
  );
  expect(rows).not.toContainEqual({ added: 0, is_soon: false });
});

const ways: [string, () => RpcAnswer | Promise<RpcAnswer>][] = [
  ["no node has", () => ({ result: null })],
  ["a node is never done with", () => new Promise<never>(() => undefined)],
];

test.each(ways)("replays of blocks that %s delay no other account's", async (_, answer) => {
  const alone = await runOther();
  const numbers = new Set(["0x1", "0x2", "0x3"]);
  let asked = 0;
  world.proxy.answer = ({ method, params: [number] }, forward) => {
    if (method !== "eth_getBlockByNumber" || !numbers.has(String(number))) return forward();
    asked += 1;
    return answer();
  };
  await queue(one, 40, ownBlocks);
  await soon(async () => expect(asked).toBeGreaterThan(0));
  const beside = await runOther();
  expect(beside).toBeLessThan(atMost(alone));
});

test("an account whose replays all fail has few turns", async () => {
  let asked = 0;
  world.proxy.answer = ({ method, params: [number] }, forward) => {
    if (method !== "eth_getBlockByNumber" || !/^0x/.test(String(number)) || Number(number) > 12) return forward();
    asked += 1;
    return { error: { code: -32000, message: "missing trie node" } };
  };
  // None waits for another: each begins at a block of its own.
  for (let from = 1n; from <= 12n; from += 1n) await queue(one, 10, { from, to: last });
  await soon(async () => expect(asked).toBeGreaterThan(0));
  const [before, startedAt] = [asked, performance.now()];
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  // Two turns a second, of at most three runs of eight blocks.
  expect(asked - before).toBeLessThan(((performance.now() - startedAt) / 500 + 1) * 24);
});
