/** How replays end: cancelled in the middle, or done although their process was killed again and again. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { cancelReplay, createReplay, getReplay } from "../../../server/store/chains/replays.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import type { Webhook } from "../../../server/store/webhooks/webhooks.ts";
import { testChain } from "../../support/service.ts";
import { startServiceProcess } from "../../support/service-process.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";
import { standing } from "../notified.ts";

let world: ChainWorld;
let webhook: Webhook;
let last: number;
const address = freshAddress();
/** A transfer in every fifth block. */
const transfers = 30;
beforeEach(async () => {
  world = await startChainWorld();
  await world.start();
  await world.followed();
  for (let sent = 0; sent < transfers; sent += 1) {
    await world.chain.transfer(address);
    await world.chain.mine(4);
  }
  await world.followed();
  last = (await world.chain.head()).number;
  webhook = await world.watch({ addresses: [address] });
});
afterEach(() => world.stop());

const replay = (to: number, { id } = webhook) =>
  inTransaction(world.pool, (db) => createReplay(db, 1, id, { from: 0n, to: BigInt(to), includeEarlier: true }));
const shown = ({ id }: { id: string }) => getReplay(world.pool, 1, webhook.id, id);

test("one that is cancelled keeps what it has recorded, records nothing more, and another begins", async () => {
  const heldFrom = 64;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  world.proxy.answer = async ({ method, params: [number] }, forward) => {
    if (method === "eth_getBlockByNumber" && Number(number) >= heldFrom) await held;
    return forward();
  };
  const { id } = await replay(last);
  await soon(async () => expect(await shown({ id })).toMatchObject({ currentBlock: String(heldFrom - 1) }));
  const cancelled = await inTransaction(world.pool, (db) => cancelReplay(db, 1, webhook.id, id));
  const before = await world.notified(webhook);
  expect(cancelled).toMatchObject({ status: "cancelled", addedCount: before.length });
  expect(before.length).toBeGreaterThan(0);
  release();
  // Another goes through the same blocks, for another webhook.
  const other = await world.watch({ addresses: [address] });
  const { id: otherId } = await replay(last, other);
  await soon(async () => expect(await getReplay(world.pool, 1, other.id, otherId)).toMatchObject({ status: "done" }));
  expect(await world.notified(other)).toHaveLength(transfers);
  expect(await world.notified(webhook)).toEqual(before);
  expect(await shown({ id })).toEqual(cancelled);
  await replay(last);
  await soon(async () => expect(await world.notified(webhook)).toHaveLength(transfers));
});

test("one without anything to record passes all its blocks, and says how far it is", async () => {
  const quiet = await world.watch({ addresses: [freshAddress()] });
  const { id } = await replay(last, quiet);
  await soon(async () => {
    const ended = await getReplay(world.pool, 1, quiet.id, id);
    expect(ended).toMatchObject({ status: "done", currentBlock: String(last), addedCount: 0, resentCount: 0 });
  });
  expect(await world.notified(quiet)).toEqual([]);
});

test("one whose process is killed again and again adds each notification once, in order", async () => {
  await world.halt();
  const chain = { ...testChain({ rpcUrl: world.proxy.url }), pollMs: 20 };
  const start = () => startServiceProcess(world.databaseUrl, [chain], { env: { ROLES: "follow", LEASE_SECONDS: "2" } });
  const { id } = await replay(last);
  let reached = -1;
  for (let kills = 0; kills < 4; kills += 1) {
    const service = await start();
    await soon(async () => {
      const { currentBlock = "-1" } = await shown({ id });
      expect(Number(currentBlock)).toBeGreaterThan(reached);
      reached = Number(currentBlock);
    });
    service.signal("SIGKILL");
    await service.ended;
  }
  await world.start();
  await soon(async () => expect(await shown({ id })).toMatchObject({ status: "done" }));
  const all = await world.notified(webhook);
  const expected = (await world.chain.transactionsTo(address)).map(({ hash }) => hash);
  expect(all.map(({ transactionHash }) => transactionHash)).toEqual(expected);
  expect((await shown({ id })).addedCount).toBe(transfers);
});

test("blocks that are replaced behind a replay are replayed again, though they are from before the webhook", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  world.proxy.answer = async ({ method, params: [number] }, forward) => {
    if (method === "eth_getBlockByNumber" && Number(number) === last) await held;
    return forward();
  };
  const { id } = await replay(last);
  // It has passed all but the last run, and says so.
  await soon(async () => expect(Number((await shown({ id })).currentBlock)).toBeGreaterThan(last - 10));
  await world.chain.reorg(
    20,
    [0, 0, 1, 7].map((at) => ({ to: address, at })),
  );
  await world.chain.mine(2);
  release();
  await world.followed();
  await soon(async () => expect(await shown({ id })).toMatchObject({ status: "done" }));
  const stands = new Map<string, boolean>();
  for (const { transactionHash, blockHash, removed } of await world.notified(webhook))
    stands.set(`${blockHash} ${transactionHash}`, !removed);
  const expected = await world.chain.transactionsTo(address);
  expect([...stands].flatMap(([place, stays]) => (stays ? [place] : [])).sort()).toEqual(
    expected.map(({ blockHash, hash }) => `${blockHash} ${hash}`).sort(),
  );
});

test("blocks that are replaced after a replay is done are replayed, and nothing is sent again", async () => {
  const { id } = await replay(last);
  await soon(async () => expect(await shown({ id })).toMatchObject({ status: "done", addedCount: transfers }));
  await world.chain.reorg(
    20,
    [0, 0, 1, 7].map((at) => ({ to: address, at })),
  );
  await world.chain.mine(2);
  await world.followed();
  const expected = await world.chain.transactionsTo(address);
  await soon(async () => {
    const stands = standing(await world.notified(webhook));
    expect(stands.map(({ hash, blockHash }) => `${blockHash} ${hash}`).sort()).toEqual(
      expected.map(({ hash, blockHash }) => `${blockHash} ${hash}`).sort(),
    );
  });
  // Four were of the blocks that left, and as many are of those that came.
  await soon(async () =>
    expect(await shown({ id })).toMatchObject({ status: "done", addedCount: transfers + 4, resentCount: 0 }),
  );
  expect((await world.pool.query("SELECT FROM replaced_blocks")).rowCount).toBe(0);
});
