/** The stream as a lane's source of blocks. What its reader decided when it published them, this side takes over. */

import type { ChainConfig } from "../../settings/chains.ts";
import type { BlockId, StreamPosition } from "../../store/chains/cursor.ts";
import type { ReadBlock } from "../read/block.ts";
import type { BlockSelection } from "../read/messages.ts";
import type { BlockReader, Unpacker } from "../read/reader.ts";
import { type BlockStream, type StoredBlock, StreamAwayError } from "../stream/block-stream.ts";
import { BlockMessageError } from "../stream/pieces.ts";
import type { BlockSource } from "./block-source.ts";
import { depthWithoutTag, type FinalNumber } from "./branch.ts";

/** The stream has no such block, or not its traces: the lane is behind its first block, or ahead of its last one. */
export class StreamGapError extends Error {
  override readonly name = "StreamGapError";
}

/** The stream's newest block, as it was announced or found. */
type StreamHead = BlockId & StreamPosition & { final: number };

/** A lane's source, which holds on to what the lane recorded last. */
export type StreamSource = BlockSource & {
  /** @param position of the lane's newest block; undefined if a node returned that */
  follows(position: StreamPosition | undefined): void;
};

/** @param options.finality the chain's @param options.newest the stream's newest block */
export function streamSource(
  stream: BlockStream,
  {
    finality,
    unpacker,
    newest,
  }: { unpacker: Unpacker; newest: () => Promise<StreamHead> } & Pick<ChainConfig, "finality">,
): StreamSource {
  let position: StreamPosition | undefined;
  let head: StreamHead | undefined;

  async function currentHead(): Promise<StreamHead> {
    head ??= await newest();
    return head;
  }

  /**
   * A block's child has a sequence above its own. So no server that lags can pass a block off that has left the chain. A stream that was
   * created again, or lost its end, counts from a lower one.
   */
  function lowest(): number {
    return position && head?.stream === position.stream && head.sequence >= position.sequence ? position.sequence : 0;
  }

  const blockAt = async (number: number): Promise<StoredBlock> => {
    const block = await stream.block(number, lowest());
    if (!block) throw new StreamGapError(`the stream has no block ${number}`);
    return block;
  };

  const reader: BlockReader = {
    async read(selection) {
      const { stream: identity } = await currentHead();
      const requestedAt = epochNow();
      const stored = untilFailure(await Promise.allSettled(numbersOf(selection).map(blockAt)));
      const usable = stored.slice(0, unusableAt(stored, selection));
      if (usable.length === 0)
        throw new StreamGapError(`the stream has no traces of block ${stored[0]?.number}, or another block`);
      const packed = usable.map(({ packed }) => packed);
      const run = await unpacker.unpack({ packed, traces: selection.traces, requestedAt, fetchedAt: epochNow() });
      try {
        return { ...run, blocks: run.blocks.map((block, index) => placed(block, usable[index], identity)) };
      } catch (error) {
        run.release();
        throw error;
      }
    },
    cancel: () => undefined,
  };

  return {
    origin: stream.origin,
    reader,
    isSettled: true,
    follows(newPosition) {
      position = newPosition;
      head = undefined;
    },
    head: currentHead,
    async hashAt(number) {
      const header = await stream.header(number);
      if (!header) throw new StreamGapError(`the stream has no block ${number}`);
      return header.hash;
    },
    async headerOf(hash, number) {
      const header = await stream.header(number, lowest());
      if (header?.hash !== hash) throw new StreamGapError(`the stream has no block ${hash} of number ${number}`);
      return header;
    },
    async finality() {
      const { number, final } = await currentHead();
      const known: FinalNumber = (reached) => Math.min(reached, final);
      // The reader publishes a number only. This is the one of a node without the tag.
      const isGuess = finality === "finalized" && final === Math.max(0, number - depthWithoutTag);
      return isGuess ? Object.assign(known, { isGuess: true as const }) : known;
    },
    isAgreedOn: async () => true,
    areConfirmed: async () => true,
  };
}

function numbersOf(selection: BlockSelection): number[] {
  const [from, count] =
    "hashes" in selection
      ? [selection.above + 1, selection.hashes.length]
      : [selection.from, selection.to - selection.from + 1];
  return Array.from({ length: count }, (_, index) => from + index);
}

/** @throws what the first failed with */
function untilFailure(results: readonly PromiseSettledResult<StoredBlock>[]): StoredBlock[] {
  const blocks: StoredBlock[] = [];
  for (const result of results) {
    if (result.status === "rejected" && blocks.length === 0) throw result.reason;
    if (result.status === "rejected") break;
    blocks.push(result.value);
  }
  return blocks;
}

/** Where the first block is without its traces, or has been replaced by another one since its hash was read. */
function unusableAt(blocks: readonly StoredBlock[], selection: BlockSelection): number {
  const at = blocks.findIndex(
    ({ hash, traced }, index) =>
      (selection.traces && !traced) || ("hashes" in selection && selection.hashes[index] !== hash),
  );
  return at < 0 ? blocks.length : at;
}

/** @throws BlockMessageError if the message named another block than it holds */
function placed(block: ReadBlock, stored: StoredBlock | undefined, stream: string): ReadBlock {
  if (!stored || block.number !== stored.number || block.hash !== stored.hash || block.parentHash !== stored.parentHash)
    throw new BlockMessageError(`it names block ${stored?.number} and holds block ${block.number}`);
  return { ...block, position: { stream, sequence: stored.sequence } };
}

const epochNow = () => performance.timeOrigin + performance.now();

/** Asks the stream for its newest block. @throws StreamAwayError, StreamGapError if it has none */
export async function newestOf(stream: BlockStream): Promise<StreamHead> {
  const [{ identity }, last] = await Promise.all([stream.state(), stream.last()]);
  if (!last) throw new StreamGapError("the stream has no blocks");
  if (last.piece < last.pieces - 1) throw new StreamAwayError("its last block is not complete");
  const { number, hash, final, sequence } = last;
  return { number, hash, final, stream: identity, sequence };
}
