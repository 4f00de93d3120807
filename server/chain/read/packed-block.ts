/**
 * A checked block bundle as bytes, for the stream: how it is compressed, the length of its main part, that part, and its traces, which a reader
 * without need of them does not decompress.
 */

import zlib from "node:zlib";
import type { BlockBundle } from "../../matching/wire.ts";

/**
 * Zstandard where Node has it, which is 22.15 and later, and otherwise Brotli. A block of 766 KB takes Zstandard 1.0 ms and 0.8 ms back, and
 * 12 % of it are left; Brotli 1.5 and 2.2 ms, and 14 %.
 */
type Compression = {
  /** The first byte of a packed block. */
  readonly code: number;
  compress(text: string): Buffer;
  /**
   * @returns of bytes that were cut off possibly the beginning, which is then no JSON
   * @throws `ERR_BUFFER_TOO_LARGE` above so many bytes, and what Node throws for bytes that are not compressed so
   */
  decompress(bytes: Uint8Array, maxOutputLength: number): Buffer;
};

type Convert = (data: Uint8Array | string, options: zlib.BrotliOptions) => Buffer;
const { zstdCompressSync, zstdDecompressSync } = zlib as { zstdCompressSync?: Convert; zstdDecompressSync?: Convert };
const constants: Readonly<Record<string, number>> = { ...zlib.constants };
const withParameters = (parameters: Readonly<Record<string, number>>) => ({
  params: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [constants[name] ?? Number.NaN, value])),
});

const brotli: Compression = {
  code: 1,
  compress: (text) => zlib.brotliCompressSync(text, withParameters({ BROTLI_PARAM_QUALITY: 1 })),
  decompress: (bytes, maxOutputLength) => zlib.brotliDecompressSync(bytes, { maxOutputLength }),
};

/** The window that a frame wants is allocated before anything is read. At our level frames want half a megabyte, and get eight megabytes at most. */
const zstandard: Compression | undefined = zstdCompressSync &&
  zstdDecompressSync && {
    code: 2,
    compress: (text) => zstdCompressSync(text, withParameters({ ZSTD_c_compressionLevel: 1 })),
    decompress: (bytes, maxOutputLength) =>
      zstdDecompressSync(bytes, { ...withParameters({ ZSTD_d_windowLogMax: 23 }), maxOutputLength }),
  };

/** Those that this process can read, the one to write with first. */
export const compressions: readonly [Compression, ...Compression[]] = zstandard ? [zstandard, brotli] : [brotli];

/** @throws RangeError if this process cannot read what is compressed so */
function compressionOf(code: number | undefined): Compression {
  const found = compressions.find((compression) => compression.code === code);
  if (found) return found;
  throw new RangeError(
    code === 2
      ? `the block is compressed by Zstandard, which Node ${process.versions.node} cannot read, and 22.15 can`
      : "the block is compressed in an unknown way",
  );
}

/** How many bytes of JSON a block may have, with its receipts and traces. Everyday ones have one or two million. */
export const largestBlock = 64 * 1024 * 1024;

/**
 * Above this many bytes, objects and arrays must have so many bytes each, on average. Parsing 64 MiB of empty objects took 93 s and 1.4 GB, 2 MiB
 * of them 0.3 s. The smallest that blocks have are entries of access lists without keys: 37 bytes each. To count takes 5 ms for each MiB.
 */
const uncounted = 2 * 1024 * 1024;
const leastBytesEach = 24;

/**
 * Whoever may publish blocks is believed in nothing else, so a small message must neither fill the memory nor keep a reading thread busy. A
 * block that exceeds a bound is read from nodes, like any other that cannot be used.
 *
 * @param room how many bytes it may have
 * @throws RangeError if it exceeds a bound; otherwise what inflating and parsing throw
 */
function inflateJson(compression: Compression, bytes: Uint8Array, room: number): { value: unknown; size: number } {
  const text = inflate(compression, bytes, room);
  if (text.length > uncounted && countContainers(text) * leastBytesEach > text.length)
    throw new RangeError("the block has more objects and arrays than a block of its size can have");
  return { value: JSON.parse(text.toString()), size: text.length };
}

function inflate(compression: Compression, bytes: Uint8Array, room: number): Buffer {
  try {
    return compression.decompress(bytes, Math.max(1, room));
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_BUFFER_TOO_LARGE") throw error;
    throw new RangeError(`the block has more than ${largestBlock} bytes`, { cause: error });
  }
}

const [quote, backslash, brace, bracket] = [0x22, 0x5c, 0x7b, 0x5b];

/** Counts what begins an object or an array, outside of texts. */
function countContainers(json: Uint8Array): number {
  let count = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) isText = !isText;
    else if (isText) at += byte === backslash ? 1 : 0;
    else if (byte === brace || byte === bracket) count += 1;
  }
  return count;
}

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
