/** A branch that takes the place of another, whichever way and whenever: it is followed over without a gap. */

import { afterEach, expect, test } from "vitest";
import { runs } from "../../support/runs.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress, type LocalChain } from "../local-chain.ts";
import { brief, standing } from "../notified.ts";
import { type Branch, sameGenesis, startBranch } from "../second-branch.ts";

let world: ChainWorld;
let branch: Branch | undefined;
afterEach(async () => {
  await world.stop();
  await branch?.stop();
  branch = undefined;
});

/** A chain that is followed, and another node's branch from its first block on. */
async function twoBranches(): Promise<{ a: LocalChain; b: Branch }> {
  world = await startChainWorld({ node: sameGenesis });
  branch = await startBranch(world);
  await world.start();
  await world.followed();
  return { a: world.chain, b: branch };
}

test("retractions come before the new branch, the newest block's first", async () => {
  const { a, b } = await twoBranches();
  const address = freshAddress();
  const { id } = await world.watch({ addresses: [address] });
  await a.transfers(address, 3);
  await world.followed();
  await b.diverge();
  await b.chain.transfers(address, 3);
  world.proxy.upstream = b.rpcUrl;
  await world.followed(b.chain);
  expect(brief(await world.notified({ id }))).toBe("+1 +2 +3 -3 -2 -1 +2 +3 +4");
});

test("a branch that comes back is notified again, under new messageIds", async () => {
  const { a, b } = await twoBranches();
  const address = freshAddress();
  const { id } = await world.watch({ addresses: [address] });
  await a.transfers(address, 2);
  await world.followed();
  await b.diverge();
  await b.chain.transfers(address, 2);
  world.proxy.upstream = b.rpcUrl;
  await world.followed(b.chain);
  await a.transfers(address, 2);
  world.proxy.upstream = world.node.rpcUrl;
  await world.followed(a);
  await b.chain.transfers(address, 2);
  world.proxy.upstream = b.rpcUrl;
  await world.followed(b.chain);

  const notified = await world.notified({ id });
  expect(brief(notified)).toBe("+1 +2 -2 -1 +2 +3 -3 -2 +1 +2 +3 +4 -4 -3 -2 -1 +2 +3 +4 +5");
  expect(notified.map(({ occurrence }) => occurrence).join(" ")).toBe("0 0 1 1 0 0 1 1 2 2 0 0 1 1 3 3 2 2 0 0");
  expect(new Set(notified.map(({ messageId }) => messageId)).size).toBe(notified.length);
});

test("a branch longer than a step is retracted and replaced without a gap", async () => {
  const { a, b } = await twoBranches();
  const address = freshAddress();
  const { id } = await world.watch({ addresses: [address] });
  await a.transfers(address, 30);
  await world.followed();
  await b.diverge();
  await b.chain.transfers(address, 35);
  world.proxy.upstream = b.rpcUrl;
  await world.followed(b.chain);

  const notified = await world.notified({ id });
  expect(notified.length).toBe(30 + 30 + 35);
  expect(standing(notified)).toEqual(await b.chain.transactionsTo(address));
});

test("a chain that reorganises while it is not followed is retracted and followed on from where it parted", async () => {
  const { a, b } = await twoBranches();
  const address = freshAddress();
  const { id } = await world.watch({ addresses: [address] });
  await a.transfers(address, 2);
  await world.followed();
  await world.halt();
  await b.diverge();
  await b.chain.transfers(address, 40);
  world.proxy.upstream = b.rpcUrl;
  await world.start();
  await world.followed(b.chain);
  expect(brief(await world.notified({ id }))).toMatch(/^\+1 \+2 -2 -1 \+2 \+3 /);
  expect(standing(await world.notified({ id }))).toEqual(await b.chain.transactionsTo(address));
});

test("a chain that changes while several blocks are fetched is recorded as far as they hold together, and then replaced", async () => {
  const { a, b } = await twoBranches();
  const address = freshAddress();
  const { id } = await world.watch({ addresses: [address] });
  await world.halt();
  await a.transfers(address, 2);
  await a.mine(10);
  await b.diverge();
  await b.chain.mine(12);
  const hashAt = async (number: number) =>
    (await a.rpc<{ hash: string }>("eth_getBlockByNumber", [`0x${number.toString(16)}`, false])).hash;
  const old = await Promise.all([1, 2, 3, 4].map(hashAt));
  const recorded = new Set<string>();
  let changed = false;
  // Up to block 4 it is the old chain in whatever order blocks and receipts are requested, from block 5 on the new one.
  world.proxy.answer = async ({ method, params }, forward) => {
    const number = method === "eth_getBlockByNumber" ? Number(params[0]) : Number.NaN;
    changed ||= number >= 5;
    const isOld = number < 5 || old.includes(String(params[0]));
    world.proxy.upstream = changed && !isOld ? b.rpcUrl : world.node.rpcUrl;
    const answer = await forward();
    recorded.add(String((await world.cursor())?.hash));
    return answer;
  };
  await world.start();
  await world.followed(b.chain);
  expect(recorded).toContain(old[3]);
  expect(JSON.stringify(world.logged)).not.toContain("a step of the chain failed");
  expect(brief(await world.notified({ id }))).toBe("+1 +2 -2 -1");
});

test("another block at the height of the cursor is not followed when it is seen only once", async () => {
  const { a, b } = await twoBranches();
  const address = freshAddress();
  const { id } = await world.watch({ addresses: [address] });
  await a.transfer(address);
  await world.followed();
  await b.chain.transfer(freshAddress());
  for (let time = 0; time < 3; time += 1) {
    let polls = 0;
    world.proxy.answer = ({ params }, forward) => {
      if (params[0] === "latest") polls += 1;
      world.proxy.upstream = polls === 2 ? b.rpcUrl : world.node.rpcUrl;
      return forward();
    };
    await soon(async () => expect(polls).toBeGreaterThan(4));
  }
  world.proxy.answer = (_, forward) => forward();
  await a.transfer(address);
  await world.followed();
  expect(brief(await world.notified({ id }))).toBe("+1 +2");
});

test("a rival at the same height that stays is followed, though its branch is no longer", async () => {
  const { a, b } = await twoBranches();
  const address = freshAddress();
  const { id } = await world.watch({ addresses: [address] });
  await a.transfer(address);
  await world.followed();
  await b.diverge();
  world.proxy.upstream = b.rpcUrl;
  await world.followed(b.chain);
  expect(brief(await world.notified({ id }))).toBe("+1 -1");
});

test("a chain that became shorter waits, and is followed when it has caught up", async () => {
  world = await startChainWorld();
  await world.start();
  await world.followed();
  const address = freshAddress();
  const { id } = await world.watch({ addresses: [address] });
  await world.chain.transfers(address, 4);
  await world.followed();
  await world.chain.rpc("anvil_rollback", [2]);
  await world.chain.transfer(address);
  const calls = world.proxy.count("eth_getBlockByNumber");
  await soon(async () => expect(world.proxy.count("eth_getBlockByNumber")).toBeGreaterThan(calls + 4));
  expect(brief(await world.notified({ id }))).toBe("+1 +2 +3 +4");
  await world.chain.mine();
  await world.followed();
  expect(brief(await world.notified({ id }))).toBe("+1 +2 +3 +4 -4 -3 +3");
});

test("a reorganisation of every depth down to finality is followed, one after the other", async () => {
  const deepest = runs(5, 20);
  world = await startChainWorld({ chain: { finality: { confirmations: deepest } } });
  await world.start();
  await world.followed();
  const address = freshAddress();
  const { id } = await world.watch({ addresses: [address] });
  await world.chain.transfers(address, deepest + 2);
  await world.followed();
  for (let depth = 1; depth <= deepest; depth += 1) {
    const before = (await world.notified({ id })).filter(({ removed }) => removed).length;
    const leaving = standing(await world.notified({ id })).filter(
      ({ blockNumber }) => blockNumber > deepest + 2 - depth,
    );
    await world.chain.reorg(
      depth,
      [0, 1, 2].filter((at) => at < depth).map((at) => ({ to: address, at })),
    );
    await world.followed();
    const notified = await world.notified({ id });
    expect(notified.filter(({ removed }) => removed).length - before).toBe(leaving.length);
    expect(standing(notified)).toEqual(await world.chain.transactionsTo(address));
  }
  expect(await world.stopped()).toBeNull();
});
