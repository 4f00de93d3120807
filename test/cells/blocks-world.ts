/** A chain, a NATS server, readers that publish its blocks, and a follower that should call no node. */
import { pino } from "pino";
import { expect } from "vitest";
import type { EvmNodeOptions } from "../../scripts/local/evm-node.ts";
import { type BlockStream, openBlockStream } from "../../server/chain/stream/block-stream.ts";
import { type BlocksConnection, connectBlocks } from "../../server/chain/stream/connection.ts";
import { type Running, startReading } from "../../server/service.ts";
import type { BlocksConfig } from "../../server/settings/blocks.ts";
import type { ChainConfig } from "../../server/settings/chains.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain/chain-world.ts";
import { type NatsServer, type NatsServerOptions, startNatsServer } from "../support/nats-server.ts";
import { type RpcProxy, startRpcProxy } from "../support/rpc-proxy.ts";
import { testChain, testChainId, testConfig } from "../support/service.ts";

/** A reader, and the node as it sees it. */
export type Reader = { reading: Running; proxy: RpcProxy; logged: Record<string, unknown>[]; stop(): Promise<void> };

export type BlocksWorld = ChainWorld & {
  nats: NatsServer;
  blocks: BlocksConfig;
  /** The stream, past everything else. */
  connection: BlocksConnection;
  stream: BlockStream;
  startReader(chain?: Partial<ChainConfig>): Promise<Reader>;
  /** Starts the follower, which takes blocks from the stream. */
  follow(chain?: Partial<ChainConfig>): Promise<void>;
  /** Waits until everything is followed, and asserts that the newest block came from there. */
  followedFrom(source: "stream" | "nodes"): Promise<void>;
  /** Waits until the stream has the node's newest block. */
  published(): Promise<void>;
  source(): Promise<string | undefined>;
};

/** Long enough for a test that never runs out of patience. */
export const patientMs = 120_000;

export const blocksOf = (nats: Pick<NatsServer, "port">): BlocksConfig => ({
  servers: [`127.0.0.1:${nats.port}`],
  tls: false,
  maxAgeHours: 1,
  maxMegabytes: 64,
  replicas: 1,
});

export async function startBlocksWorld(
  options: { nats?: NatsServerOptions; node?: EvmNodeOptions; chain?: Partial<ChainConfig> } = {},
): Promise<BlocksWorld> {
  const chain = { patienceMs: patientMs, ...options.chain };
  const [nats, world] = await Promise.all([
    startNatsServer(options.nats),
    startChainWorld({ chain, ...(options.node && { node: options.node }) }),
  ]);
  const blocks = blocksOf(nats);
  const connection = connectBlocks(blocks, pino({ level: "silent" }));
  const readers = new Set<Reader>();
  const stream = openBlockStream(connection, testChainId);

  return {
    ...{ ...world, nats, blocks, connection, stream },
    async startReader(more = {}) {
      const proxy = await startRpcProxy(world.node.rpcUrl);
      const logged: Record<string, unknown>[] = [];
      const write = (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>);
      const followed = { ...testChain({ rpcUrl: proxy.url }), pollMs: 20, ...chain, ...more };
      const config = testConfig("", [followed], { roles: new Set(["read"]), blocks });
      const reading = await startReading(config, pino({ level: "debug" }, { write }));
      const reader: Reader = {
        ...{ reading, proxy, logged },
        async stop() {
          if (!readers.delete(reader)) return;
          await reading.stop();
          await proxy.close();
        },
      };
      readers.add(reader);
      return reader;
    },
    async follow(more) {
      await world.start(more, { blocks });
    },
    async followedFrom(source) {
      await world.followed();
      expect(await sourceOf(world)).toBe(source);
    },
    published: () =>
      soon(async () => {
        const { number, hash } = await world.chain.head();
        expect((await stream.header(number))?.hash).toBe(hash);
      }, 25_000),
    source: () => sourceOf(world),
    async stop() {
      for (const reader of readers) await reader.stop();
      await world.halt();
      await connection.close();
      await Promise.all([world.stop(), nats.stop()]);
    },
  };
}

/** A reader that publishes, and a follower that began with its first block. */
export async function startFollowed(
  options: Parameters<typeof startBlocksWorld>[0] = {},
): Promise<[world: BlocksWorld, reader: Reader]> {
  const world = await startBlocksWorld(options);
  await world.chain.mine();
  const reader = await world.startReader();
  await world.published();
  await world.follow();
  await world.followed();
  expect(world.proxy.calls).toEqual([]);
  return [world, reader];
}

async function sourceOf({ pool }: ChainWorld): Promise<string | undefined> {
  const { rows } = await pool.query<{ source: string }>(
    "SELECT CASE WHEN stream IS NULL THEN 'nodes' ELSE 'stream' END AS source FROM chain_lanes WHERE lane = 0",
  );
  return rows[0]?.source;
}
