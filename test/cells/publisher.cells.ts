/** A publisher goes on after the stream's last complete block, and publishes only what follows on it. */
import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recordedBundle } from "../../scripts/local/recorded.ts";
import { createMetrics } from "../../server/base/metrics.ts";
import type { LaneRecord } from "../../server/chain/follow/lane-record.ts";
import { chainMetrics } from "../../server/chain/observe.ts";
import { createReadState, PublishedLane } from "../../server/chain/publish/publish.ts";
import { type ReadBlock, readBlock } from "../../server/chain/read/block.ts";
import { depthWithoutTag } from "../../server/chain/sources/node-source.ts";
import { streamSource } from "../../server/chain/sources/stream-source.ts";
import { openBlockStream, openPublisher } from "../../server/chain/stream/block-stream.ts";
import { type BlocksConnection, connectBlocks } from "../../server/chain/stream/connection.ts";
import { toPieces } from "../../server/chain/stream/pieces.ts";
import { soon } from "../chain/chain-world.ts";
import { type NatsServer, startNatsServer } from "../support/nats-server.ts";
import { testChainId as chainId, testChain } from "../support/service.ts";
import { blocksOf } from "./blocks-world.ts";
import { anyHash } from "./messages.ts";

const log = pino({ level: "silent" });
let nats: NatsServer;
let connection: BlocksConnection;
let ending: AbortController;
beforeEach(async () => {
  ending = new AbortController();
  nats = await startNatsServer();
  connection = connectBlocks(blocksOf(nats), log);
});
afterEach(async () => {
  ending.abort();
  await connection.close();
  await nats.stop();
});

/** What a process of the role `read` follows. */
function opened() {
  const chain = testChain({ rpcUrl: "http://127.0.0.1:1" });
  const metrics = createMetrics();
  const lane = new PublishedLane(connection, {
    ...{ chain, log, signal: ending.signal, wake: () => undefined, state: createReadState(chain) },
    counted: chainMetrics(metrics, chainId, "read"),
  });
  return { lane, metrics };
}

function piecesOf(number: number): Buffer[] {
  const header = { chainId, number, hash: anyHash(number), parentHash: anyHash(number - 1), final: 0, traced: false };
  return toPieces(header, randomBytes(7_000), { maxPayload: 4_096 });
}

test("pieces without their last one never count, not even at the stream's beginning", async () => {
  const stream = openBlockStream(connection, chainId);
  let last = (await soon(() => stream.ensure())).lastSequence;
  const append = async (number: number, pieces: readonly Buffer[]) => {
    for (const piece of pieces) last = await stream.append(number, piece, last);
  };
  const newest = async () => (await openPublisher(stream, { chainId, log })).newest;
  await append(5, piecesOf(5).slice(0, 1));
  expect(await newest()).toBeUndefined();
  await append(5, piecesOf(5));
  const complete = { number: 5, hash: anyHash(5), final: 0, sequence: last };
  expect(await newest()).toEqual(complete);
  await append(6, piecesOf(6).slice(0, 2));
  await append(6, piecesOf(6).slice(0, 1));
  expect(await newest()).toEqual(complete);
});

test("a process that NATS is away from does not show that it publishes", async () => {
  const { lane, metrics } = opened();
  const shows = async (publishes: 0 | 1) => {
    await lane.next().catch(() => undefined);
    expect(await metrics.text()).toContain(`chain_webhooks_blocks_publishing{chain_id="${chainId}"} ${publishes}`);
  };
  await soon(() => shows(1));
  await nats.kill();
  await soon(() => shows(0));
  await nats.start();
  await soon(() => shows(1));
});

/** The record of a process that publishes. */
function publishing(): Promise<LaneRecord> {
  const { lane } = opened();
  return soon(async () => {
    const followed = await lane.next();
    if (!followed) throw new Error("it stands by");
    return followed.record;
  });
}

test("a block that does not follow on the last one is not published", async () => {
  const record = await publishing();
  const stream = openBlockStream(connection, chainId);
  const block = readBlock(recordedBundle("mainnet/20000000"), chainId);
  const cursor = { number: block.number - 1, hash: block.parentHash };
  const publish = (more: Partial<ReadBlock>) =>
    record.record({ cursor, finalNumber: 0, blocks: [{ ...block, ...more }] });
  await expect(publish({ number: block.number + 5 })).rejects.toThrow("does not follow on");
  await expect(publish({ parentHash: anyHash(3) })).rejects.toThrow("does not follow on");
  expect(await stream.last()).toBeUndefined();
  await publish({});
  expect(await stream.header(block.number)).toMatchObject({ hash: block.hash });
});

test("of several blocks published together without a tag, none is taken to be known as final", async () => {
  const record = await publishing();
  const block = readBlock(recordedBundle("mainnet/20000000"), chainId);
  const cursor = { number: block.number - 1, hash: block.parentHash };
  const child = { ...block, number: block.number + 1, hash: anyHash(1), parentHash: block.hash };
  await record.record({ cursor, finalNumber: child.number - depthWithoutTag, blocks: [block, child] });
  const stream = openBlockStream(connection, chainId);
  for (const { number, hash } of [block, child]) {
    const header = await stream.header(number);
    const newest = async () => ({ number, hash, final: header?.final ?? 0, stream: "s", sequence: 1 });
    const unpacker = { unpack: () => Promise.reject(new Error("nothing is unpacked")) };
    const known = await streamSource(stream, { finality: "finalized", unpacker, newest }).finality();
    expect(known.isGuess).toBe(true);
  }
});
