/** What the stream holds is refused unless it is exactly a block of the chain. Then it is read from nodes. */
import { randomBytes } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { largestBlock } from "../../server/chain/read/packed-block.ts";
import { toPieces } from "../../server/chain/stream/pieces.ts";
import { soon } from "../chain/chain-world.ts";
import { freshAddress } from "../chain/local-chain.ts";
import { type BlocksWorld, type Reader, type startBlocksWorld, startFollowed } from "./blocks-world.ts";
import {
  anyHash,
  bundleAt,
  headerOf,
  messageAt,
  messageInflatingTo,
  messageOf,
  publishAt,
  streamName,
  withoutTransactions,
} from "./messages.ts";

let world: BlocksWorld;
afterEach(() => world.stop());

async function startedWorld(options: Parameters<typeof startBlocksWorld>[0] = {}) {
  let reader: Reader;
  [world, reader] = await startFollowed(options);
  return reader;
}

test.each([
  ["of another program", async () => Buffer.from("hello")],
  ["of another version", async (message: Buffer) => message.fill(9, 3, 4)],
  ["cut off", async (message: Buffer) => message.subarray(0, message.length - 40)],
  ["changed", async (message: Buffer) => message.fill(7, message.length - 40)],
  ["of another chain", async () => messageOf(await bundleAt(world.chain, 4), { chainId: "1" })],
  ["named as another block than it holds", async () => messageOf(await bundleAt(world.chain, 4), { hash: anyHash(9) })],
  [
    "larger inflated than a block may be",
    async () => {
      const bundle = await bundleAt(world.chain, 4);
      return messageInflatingTo(bundle, JSON.stringify({ ...bundle, more: " ".repeat(largestBlock) }));
    },
  ],
  [
    "full of empty objects, which a thread would parse for minutes",
    async () => {
      const bundle = await bundleAt(world.chain, 4);
      const receipts = `[${"{},".repeat(15_000_000)}{}]`;
      return messageInflatingTo(bundle, `{"block":${JSON.stringify(bundle.block)},"receipts":${receipts}}`);
    },
  ],
  [
    "in more pieces than a block may have",
    async () => {
      const bundle = await bundleAt(world.chain, 4);
      const pieces = toPieces(headerOf(bundle), randomBytes(9_000 * 10), { maxPayload: 1_034 });
      return pieces.at(-1) ?? Buffer.alloc(0);
    },
  ],
  ["without its transactions", async () => messageOf(withoutTransactions(await bundleAt(world.chain, 4)))],
])("a block that is %s is refused and read from nodes, and nothing wrong is recorded", async (_what, change) => {
  const reader = await startedWorld({ chain: { patienceMs: 1_500 } });
  const address = freshAddress();
  const webhook = await world.watch({ addresses: [address], includeLogs: true });
  await world.chain.transfers(address, 2);
  await world.followed();
  await world.halt();
  await world.chain.transfers(address, 3);
  await world.published();
  await reader.stop();
  await publishAt(world, 4, await change(await messageAt(world, 4)));
  await world.follow();
  await world.followed();
  await world.assertExact(webhook);
  expect(world.proxy.calls.length).toBeGreaterThan(0);
});

test("blocks larger than max_payload go in pieces, and one without all of them is read from nodes", async () => {
  await startedWorld({ nats: { maxPayload: 4_096 } });
  const address = freshAddress();
  const webhook = await world.watch({ addresses: [address] });
  const data = `0x${randomBytes(12_000).toString("hex")}`;
  const [from] = await world.chain.rpc<string[]>("eth_accounts");
  const send = async () => {
    const hash = await world.chain.rpc("eth_sendTransaction", [{ from, to: address, data, gas: "0x4c4b40" }]);
    // The node answers before the block is made.
    await soon(async () => expect(await world.chain.rpc("eth_getTransactionReceipt", [hash])).not.toBeNull());
  };
  await send();
  await world.followedFrom("stream");
  expect(world.proxy.calls).toEqual([]);
  await world.halt();
  await send();
  await world.published();
  const { sequence = 0 } = (await world.stream.header((await world.chain.head()).number)) ?? {};
  await world.connection.current()?.manager.streams.deleteMessage(streamName, sequence - 1);
  await world.follow();
  await world.followedFrom("nodes");
  await send();
  await world.followedFrom("stream");
  await world.assertExact(webhook);
});

test("a reader that is killed between two pieces leaves nothing that counts", async () => {
  const reader = await startedWorld({ nats: { maxPayload: 4_096 } });
  const address = freshAddress();
  const webhook = await world.watch({ addresses: [address] });
  await reader.stop();
  const bundle = await bundleAt(world.chain, 1);
  const data = randomBytes(9_000);
  const header = { ...headerOf(bundle), number: 2, hash: anyHash(2), parentHash: bundle.block.hash };
  const [first = data] = toPieces(header, data, { maxPayload: 4_096 });
  await publishAt(world, 2, first);
  await world.chain.transfers(address, 3);
  await world.startReader();
  await world.followedFrom("stream");
  await world.assertExact(webhook);
  expect(world.proxy.calls).toEqual([]);
});
