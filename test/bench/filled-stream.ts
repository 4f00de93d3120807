/** A NATS server whose stream has a node's blocks, as a reader would have published them, and somebody who announces the last one. */
import { pino } from "pino";
import { createPublicClient, http } from "viem";
import { packBlock } from "../../server/chain/read/packed-block.ts";
import { openBlockStream } from "../../server/chain/stream/block-stream.ts";
import { connectBlocks } from "../../server/chain/stream/connection.ts";
import { announce } from "../../server/chain/stream/heads.ts";
import { toPieces } from "../../server/chain/stream/pieces.ts";
import type { WireBlock, WireReceipt } from "../../server/matching/wire.ts";
import { startNatsServer } from "../support/nats-server.ts";

/** @param rpcUrl of a node of chain 1 with `count` blocks @returns the stream's address, and what stops it */
export async function startFilledStream(
  rpcUrl: string,
  count: number,
): Promise<{ url: string; stop(): Promise<void> }> {
  const nats = await startNatsServer();
  const servers = [`127.0.0.1:${nats.port}`];
  const config = { servers, tls: false, maxAgeHours: 24, maxMegabytes: 4_000, replicas: 1 };
  const connection = connectBlocks(config, pino({ level: "silent" }));
  await new Promise<void>((resolve) => void connection.onConnected(() => resolve()));
  const stream = openBlockStream(connection, "1");
  const { identity } = await stream.ensure();
  const client = createPublicClient({ transport: http(rpcUrl) });
  const ask = <T>(method: string, params: unknown[]) => client.request({ method, params } as never) as Promise<T>;
  let last = { number: 0, hash: "", sequence: 0 };
  for (let number = 0; number < count; number += 1) {
    const block = await ask<WireBlock>("eth_getBlockByNumber", [`0x${number.toString(16)}`, true]);
    const receipts = await ask<WireReceipt[]>("eth_getBlockReceipts", [block.hash]);
    const { hash, parentHash } = block;
    const header = { chainId: "1", number, hash, parentHash, final: 0, traced: false };
    const pieces = toPieces(header, packBlock({ block, receipts }), { maxPayload: stream.maxPayload() });
    for (const piece of pieces) last = { number, hash, sequence: await stream.append(number, piece, last.sequence) };
  }
  const say = () => announce(connection, "1", { reader: "bench", leaves: false, stream: identity, final: 0, ...last });
  const saying = setInterval(say, 500);
  return {
    url: nats.url,
    async stop() {
      clearInterval(saying);
      await connection.close();
      await nats.stop();
    },
  };
}
