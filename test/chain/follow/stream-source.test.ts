/** The stream as a source returns the blocks that were wanted. What it lacks is a gap, which is no reason to refuse anything. */
import { expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { readBlock } from "../../../server/chain/read/block.ts";
import type { Unpacker } from "../../../server/chain/read/reader.ts";
import { StreamGapError, streamSource } from "../../../server/chain/sources/stream-source.ts";
import type { BlockStream, StoredBlock } from "../../../server/chain/stream/block-stream.ts";
import type { ChainConfig } from "../../../server/settings/chains.ts";

const block = readBlock(recordedBundle("mainnet/20000000"), "1");
const { number, hash, parentHash } = block;
const stored: StoredBlock = {
  ...{ chainId: "1", number, hash, parentHash, final: 0, traced: false },
  ...{ sequence: 9, packed: new Uint8Array() },
};
const find = async (wanted: number) => (wanted === number ? stored : undefined);
const stream: Pick<BlockStream, "origin" | "header" | "block"> = { origin: "a stream", header: find, block: find };
const unpacker: Unpacker = {
  unpack: async ({ packed }) => ({ blocks: packed.map(() => block), release: () => undefined }),
};
const source = streamSource(stream as BlockStream, {
  ...{ finality: "finalized", unpacker },
  newest: async () => ({ number, hash, final: 0, stream: "s", sequence: 9 }),
});

test("a start before the stream's first block is a gap", async () => {
  expect(await source.hashAt(number)).toBe(hash);
  await expect(source.hashAt(number - 1)).rejects.toThrow(StreamGapError);
});

test("a block that was replaced since its hash was read is a gap", async () => {
  const branch = (hashes: (typeof hash)[]) => source.reader.read({ hashes, above: number - 1, traces: false });
  expect((await branch([hash])).blocks).toEqual([{ ...block, position: { stream: "s", sequence: 9 } }]);
  await expect(branch([parentHash])).rejects.toThrow(StreamGapError);
});

test("a block without the traces that are wanted is a gap", async () => {
  await expect(source.reader.read({ from: number, to: number, traces: true })).rejects.toThrow(StreamGapError);
});

test.each<[ChainConfig["finality"], number, true | undefined]>([
  ["finalized", number - 10_000, true],
  ["finalized", number - 9_999, undefined],
  [{ confirmations: 10_000 }, number - 10_000, undefined],
])(
  "with finality %j and %i as the final block it is known whether that is a guess",
  async (finality, final, isGuess) => {
    const newest = async () => ({ number, hash, final, stream: "s", sequence: 9 });
    const known = await streamSource(stream as BlockStream, { finality, unpacker, newest }).finality();
    expect([known(number), known.isGuess]).toEqual([final, isGuess]);
  },
);
