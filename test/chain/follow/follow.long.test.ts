/** Every block is followed, each once and in its order, whatever becomes of the service or the database meanwhile. */

import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { createMetrics } from "../../../server/base/metrics.ts";
import { followLanes } from "../../../server/chain/follow/follow.ts";
import { listenForWork } from "../../../server/store/delivery/announcements.ts";
import { createPool } from "../../../server/store/pool.ts";
import { eventually } from "../../support/eventually.ts";
import { startRpcProxy } from "../../support/rpc-proxy.ts";
import { testChain } from "../../support/service.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";
import { startTcpGate } from "../tcp-gate.ts";

let world: ChainWorld;
afterEach(() => world.stop());

test("after downtime it resumes at its cursor and catches up many blocks, each once and in order", async () => {
  world = await startChainWorld();
  const address = freshAddress();
  await world.start();
  await world.followed();
  const webhook = await world.watch({ addresses: [address] });
  await world.chain.transfers(address, 3);
  await world.followed();
  await world.halt();
  const missed = 30;
  await world.chain.transfers(address, missed);
  world.proxy.calls.length = 0;
  await world.start();
  await world.followed();
  // Several blocks a step, since each step fetches the head once.
  expect(world.proxy.calls.filter(({ params }) => params[0] === "latest").length).toBeLessThan(missed / 2);
  await world.assertExact(webhook);
});

test("without startBlock it starts at the head, and notifies of nothing earlier", async () => {
  world = await startChainWorld();
  await world.chain.mine(5);
  await world.start();
  await world.followed();
  expect((await world.watch({ addresses: [freshAddress()] })).effectiveFromBlock).toBe("6");
});

test.each([
  [0, 1],
  [1, 1],
  [4, 4],
])("with startBlock %d the first block followed is %d", async (startBlock, first) => {
  world = await startChainWorld({ chain: { startBlock } });
  const address = freshAddress();
  await world.chain.transfers(address, 6);
  // Watched from the first block on, as if it had been there before the chain was followed.
  await world.pool.query("UPDATE chain_lanes SET cursor_number = -1, cursor_hash = ''");
  const { id } = await world.watch({ addresses: [address] });
  await world.pool.query("UPDATE chain_lanes SET cursor_number = NULL, cursor_hash = NULL");
  await world.start();
  await world.followed();
  expect((await world.notified({ id })).map(({ blockNumber }) => blockNumber)).toEqual(
    Array.from({ length: 7 - first }, (_, index) => first + index),
  );
});

test("with a startBlock above the head it waits for the block before", async () => {
  world = await startChainWorld({ chain: { startBlock: 4 } });
  await world.start();
  await soon(async () => expect(JSON.stringify(world.logged)).toContain("no block 3, before startBlock"));
  expect(await world.cursor()).toBeUndefined();
  await world.chain.mine(3);
  await soon(async () => expect((await world.cursor())?.number).toBe(3));
});

test("empty blocks are followed without asking for receipts", async () => {
  world = await startChainWorld();
  await world.start();
  await world.followed();
  await world.chain.mine(30);
  await world.followed();
  expect(world.proxy.count("eth_getBlockReceipts")).toBe(0);
});

test("the newest head that a node reported is on record before the chain is followed up to it", async () => {
  world = await startChainWorld();
  await world.start();
  await world.followed();
  world.proxy.answer = ({ method, params }, forward) =>
    method === "eth_getBlockByNumber" && params[0] !== "latest" ? { result: null } : forward();
  await world.chain.mine(7);
  await soon(async () => {
    const { rows } = await world.pool.query("SELECT head_number, cursor_number FROM chain_lanes");
    expect(rows).toEqual([{ head_number: 7, cursor_number: 0 }]);
  });
});

test("it waits for an unavailable database, and sets no node aside", async () => {
  world = await startChainWorld();
  const second = await startRpcProxy(world.node.rpcUrl);
  const url = new URL(world.databaseUrl);
  const gate = await startTcpGate(Number(url.port));
  url.port = String(gate.port);
  const address = freshAddress();
  await world.start({ rpcUrls: [world.proxy.url, second.url], traces: false }, { databaseUrl: url.href });
  await world.followed();
  const webhook = await world.watch({ addresses: [address] });
  gate.shut();
  await world.chain.transfers(address, 3);
  await soon(async () => expect(JSON.stringify(world.logged)).toContain("a step of the chain failed"));
  gate.open();
  await world.followed();
  await world.assertExact(webhook);
  expect(second.calls).toEqual([]);
  await world.halt();
  await Promise.all([second.close(), gate.close()]);
});

test("what is recorded is announced to the processes that deliver, once it is committed, and nothing else is", async () => {
  world = await startChainWorld();
  const pool = createPool(world.databaseUrl);
  const counts: Promise<number>[] = [];
  const count = async () => (await pool.query<{ count: number }>("SELECT count(*) FROM notifications")).rows[0]?.count;
  const listener = listenForWork(pool, (work) => {
    if (work === "notifications") counts.push(count().then(Number));
  });
  const address = freshAddress();
  await world.start();
  await world.followed();
  await world.watch({ addresses: [address] });
  await eventually(() => expect(listener.hears()).toBe(true));
  await world.chain.mine(2);
  await world.followed();
  expect(counts).toHaveLength(0);
  await world.chain.transfer(address);
  await eventually(() => expect(counts).toHaveLength(1));
  expect(await Promise.all(counts)).toEqual([1]);
  listener.stop();
  await pool.end();
});

test("two concurrent followers, as after a lease was lost unnoticed, record every block once", async () => {
  world = await startChainWorld();
  const address = freshAddress();
  await world.start();
  await world.followed();
  const webhook = await world.watch({ addresses: [address] });
  const end = followBeside();
  await world.chain.transfers(address, 20);
  await world.followed();
  await world.assertExact(webhook);
  await end();
});

/** Follows the chain without asking whose lease it is. @returns what ends it */
function followBeside(): () => Promise<void> {
  const over = new AbortController();
  const pool = createPool(world.databaseUrl);
  const never = new AbortController().signal;
  const done = followLanes({
    pool,
    metrics: createMetrics(),
    chain: { ...testChain({ rpcUrl: world.proxy.url }), pollMs: 20 },
    kind: { name: "plain", traces: false, catchesUp: false },
    lease: { key: "43112", owner: "", epoch: 0, stopping: over.signal, lost: never, isOwned: () => true },
    log: pino({ level: "silent" }),
  });
  return async () => {
    over.abort();
    await done;
    await pool.end();
  };
}
