/** Blocks through a real NATS server: a follower gets from the stream what it would get from nodes, and calls no node. */
import { afterEach, expect, test } from "vitest";
import { FencedError } from "../../server/chain/stream/block-stream.ts";
import { soon } from "../chain/chain-world.ts";
import { freshAddress } from "../chain/local-chain.ts";
import { brief, standing } from "../chain/notified.ts";
import { type BlocksWorld, type Reader, startBlocksWorld, startFollowed } from "./blocks-world.ts";
import { streamName } from "./messages.ts";

let world: BlocksWorld;
afterEach(() => world.stop());

async function startedWorld(options: Parameters<typeof startBlocksWorld>[0] = {}) {
  let reader: Reader;
  [world, reader] = await startFollowed(options);
  return reader;
}

test("a follower takes everything from the stream, and calls no node", async () => {
  await startedWorld();
  const addresses = [freshAddress(), freshAddress()];
  const plain = await world.watch({ addresses, includeLogs: true });
  await world.chain.transfers(addresses[1] ?? "", 5);
  await world.followed();
  const traced = await world.watch({ addresses, includeInternalTxs: true });
  await world.chain.transfers(addresses[0] ?? "", 12);
  await world.followedFrom("stream");
  expect(world.proxy.calls).toEqual([]);
  expect(brief(await world.notified(plain))).toBe("+2 +3 +4 +5 +6 +7 +8 +9 +10 +11 +12 +13 +14 +15 +16 +17 +18");
  expect(brief(await world.notified(traced))).toBe("+7 +8 +9 +10 +11 +12 +13 +14 +15 +16 +17 +18");
});

test("a reorganisation comes through the stream, deep or shallow, with the same notifications as from nodes", async () => {
  await startedWorld();
  const address = freshAddress();
  const webhook = await world.watch({ addresses: [address] });
  await world.chain.transfers(address, 3);
  await world.followed();
  await world.chain.reorg(2, [{ to: address, at: 1 }]);
  await world.followedFrom("stream");
  expect(brief(await world.notified(webhook))).toBe("+2 +3 +4 -4 -3 +4");
  await world.chain.mine(10);
  await world.followed();
  await world.chain.reorg(12, [{ to: address, at: 0 }]);
  await world.chain.transfer(address);
  await world.followedFrom("stream");
  const notified = await world.notified(webhook);
  expect(brief(notified)).toBe("+2 +3 +4 -4 -3 +4 -4 +3 +15");
  expect(standing(notified)).toEqual(await world.chain.transactionsTo(address));
  expect(world.proxy.calls).toEqual([]);
});

test("of two readers one publishes, and the other calls no node until the first is gone", async () => {
  const first = await startedWorld();
  const second = await world.startReader();
  const webhook = await world.watch({ addresses: [freshAddress()] });
  const [address = ""] = webhook.metadata.addresses;
  await world.chain.transfers(address, 5);
  await world.followed();
  expect(second.proxy.calls).toEqual([]);
  await first.stop();
  await world.chain.transfers(address, 5);
  await world.followedFrom("stream");
  expect(second.proxy.calls.length).toBeGreaterThan(0);
  await world.assertExact(webhook);
  expect(world.proxy.calls).toEqual([]);
});

test("a reader that was fenced stands by, and reads on from the end of the stream when it takes over again", async () => {
  const reader = await startedWorld();
  const address = freshAddress();
  const webhook = await world.watch({ addresses: [address] });
  await world.chain.transfers(address, 2);
  await world.followed();
  const { lastSequence } = await world.stream.state();
  await expect(world.stream.append(9, Buffer.from("late"), lastSequence - 1)).rejects.toThrow(FencedError);
  await world.stream.append(9, Buffer.from("nonsense"), lastSequence);
  await world.chain.transfers(address, 4);
  await world.published();
  await world.followed();
  // The follower returns to the stream between two blocks.
  await soon(async () => {
    await world.chain.transfer(address);
    await world.followedFrom("stream");
  }, 25_000);
  await world.assertExact(webhook);
  const said = reader.logged.map(({ msg }) => msg);
  expect(said).toContain("standing by: another process publishes the chain's blocks");
  expect(said).toContain("the last message of the stream cannot be used");
});

test("a stream that is wiped, or deleted, or whose server lost its files, goes on where the reader is", async () => {
  await startedWorld();
  const address = freshAddress();
  const webhook = await world.watch({ addresses: [address] });
  const manager = world.connection.current()?.manager;
  const wipes = [
    () => manager?.streams.purge(streamName),
    () => manager?.streams.delete(streamName),
    async () => {
      await world.nats.kill();
      await world.nats.start({ empty: true });
    },
  ];
  for (const wipe of wipes) {
    await world.chain.transfers(address, 3);
    await world.followed();
    await wipe();
    await world.chain.transfers(address, 3);
    await world.followedFrom("stream");
  }
  await world.assertExact(webhook);
});

test("with NATS away a follower waits for its patience, reads from nodes, and returns to the stream", async () => {
  await startedWorld({ chain: { patienceMs: 1_500 } });
  const address = freshAddress();
  const webhook = await world.watch({ addresses: [address] });
  await world.chain.transfers(address, 2);
  await world.followedFrom("stream");
  await world.nats.kill();
  await world.chain.transfers(address, 3);
  await world.followedFrom("nodes");
  const { calls } = world.proxy;
  expect(calls.length).toBeGreaterThan(0);
  expect(await world.stopped()).toBeNull();
  await world.nats.start();
  await soon(async () => {
    await world.chain.transfer(address);
    await world.followedFrom("stream");
  }, 40_000);
  await world.assertExact(webhook);
});

test("NATS that hangs for longer than a follower's patience stops no chain", async () => {
  await startedWorld({ chain: { patienceMs: 1_500 } });
  const address = freshAddress();
  const webhook = await world.watch({ addresses: [address] });
  process.kill(world.nats.pid, "SIGSTOP");
  await world.chain.transfers(address, 2);
  await world.followedFrom("nodes");
  process.kill(world.nats.pid, "SIGCONT");
  expect(world.logged.filter(({ msg }) => msg === "the chain is stopped")).toEqual([]);
  await soon(async () => {
    await world.chain.transfer(address);
    await world.followedFrom("stream");
  }, 40_000);
  await world.assertExact(webhook);
});

test("with NATS away for less than its patience, a follower calls no node", async () => {
  await startedWorld();
  const webhook = await world.watch({ addresses: [freshAddress()] });
  const [address = ""] = webhook.metadata.addresses;
  for (let outage = 0; outage < 3; outage += 1) {
    await world.nats.kill();
    await world.chain.transfers(address, 2);
    await world.nats.start();
    await world.chain.transfers(address, 2);
    await world.followedFrom("stream");
  }
  await world.assertExact(webhook);
  expect(world.proxy.calls).toEqual([]);
});

test("with no reader left, a follower reads from nodes after its patience", async () => {
  const reader = await startedWorld({ chain: { patienceMs: 1_500 } });
  const webhook = await world.watch({ addresses: [freshAddress()] });
  const [address = ""] = webhook.metadata.addresses;
  await reader.stop();
  await world.chain.transfers(address, 3);
  await world.followedFrom("nodes");
  await world.startReader();
  await soon(async () => {
    await world.chain.transfer(address);
    await world.followedFrom("stream");
  }, 40_000);
  await world.assertExact(webhook);
});

test("a follower behind the stream's first block catches up by nodes, and goes on from the stream", async () => {
  world = await startBlocksWorld();
  await world.start({}, {});
  await world.followed();
  const webhook = await world.watch({ addresses: [freshAddress()] });
  const [address = ""] = webhook.metadata.addresses;
  await world.halt();
  await world.chain.transfers(address, 40);
  await world.startReader();
  await world.published();
  await world.follow();
  await world.chain.transfers(address, 70);
  await world.followed();
  await world.chain.transfers(address, 5);
  await world.followedFrom("stream");
  await world.assertExact(webhook);
  expect(world.proxy.calls.length).toBeGreaterThan(0);
});

test("a follower a hundred blocks behind takes them from the stream, after its reader has ended", async () => {
  const reader = await startedWorld();
  const webhook = await world.watch({ addresses: [freshAddress()] });
  const [address = ""] = webhook.metadata.addresses;
  await world.halt();
  await world.chain.transfers(address, 100);
  await world.published();
  await reader.stop();
  await world.follow();
  await world.followedFrom("stream");
  await world.assertExact(webhook);
  expect(world.proxy.calls).toEqual([]);
});

test("missing traces hold up neither the reader nor webhooks without internal transactions", async () => {
  const reader = await startedWorld();
  const address = freshAddress();
  const [plain, traced] = [
    await world.watch({ addresses: [address] }),
    await world.watch({ addresses: [address], includeInternalTxs: true }),
  ];
  await world.chain.transfer(address);
  await world.followed();
  reader.proxy.answer = ({ method }, forward) =>
    method.startsWith("debug_") ? { error: { code: -32000, message: "no state" } } : forward();
  await world.chain.transfers(address, 4);
  await world.assertExact(plain);
  // The follower's own node has them.
  await world.assertExact(traced);
  expect(world.proxy.count("debug_traceBlockByHash")).toBeGreaterThan(0);
});
