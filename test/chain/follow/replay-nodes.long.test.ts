/** Replays choose their nodes as following does: one that fails is left alone, for as long as it asks, and another serves. */
import { afterEach, expect, test } from "vitest";
import { createReplay, getReplay } from "../../../server/store/chains/replays.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import { type RpcAnswer, type RpcProxy, startRpcProxy } from "../../support/rpc-proxy.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";

let world: ChainWorld;
let second: RpcProxy | undefined;
afterEach(async () => {
  await world.stop();
  await second?.close();
  second = undefined;
});

/** When blocks were requested of the preferred node by number, as replays do: the three of the first run together, then those of another. */
let askedAt: number[];

/** Two nodes, the first of which responds so to the first request for a block, and a replay of some blocks. */
async function replayed(answer: (call: number) => RpcAnswer | undefined, nodes: 1 | 2, blocks = 3) {
  world = await startChainWorld();
  second = await startRpcProxy(world.node.rpcUrl);
  await world.start({ rpcUrls: [world.proxy.url, second.url].slice(0, nodes) });
  await world.followed();
  const address = freshAddress();
  await world.chain.transfers(address, blocks);
  await world.followed();
  askedAt = [];
  world.proxy.answer = ({ method, params: [number] }, forward) => {
    if (method !== "eth_getBlockByNumber" || number === "latest") return forward();
    askedAt.push(performance.now());
    return answer(askedAt.length) ?? forward();
  };
  second.calls.length = 0;
  const webhook = await world.watch({ addresses: [address] });
  const { id } = await inTransaction(world.pool, (db) =>
    createReplay(db, 1, webhook.id, { from: 1n, to: BigInt(blocks), includeEarlier: true }),
  );
  const done = () =>
    soon(async () => expect(await getReplay(world.pool, 1, webhook.id, id)).toMatchObject({ status: "done" }));
  return { webhook, done, other: second };
}

const slowDown: RpcAnswer = { status: 429, text: "slow down", headers: { "retry-after": "3" } };

test("a node with Retry-After rests that long while another is used", async () => {
  const { webhook, done, other } = await replayed((call) => (call === 1 ? slowDown : undefined), 2);
  await done();
  expect(other.count("eth_getBlockReceipts")).toBeGreaterThan(0);
  expect(await world.notified(webhook)).toHaveLength(3);
  const [refused = 0, , , again = refused + 3_000] = askedAt;
  expect(again - refused).toBeGreaterThan(2_900);
});

test("the only node's Retry-After is honoured", async () => {
  const { webhook, done } = await replayed((call) => (call === 1 ? slowDown : undefined), 1);
  await done();
  expect(await world.notified(webhook)).toHaveLength(3);
  const [refused = 0, , , again = refused] = askedAt;
  expect(again - refused).toBeGreaterThan(2_900);
});

test("once a node throttles, it is asked again after a pause: following has what it allows", async () => {
  const { webhook, done } = await replayed((call) => (call === 1 ? { ...slowDown, headers: {} } : undefined), 1, 9);
  await done();
  expect(await world.notified(webhook)).toHaveLength(9);
  // The second run may have begun with the first one.
  const pauses = askedAt.filter((at, index) => index > 0 && at - (askedAt[index - 1] ?? at) > 7_000);
  expect(pauses.length).toBeGreaterThan(0);
});

test("a node that lacks a block is skipped immediately, and the replay counts no failure", async () => {
  const { webhook, done } = await replayed(() => ({ result: null }), 2);
  await done();
  expect(await world.notified(webhook)).toHaveLength(3);
  expect((await world.pool.query("SELECT sum(failures)::int AS failures FROM replays")).rows).toEqual([
    { failures: 0 },
  ]);
});
