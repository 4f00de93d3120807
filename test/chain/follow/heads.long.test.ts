/** Announced heads wake the follower; without them it goes on by polling. */
import { afterEach, expect, test } from "vitest";
import { startRpcProxy } from "../../support/rpc-proxy.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";

const rarely = { pollMs: 60_000 };
let world: ChainWorld;
afterEach(() => world.stop());

async function startAnnounced(chain: { pollMs?: number } = {}): Promise<void> {
  world = await startChainWorld();
  await world.start({ wsUrl: world.proxy.wsUrl, ...chain });
  await soon(async () => expect(world.proxy.sockets.size).toBe(1));
}

async function mineAndFollow(timeoutMs = 5_000): Promise<void> {
  await world.chain.mine(3);
  const head = await world.chain.head();
  await soon(async () => expect(await world.cursor()).toEqual(head), timeoutMs);
}

test("a head that is announced is followed long before the next poll", async () => {
  await startAnnounced(rarely);
  for (let time = 0; time < 3; time += 1) await mineAndFollow();
});

test("an announced block is fetched while the node is asked for its head", async () => {
  await startAnnounced({ pollMs: 200 });
  await mineAndFollow();
  const known = world.proxy.count("eth_getBlockReceipts");
  const fetched = () => world.proxy.count("eth_getBlockReceipts") - known;
  let wasFetched = false;
  let blocks = 0;
  world.proxy.answer = async ({ params }, forward) => {
    // A step that began before the announcement does not fetch the block.
    if (params[0] === "latest" && fetched() < blocks)
      wasFetched ||= await soon(async () => fetched() === blocks || expect.fail(), 1_000).catch(() => false);
    return forward();
  };
  const address = freshAddress();
  const webhook = await world.watch({ addresses: [address] });
  while (!wasFetched) {
    blocks += 1;
    await world.chain.transfers(address, 1);
    await world.assertExact(webhook);
  }
  expect(fetched()).toBe(blocks);
});

test("an announced block that has left the chain before the head is asked for is not recorded", async () => {
  // A new branch must be seen twice.
  await startAnnounced({ pollMs: 200 });
  await mineAndFollow();
  const address = freshAddress();
  const webhook = await world.watch({ addresses: [address] });
  const fetched = new Set<string>();
  const isFetched = async () => {
    expect(fetched).toContain("eth_getBlockByHash");
    expect(fetched).toContain("eth_getBlockReceipts");
    return true;
  };
  let isReorganised = false;
  world.proxy.answer = async ({ method, params }, forward) => {
    const mayReorganise = params[0] === "latest" && !isReorganised;
    // What was fetched before is on record by now. A step that began before the announcement does not fetch the block.
    if (mayReorganise) fetched.clear();
    if (mayReorganise && (await soon(isFetched, 1_000).catch(() => false))) {
      isReorganised = true;
      await world.chain.reorg(1);
    }
    const answer = await forward();
    fetched.add(method);
    return answer;
  };
  while (!isReorganised) {
    await world.chain.transfers(address, 1);
    await soon(async () => isReorganised || expect(await world.cursor()).toEqual(await world.chain.head()));
  }
  await mineAndFollow();
  await world.assertExact(webhook);
});

test("announced blocks are followed by a node that has receipts one by one only", async () => {
  await startAnnounced(rarely);
  world.proxy.answer = ({ method }, forward) =>
    method === "eth_getBlockReceipts" ? { error: { code: -32601, message: "no such method" } } : forward();
  const address = freshAddress();
  await world.followed();
  const webhook = await world.watch({ addresses: [address] });
  await world.chain.transfers(address, 3);
  await world.assertExact(webhook);
});

test("without announcements the next poll finds the head", async () => {
  world = await startChainWorld();
  await world.start({ wsUrl: "ws://127.0.0.1:1", pollMs: 20 });
  await mineAndFollow();
});

test("when the socket is lost and stays so, every block is followed all the same, by polling", async () => {
  world = await startChainWorld();
  const socket = await startRpcProxy(world.node.rpcUrl);
  await world.start({ wsUrl: socket.wsUrl, pollMs: 100 });
  await soon(async () => expect(socket.sockets.size).toBe(1));
  const address = freshAddress();
  await world.followed();
  const webhook = await world.watch({ addresses: [address] });
  await world.chain.transfers(address, 2);
  await socket.close();
  await world.chain.transfers(address, 5);
  await world.assertExact(webhook);
});

test("heads that came while there was no socket are found when there is one again", async () => {
  await startAnnounced(rarely);
  await mineAndFollow();
  for (const socket of world.proxy.sockets) socket.destroy();
  await mineAndFollow(10_000);
});

test("when following ends, the socket is closed", async () => {
  await startAnnounced();
  await mineAndFollow();
  await world.halt();
  await soon(async () => expect(world.proxy.sockets.size).toBe(0));
});

test("neither the socket's path nor its key is logged", async () => {
  world = await startChainWorld();
  world.proxy.upstream = undefined;
  const key = "3f9c1b7a5d2e4086";
  await world.start({ wsUrl: `${world.proxy.wsUrl.replace("ws://", `ws://user:${key}@`)}/v3/${key}?token=${key}` });
  await soon(async () => expect(JSON.stringify(world.logged)).toContain("heads are not announced"));
  expect(JSON.stringify(world.logged)).not.toContain(key);
});
