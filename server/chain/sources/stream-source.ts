/**
 * The block stream as a source of blocks. What its reader decided when it published them, this side takes over. A lane uses the stream while
 * somebody publishes. With the stream away it waits for `patienceMs`, since all cells at once would overload the nodes. Then it uses nodes
 * until the stream is back and as far as the lane. For a block that the stream lacks, or that is refused, it uses nodes immediately.
 */
import type { Logger } from "../../base/log.ts";
import { type ChainConfig, defaultPatienceMs } from "../../settings/chains.ts";
import type { BlockId, StreamPosition } from "../../store/chains/cursor.ts";
import { isDatabaseUnavailable } from "../../store/database-errors.ts";
import { type ChainMetrics, logSkippedChecks } from "../observe.ts";
import type { ReadBlock } from "../read/block.ts";
import type { BlockSelection } from "../read/messages.ts";
import { type BlockReader, createUnpacker, type Unpacker } from "../read/reader.ts";
import type { ReadPurpose } from "../read/threads.ts";
import { type BlockStream, openBlockStream, type StoredBlock, StreamAwayError } from "../stream/block-stream.ts";
import type { BlocksConnection } from "../stream/connection.ts";
import { type Announcement, hearAnnouncements } from "../stream/heads.ts";
import { BlockMessageError, UnknownVersionError } from "../stream/pieces.ts";
import { depthWithoutTag } from "./node-source.ts";
import type { BlockSource, ChosenSource, FinalNumber, SteppingLane } from "./source.ts";

export type StreamSources = {
  /** @returns undefined if the step needs a node; "wait" if the stream may be back soon */
  pick(lane: SteppingLane): ChosenSource | "wait" | undefined;
};

/** For how many blocks to read from nodes after the stream lacked one; twice as many each time. */
const mostFromNodes = 64;
const shortestAsideMs = 250;
const longestAsideMs = 5_000;

type LaneState = {
  source: StreamSource;
  /** Below this number, blocks come from nodes. */
  nodesBelow: number;
  /** How often in a row the stream lacked a block. */
  gaps: number;
  /** Since when the lane has been ahead of the stream. */
  aheadSince: number | undefined;
  fromNodes: boolean;
};

/** @param options.wake called for each new block */
export function streamSources(
  connection: BlocksConnection,
  options: {
    chain: ChainConfig;
    purpose: ReadPurpose;
    counted: ChainMetrics;
    log: Logger;
    signal: AbortSignal;
    wake: () => void;
  },
): StreamSources {
  const { chain, purpose, counted, log, signal, wake } = options;
  const patienceMs = chain.patienceMs ?? defaultPatienceMs;
  /** A lane is ahead for a moment while a branch is published that is not as long yet. */
  const aheadMs = Math.max(1_000, 3 * chain.pollMs);
  const stream = openBlockStream(connection, chain.chainId);
  const unpacker = createUnpacker({
    ...{ origin: stream.origin, chain, purpose, signal },
    onSkippedCheck: logSkippedChecks(log),
  });
  const lanes = new WeakMap<SteppingLane["memory"], LaneState>();
  let announced: (Announcement & { at: number }) | undefined;
  /** When the stream was last seen to be well: somebody publishes, and we can read it. */
  let wellAt = performance.now();
  let failures = 0;
  let asideUntil = 0;

  hearAnnouncements(connection, chain.chainId, {
    signal,
    heard(announcement) {
      if (announcement.leaves) return;
      const isNew = announcement.sequence !== announced?.sequence || announcement.stream !== announced.stream;
      announced = { ...announcement, at: performance.now() };
      if (failures === 0) wellAt = announced.at;
      if (isNew) wake();
    },
  });

  async function newest() {
    const isFresh = announced && performance.now() - announced.at < aheadMs && connection.current();
    return isFresh && announced ? announced : newestOf(stream);
  }

  function stateOf(memory: SteppingLane["memory"]): LaneState {
    const known = lanes.get(memory);
    if (known) return known;
    const source = streamSource(stream, { finality: chain.finality, unpacker, newest });
    const created: LaneState = {
      source,
      nodesBelow: Number.NEGATIVE_INFINITY,
      gaps: 0,
      aheadSince: undefined,
      fromNodes: false,
    };
    lanes.set(memory, created);
    return created;
  }

  function isAhead(state: LaneState, number: number): boolean {
    if (!announced || announced.number >= number) state.aheadSince = undefined;
    else state.aheadSince ??= performance.now();
    if (state.aheadSince === undefined) return false;
    return state.fromNodes || performance.now() - state.aheadSince > aheadMs;
  }

  function choose(state: LaneState, number: number): "stream" | "nodes" | "wait" {
    if (number < state.nodesBelow || isAhead(state, number)) return "nodes";
    const isAside = performance.now() < asideUntil;
    const isAway = performance.now() - wellAt > patienceMs;
    // A stream that failed is tried again now and then: announcements alone do not show that it can be read.
    if (isAway && (isAside || failures === 0)) return "nodes";
    return isAside ? "wait" : "stream";
  }

  function noteFailure(state: LaneState, number: number, error: unknown): number {
    if (error instanceof StreamAwayError || error instanceof UnknownVersionError) {
      failures += 1;
      const asideMs = Math.min(longestAsideMs, shortestAsideMs * 2 ** (failures - 1));
      asideUntil = performance.now() + asideMs;
      return asideMs;
    }
    if (!(error instanceof StreamGapError)) counted.blocksRefused();
    state.nodesBelow = number + Math.min(mostFromNodes, 2 ** state.gaps);
    state.gaps += 1;
    return 0;
  }

  function chosen(state: LaneState, number: number): ChosenSource {
    return {
      source: state.source,
      prepare: async () => undefined,
      assertCurrent: async () => undefined,
      succeeded({ moved }) {
        const hadFailed = failures > 0;
        failures = 0;
        if (moved) {
          state.gaps = 0;
          wellAt = performance.now();
        }
        return hadFailed;
      },
      failed: (error) => (isDatabaseUnavailable(error) ? "outage" : noteFailure(state, number, error)),
      cancel: () => undefined,
    };
  }

  return {
    pick({ record: { lane }, memory }) {
      const state = stateOf(memory);
      // Until it has begun, a lane is at no block.
      const number = lane.cursor?.number ?? -1;
      const choice = choose(state, number);
      if (choice === "wait") return "wait";
      if (state.fromNodes !== (choice === "nodes"))
        log.info({ block: number, from: choice }, "blocks come from another source now");
      state.fromNodes = choice === "nodes";
      counted.from(choice, announced && Math.max(0, announced.number - Math.max(0, number)));
      if (choice === "nodes") return undefined;
      state.source.follows(lane.position);
      return chosen(state, number);
    },
  };
}

/** The stream has no such block, or not its traces: the lane is behind its first block, or ahead of its last one. */
export class StreamGapError extends Error {
  override readonly name = "StreamGapError";
}

/** The stream's newest block, as it was announced or found. */
type StreamHead = BlockId & StreamPosition & { final: number };

/** A lane's source, which holds on to what the lane recorded last. */
type StreamSource = BlockSource & {
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
async function newestOf(stream: BlockStream): Promise<StreamHead> {
  const [{ identity }, last] = await Promise.all([stream.state(), stream.last()]);
  if (!last) throw new StreamGapError("the stream has no blocks");
  if (last.piece < last.pieces - 1) throw new StreamAwayError("its last block is not complete");
  const { number, hash, final, sequence } = last;
  return { number, hash, final, stream: identity, sequence };
}
