/** Messages put into the stream by hand: those of a reader that lies, or that ended half way. */
import { packBlock, packTexts } from "../../server/chain/read/packed-block.ts";
import { type BlockHeader, toPieces } from "../../server/chain/stream/pieces.ts";
import type { BlockBundle, Hex, WireBlock, WireReceipt, WireTrace } from "../../server/matching/wire.ts";
import type { LocalChain } from "../chain/local-chain.ts";
import { testChainId } from "../support/service.ts";
import type { BlocksWorld } from "./blocks-world.ts";

export const streamName = `chain-webhooks-blocks-${testChainId}`;
export const subjectOf = (number: number) => `chain-webhooks.blocks.${testChainId}.${number}`;
export const anyHash = (digit: number): Hex => `0x${String(digit).repeat(64)}`;

/** Appends a message to the stream, as whoever may publish can. */
export async function publishAt({ connection }: BlocksWorld, number: number, message: Uint8Array): Promise<void> {
  await connection.current()?.stream.publish(subjectOf(number), message);
}

/** @returns the last message of a block */
export async function messageAt({ connection }: BlocksWorld, number: number): Promise<Buffer> {
  const message = await connection
    .current()
    ?.manager.streams.getMessage(streamName, { last_by_subj: subjectOf(number) });
  if (!message) throw new Error(`no message of block ${number}`);
  return Buffer.from(message.data);
}

export async function bundleAt({ rpc }: LocalChain, number: number): Promise<BlockBundle> {
  const block = await rpc<WireBlock>("eth_getBlockByNumber", [`0x${number.toString(16)}`, true]);
  const receipts = await rpc<WireReceipt[]>("eth_getBlockReceipts", [block.hash]);
  const traces = await rpc<WireTrace[]>("debug_traceBlockByHash", [block.hash, { tracer: "callTracer" }]);
  return { block, receipts, traces };
}

/** @returns a block as one message, whatever its bundle holds */
export function messageOf(bundle: BlockBundle, more: Partial<BlockHeader> = {}): Buffer {
  const [message] = toPieces({ ...headerOf(bundle), ...more }, packBlock(bundle), { maxPayload: 1024 * 1024 });
  if (!message) throw new Error("no message");
  return message;
}

/** @returns a block as one message, whose first part inflates to this text */
export function messageInflatingTo(bundle: BlockBundle, text: string): Buffer {
  const [message] = toPieces(headerOf(bundle), packTexts(text), { maxPayload: 1024 * 1024 });
  if (!message) throw new Error("no message");
  return message;
}

export const headerOf = ({ block, traces }: BlockBundle): BlockHeader => ({
  chainId: testChainId,
  number: Number(block.number),
  hash: block.hash,
  parentHash: block.parentHash,
  final: 0,
  traced: traces !== undefined,
});

export function withoutTransactions({ block }: BlockBundle): BlockBundle {
  return { block: { ...block, transactions: [] }, receipts: [], traces: [] };
}
