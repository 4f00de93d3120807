/**
 * How packed blocks are compressed: by Zstandard where Node has it, which is 22.15 and later, and otherwise by Brotli. A block of 766 KB takes
 * Zstandard 1.0 ms and 0.8 ms back, and 12 % of it are left; Brotli 1.5 and 2.2 ms, and 14 %.
 */
import zlib from "node:zlib";

export type Compression = {
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
export function compressionOf(code: number | undefined): Compression {
  const found = compressions.find((compression) => compression.code === code);
  if (found) return found;
  throw new RangeError(
    code === 2
      ? `the block is compressed by Zstandard, which Node ${process.versions.node} cannot read, and 22.15 can`
      : "the block is compressed in an unknown way",
  );
}
