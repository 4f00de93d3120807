/**
 * A checked block bundle as bytes, for the stream: how it is compressed, the length of its main part, that part, and its traces, which a reader
 * without need of them does not decompress.
 */
import type { BlockBundle } from "../../matching/wire.ts";
import { compressionOf, compressions } from "./compression.ts";
import { inflateJson, largestBlock } from "./inflate.ts";

/** A byte for the compression, and the main part's length as a big-endian 32-bit number. */
const preambleBytes = 5;

/** @param bundle accepted */
export function packBlock({ block, receipts, traces }: BlockBundle): Uint8Array<ArrayBuffer> {
  return packTexts(JSON.stringify({ block, receipts }), traces && JSON.stringify(traces));
}

/** @param main the block and its receipts in JSON @param traces in JSON */
export function packTexts(main: string, traces?: string, [compression] = compressions): Uint8Array<ArrayBuffer> {
  const part = compression.compress(main);
  const preamble = Buffer.alloc(preambleBytes);
  preamble.writeUInt8(compression.code);
  preamble.writeUInt32BE(part.length, 1);
  return Buffer.concat([preamble, part, ...(traces === undefined ? [] : [compression.compress(traces)])]);
}

/**
 * @param options.traces whether to read the traces, if there are any
 * @throws if the bytes are not those of `packBlock`, or inflate to more than a block may have; what the bundle holds is unchecked
 */
export function unpackBlock(packed: Uint8Array, { traces }: { traces: boolean }): BlockBundle {
  if (packed.length < preambleBytes) throw new RangeError("the block is cut off");
  const compression = compressionOf(packed[0]);
  const end = preambleBytes + new DataView(packed.buffer, packed.byteOffset).getUint32(1);
  if (end > packed.length) throw new RangeError("the block is cut off");
  const main = inflateJson(compression, packed.subarray(preambleBytes, end), largestBlock);
  const { block, receipts } = main.value as BlockBundle;
  if (!traces || end === packed.length) return { block, receipts };
  const { value } = inflateJson(compression, packed.subarray(end), largestBlock - main.size);
  return { block, receipts, traces: value as NonNullable<BlockBundle["traces"]> };
}
