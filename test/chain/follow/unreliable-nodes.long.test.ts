/** Nodes may be away, late, wrong or in pieces: it costs time, and never a block. */
import { afterEach, expect, test } from "vitest";
import { startRpcProxy } from "../../support/rpc-proxy.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";

let world: ChainWorld;
afterEach(() => world.stop());

test("a node that is down at the start is retried until it responds", async () => {
  world = await startChainWorld();
  world.proxy.down = true;
  await world.start();
  await soon(async () => expect(JSON.stringify(world.logged)).toContain("a step of the chain failed"));
  expect(await world.cursor()).toBeUndefined();
  world.proxy.down = false;
  await world.followed();
});

test("a node that dies and comes back costs nothing but time", async () => {
  world = await startChainWorld();
  const address = freshAddress();
  await world.start();
  await world.followed();
  const webhook = await world.watch({ addresses: [address] });
  await world.chain.transfers(address, 2);
  world.proxy.down = true;
  await world.chain.transfers(address, 5);
  await soon(async () => expect(JSON.stringify(world.logged)).toContain("a step of the chain failed"));
  world.proxy.down = false;
  await world.chain.transfers(address, 2);
  await world.followed();
  await world.assertExact(webhook);
});

test("while a node cuts every fifth call, every block is still recorded once", async () => {
  world = await startChainWorld();
  const address = freshAddress();
  let calls = 0;
  await world.start();
  await world.followed();
  const webhook = await world.watch({ addresses: [address] });
  world.proxy.answer = (_, forward) => (++calls % 5 === 0 ? "cut" : forward());
  await world.chain.transfers(address, 4);
  await soon(async () => expect(await world.notified(webhook)).toHaveLength(4));
  world.proxy.answer = (_, forward) => forward();
  await world.followed();
  await world.assertExact(webhook);
});

test("a node that refuses long batches gets shorter ones, and following still catches up", async () => {
  world = await startChainWorld();
  const address = freshAddress();
  await world.start();
  await world.followed();
  const webhook = await world.watch({ addresses: [address] });
  await world.halt();
  await world.chain.transfers(address, 20);
  let inFlight = 0;
  world.proxy.answer = async (_, forward) => {
    inFlight += 1;
    try {
      return inFlight > 3 ? { status: 429, text: "slow down" } : await forward();
    } finally {
      inFlight -= 1;
    }
  };
  await world.start();
  await soon(async () => expect(await world.notified(webhook)).toHaveLength(20));
  await world.assertExact(webhook);
});

test("the second rpcUrl takes over when the first fails", async () => {
  world = await startChainWorld();
  const second = await startRpcProxy(world.node.rpcUrl);
  const address = freshAddress();
  await world.start({ rpcUrls: [world.proxy.url, second.url], traces: false });
  await world.followed();
  expect(second.calls).toEqual([]);
  const webhook = await world.watch({ addresses: [address] });
  world.proxy.down = true;
  await world.chain.transfers(address, 3);
  await world.followed();
  await world.assertExact(webhook);
  expect(second.calls.length).toBeGreaterThan(0);
  await second.close();
});

test("a node of another chain is never followed", async () => {
  world = await startChainWorld();
  world.proxy.answer = ({ method }, forward) => (method === "eth_chainId" ? { result: "0x1" } : forward());
  await world.start();
  await soon(async () => expect(JSON.stringify(world.logged)).toContain("it is a node of chain 1, not 43112"));
  expect(await world.cursor()).toBeUndefined();
});

test("an older head from a lagging node is ignored", async () => {
  world = await startChainWorld();
  const address = freshAddress();
  await world.start();
  await world.followed();
  const webhook = await world.watch({ addresses: [address] });
  const first = await world.chain.transfer(address);
  await world.chain.transfers(address, 2);
  await world.followed();
  const cursor = await world.cursor();
  const old = await world.chain.rpc("eth_getBlockByNumber", [`0x${first.blockNumber.toString(16)}`, false]);
  world.proxy.answer = ({ params }, forward) => (params[0] === "latest" ? { result: old } : forward());
  world.proxy.calls.length = 0;
  await soon(async () => expect(world.proxy.calls.length).toBeGreaterThan(5));
  expect(await world.cursor()).toEqual(cursor);
  world.proxy.answer = (_, forward) => forward();
  await world.chain.transfers(address, 1);
  await world.followed();
  await world.assertExact(webhook);
});

test("a node that lacks blocks below its own head is followed as far as it has them", async () => {
  world = await startChainWorld();
  await world.chain.mine(2);
  await world.start();
  await world.followed();
  world.proxy.answer = ({ params }, forward) => (Number(params[0]) > 5 ? { result: null } : forward());
  await world.chain.mine(8);
  await soon(async () => expect((await world.cursor())?.number).toBe(5));
  await soon(async () => expect(JSON.stringify(world.logged)).toContain("no block 6, below its own head"));
  world.proxy.answer = (_, forward) => forward();
  await world.followed();
});

test("a block that fails a check is fetched again and never accepted", async () => {
  world = await startChainWorld();
  const address = freshAddress();
  await world.start();
  await world.followed();
  const before = await world.cursor();
  const webhook = await world.watch({ addresses: [address] });
  world.proxy.answer = ({ method }, forward) => (method === "eth_getBlockReceipts" ? { result: [] } : forward());
  await world.chain.transfers(address, 2);
  await soon(async () => expect(world.proxy.count("eth_getBlockReceipts")).toBeGreaterThan(2));
  expect(await world.cursor()).toEqual(before);
  expect(JSON.stringify(world.logged)).toContain("has 1 transactions and 0 receipts");
  world.proxy.answer = (_, forward) => forward();
  await world.followed();
  await world.assertExact(webhook);
});
