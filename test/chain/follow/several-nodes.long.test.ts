/** With several nodes for a chain, one good one is enough: whichever fails, lags or is alone with its opinion is set aside. */
import { afterEach, expect, test } from "vitest";
import { type RpcProxy, startRpcProxy } from "../../support/rpc-proxy.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";
import { type Branch, sameGenesis, startBranch } from "../second-branch.ts";

let world: ChainWorld;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await world.stop();
  for (const close of closing.splice(0)) await close();
});

/** Another way to the same node, or to another one. */
async function second(rpcUrl = world.node.rpcUrl): Promise<RpcProxy> {
  const proxy = await startRpcProxy(rpcUrl);
  closing.push(proxy.close);
  return proxy;
}

async function followedByTwo(): Promise<{ other: RpcProxy; address: string }> {
  world = await startChainWorld();
  const other = await second();
  await world.start({ rpcUrls: [world.proxy.url, other.url] });
  await world.followed();
  return { other, address: freshAddress() };
}

const logged = () => JSON.stringify(world.logged);

test("a preferred node whose head stays behind the other's is set aside", async () => {
  const { address } = await followedByTwo();
  const webhook = await world.watch({ addresses: [address] });
  const old = await world.chain.rpc("eth_getBlockByNumber", ["latest", false]);
  world.proxy.answer = ({ params }, forward) => (params[0] === "latest" ? { result: old } : forward());
  await world.chain.transfers(address, 3);
  await world.assertExact(webhook);
  expect(logged()).toContain("other nodes are ahead");
});

test("on a chain without new blocks no node is set aside for lagging", async () => {
  const { other } = await followedByTwo();
  await soon(async () => expect(other.count("eth_getBlockByNumber")).toBeGreaterThan(1));
  expect(logged()).not.toContain("other nodes are ahead");
});

test("a node with Retry-After rests that long while another is used, then is preferred again", async () => {
  const { other, address } = await followedByTwo();
  const webhook = await world.watch({ addresses: [address] });
  let refusedAt = 0;
  let askedAgainAt = 0;
  world.proxy.answer = (_, forward) => {
    if (refusedAt > 0) {
      askedAgainAt ||= performance.now();
      return forward();
    }
    refusedAt = performance.now();
    return { status: 429, text: "slow down", headers: { "retry-after": "2" } };
  };
  await world.chain.transfers(address, 3);
  await world.assertExact(webhook);
  expect(other.calls.length).toBeGreaterThan(0);
  await soon(async () => expect(askedAgainAt).toBeGreaterThan(0));
  expect(askedAgainAt - refusedAt).toBeGreaterThan(1_900);
  // Of its head it may still be asked, to see whether the preferred one lags.
  const blocks = other.count("eth_getBlockReceipts");
  await world.chain.transfers(address, 2);
  await world.assertExact(webhook);
  expect(other.count("eth_getBlockReceipts")).toBe(blocks);
});

test.each<[string, Parameters<typeof breakNode>[0]]>([
  ["null to everything", () => ({ result: null })],
  ["an error to everything", () => ({ error: { code: -32603, message: "internal error" } })],
  ["no answer at all", () => new Promise(() => undefined)],
  ["truncated JSON", () => ({ status: 200, text: '{"jsonrpc":"2.0","id":0,"result":{"num' })],
  ["blocks without their receipts", ({ method }, forward) => (/Receipts/.test(method) ? { result: [] } : forward())],
])("a node that returns %s costs no block", async (_, answer) => {
  const { address } = await followedByTwo();
  const webhook = await world.watch({ addresses: [address] });
  breakNode(answer);
  await world.chain.transfers(address, 5);
  await world.assertExact(webhook);
});

function breakNode(answer: RpcProxy["answer"]): void {
  world.proxy.answer = answer;
}

/** A world on one branch, followed by the first node, and a node on another branch of the same length and one more. */
async function parted(): Promise<{ branch: Branch; address: string }> {
  world = await startChainWorld({ node: sameGenesis });
  const branch = await startBranch(world);
  closing.push(branch.stop);
  const address = freshAddress();
  await branch.diverge();
  await branch.chain.mine(5);
  return { branch, address };
}

test("no notification is retracted on one node's word while another node has the block", async () => {
  const { branch, address } = await parted();
  const alone = await second(branch.rpcUrl);
  await world.start();
  await world.followed();
  const webhook = await world.watch({ addresses: [address] });
  await world.chain.transfers(address, 2);
  await world.followed();
  await world.halt();
  await world.start({ rpcUrls: [alone.url, world.proxy.url] });
  await soon(async () => expect(logged()).toContain("and the other nodes have another"));
  await world.chain.transfers(address, 2);
  await world.assertExact(webhook);
});

test("a block that most nodes have left is retracted, although one still has it", async () => {
  const { branch, address } = await parted();
  const [one, two] = [await second(branch.rpcUrl), await second(branch.rpcUrl)];
  await world.start();
  await world.followed();
  const webhook = await world.watch({ addresses: [address] });
  await world.chain.transfers(address, 2);
  await world.followed();
  await world.halt();
  await world.start({ rpcUrls: [one.url, world.proxy.url, two.url] });
  await world.followed(branch.chain);
  expect((await world.notified(webhook)).map(({ removed }) => removed)).toEqual([false, false, true, true]);
});

test("a node alone on its branch is not followed while the good nodes are away for a moment", async () => {
  const { branch, address } = await parted();
  const [alone, good] = [await second(branch.rpcUrl), await second()];
  await world.start();
  await world.followed();
  const webhook = await world.watch({ addresses: [address] });
  await world.chain.transfers(address, 2);
  await world.followed();
  await world.halt();
  await world.start({ rpcUrls: [world.proxy.url, alone.url, good.url] });
  await world.followed();
  for (const proxy of [world.proxy, good]) proxy.down = true;
  // Often enough to be followed if it were the only node.
  alone.calls.length = 0;
  await soon(async () => expect(alone.calls.filter(({ params }) => params[0] === "latest").length).toBeGreaterThan(20));
  expect(await world.notified(webhook)).toHaveLength(2);
  for (const proxy of [world.proxy, good]) proxy.down = false;
  await world.chain.transfers(address, 2);
  await world.assertExact(webhook);
});
