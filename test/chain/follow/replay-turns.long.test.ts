/** Replays take turns by account: however many one account has, and whatever becomes of them, another's are at most half as fast. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { createReplay, getReplay } from "../../../server/store/chains/replays.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import type { RpcAnswer } from "../../support/rpc-proxy.ts";
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
      inTransaction(world.pool, (db) => createReplay(db, accountId, id, blocks)),
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

/** How many blocks the replays of one account have done. */
async function doneByOne(): Promise<number> {
  const { rows } = await world.pool.query<{ done: number }>(
    "SELECT sum(next_block - from_block)::int AS done FROM replays r JOIN webhooks w ON w.id = r.webhook_id WHERE w.account_id = $1",
    [one],
  );
  return rows[0]?.done ?? 0;
}

test("forty replays of one account take no more turns than the only one of another", async () => {
  await queue(one, 40, ownBlocks);
  let before = 0;
  await runOther(async () => {
    before = await doneByOne();
  });
  const meanwhile = (await doneByOne()) - before;
  const ofOther = Number(othersBlocks.to - othersBlocks.from) + 1;
  expect(meanwhile).toBeGreaterThan(0);
  // Some turns pass while the other's block is in flight, and while the test looks.
  expect(meanwhile).toBeLessThanOrEqual(2 * ofOther);
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
  // Half as fast, and half a second for a slow machine.
  expect(beside).toBeLessThan(2 * alone + 500);
});
