/** What a step of a lane is: what it needs of earlier ones, what it records, and where. */
import type { BlockId } from "../../store/chains/cursor.ts";
import type { Lane } from "../../store/chains/lanes.ts";
import type { LaneInterest } from "../../store/webhooks/watchers.ts";
import type { BlockTrace } from "../observe.ts";
import type { ReadBlock } from "../read/block.ts";
import type { BlockReader, ReadRun } from "../read/reader.ts";
import { longestRun } from "../read/run-length.ts";
import type { AnnouncedHead } from "../sources/heads.ts";
import type { FinalNumber, KnownHeaders } from "../sources/source.ts";
import type { AgreedHits } from "../sources/witnesses.ts";
import type { IsRecorded } from "./branch.ts";

/** A step of a lane: blocks that leave the chain, and blocks that follow on the rest. */
export type ChainStep = {
  /** The newest recorded block, as the caller knows it. */
  cursor: BlockId;
  /** Blocks above this number leave the chain. */
  retractAbove?: number;
  /** In order, each the child of the one before. */
  blocks: readonly ReadBlock[];
  /** The newest block that the source reported; by default the last of `blocks`. */
  head?: number;
  /** The newest final block. It can still be the parent of a new branch. */
  finalNumber: number;
  /** Whether the source or the configuration says so, and it is no guess. */
  isFinal?: boolean;
  /** What the blocks that were passed over cannot have. If webhooks came to the lane since it was looked up, nothing is recorded. */
  interest?: LaneInterest | undefined;
  /** How many nodes said the same of the logs by which blocks were passed over. */
  nodesAgreed?: number | undefined;
};

/** A step as steps of one block each, or of those that are passed over before the next one. */
export function oneByOne({ cursor, retractAbove, blocks, finalNumber, ...rest }: ChainStep): ChainStep[] {
  const groups: ReadBlock[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.isPassed && last?.[0]?.isPassed) last.push(block);
    else groups.push([block]);
  }
  return groups.map((group, index) => {
    const before = groups[index - 1]?.at(-1);
    const begins = before
      ? { cursor: { number: before.number, hash: before.hash } }
      : { cursor, ...(retractAbove !== undefined && { retractAbove }) };
    const newest = group.at(-1)?.number ?? finalNumber;
    return { ...rest, ...begins, blocks: group, finalNumber: Math.min(finalNumber, newest) };
  });
}

/** The last gate: the blocks leave no gap, whatever nodes returned, but for those that are passed over by logs. */
export async function assertLinked(
  isRecorded: IsRecorded,
  { cursor, retractAbove, blocks, interest }: ChainStep,
): Promise<void> {
  let number = retractAbove ?? cursor.number;
  let hash = cursor.hash;
  for (const [index, block] of blocks.entries()) {
    const follows =
      index === 0 && retractAbove !== undefined
        ? await isRecorded({ number, hash: block.parentHash })
        : block.parentHash === hash;
    const isPassingOver = interest?.mode === "logs" && block.number > number + 1;
    if (!isPassingOver && (!follows || block.number !== number + 1))
      throw new Error(`block ${block.number} (${block.hash}) does not follow on what is recorded`);
    ({ number, hash } = block);
  }
}

/** Where a lane's steps are recorded: the store's tables, or the stream of checked blocks. */
export type LaneRecord = {
  /** As it was read just now. */
  readonly lane: Pick<Lane, "cursor" | "position" | "traces" | "meetsAt" | "held"> &
    Partial<Pick<Lane, "lane" | "isApart" | "isOwing" | "isLeaving">>;
  /** Notes the newest block that a source reported, without a step. The stream needs none: it announces its own. */
  noteHead?(number: number): Promise<void>;
  /**
   * Sets where following starts; `block` counts as recorded.
   *
   * @param parentHash its parent, if the source said so
   * @param finalNumber the newest final block, if that is known
   */
  beginAt(block: BlockId, parentHash?: string, finalNumber?: number): Promise<void>;
  isRecorded: IsRecorded;
  /**
   * @param final the newest block of which logs may be asked for
   * @returns what the lane's webhooks can match from a block on, where blocks may be passed over; undefined where each is read whole
   */
  interestAt?(block: number, final: number): Promise<LaneInterest | undefined>;
  /** Passing blocks over does not pay here, or cannot be. From a block on some are read whole, by default as many as it takes to see. */
  readWhole?(from: number, upTo?: number): Promise<void>;
  /** @returns how many notifications were recorded @throws {ServiceError} `cursor_moved`: another process has recorded blocks meanwhile */
  record(step: ChainStep): Promise<number>;
  /**
   * Takes blocks of a lane that is set apart off its record, as much as fits into a turn. What is left is for the next one.
   *
   * @param above if given, all blocks above this one leave from now on
   * @returns how many notifications were recorded
   */
  leave?(above?: BlockId): Promise<number>;
  /** Matches webhooks that are still to be matched with the cursor's block. @returns how many notifications were recorded */
  settle?(block: ReadBlock): Promise<number>;
  /** Records what has waited to be deep enough, at the source's head. @param finalNumber as it is now @returns how many notifications */
  release?(finalNumber?: number): Promise<number>;
};

/** What a lane's next step needs of its earlier ones. */
export type StepMemory = {
  /** How many blocks to fetch in a run. */
  runLength: number;
  /** The same where most are passed over; how many blocks of the last runs there were, and how many of these were read whole. */
  sparse: Readonly<{ runLength: number; blocks: number; whole: number }>;
  /** The blocks of the lane's next ones whose logs can match, as long as `interest` is the same. */
  hits?: AgreedHits & { from: number; interest: LaneInterest };
  /** Of how many blocks logs are asked for at most, if all that was asked for last was not of use. */
  logsReach?: number;
  /** The latest block by which a node contradicted the cursor, and since when no node has denied it. We follow it if it comes again. */
  competing?: { hash: string; since: number };
  /** As of the latest step, and whose blocks it is of. */
  finality?: { reader: BlockReader; number: FinalNumber };
  /** When finality was last asked for while no block came, by a monotonic clock in ms. */
  finalityAskedAt?: number;
  /** How long it took to ask for the head last. */
  headMs: number;
  /** The newest head that was noted. */
  head?: number | undefined;
  /** Headers of branches, on the way back to the recorded chain. */
  headers: KnownHeaders;
  readAhead: ReadAhead;
  /** Whether anything is read ahead: not where it would be dropped before the lane's next turn. */
  readsAhead: boolean;
  trace?: BlockTrace | undefined;
};

/** Before the first run of which some blocks may be passed over. */
export const noSparseRun: StepMemory["sparse"] = { runLength: longestRun, blocks: 0, whole: 0 };

export function emptyMemory(trace?: BlockTrace): StepMemory {
  return {
    runLength: 1,
    sparse: noSparseRun,
    headers: new Map(),
    readAhead: createReadAhead(),
    readsAhead: true,
    headMs: 0,
    trace,
  };
}

/** Where a lane's blocks come from: a reader, with or without traces, and what blocks that are passed over must not have. */
export type LaneSource = { reader: BlockReader; traces: boolean; interest?: LaneInterest | undefined };

/**
 * Reads the next blocks while the last ones are recorded, so that catching up takes as long as the slower of the two, not both. The runs
 * being read ahead: at most two, to bound memory.
 */
type ReadAhead = {
  /** Starts to read on from a block, up to the head, in runs of the given length. @param options.finality as of now */
  fill(source: LaneSource, from: number, options: { head: number; length: number; finality: FinalNumber }): void;
  /** Starts to read the head that was announced, unless other blocks are being read. @returns whether it did */
  expect(source: LaneSource, head: AnnouncedHead, finality: FinalNumber): boolean;
  /** @returns the run that starts at `from`, if it is from this source; otherwise every run is dropped */
  take(source: LaneSource, from: number): PendingRun | undefined;
  drop(): void;
};

/** A run being read, the last block that was requested, and finality as it was then. Whoever takes it releases it. */
type PendingRun = { to: number; read: Promise<ReadRun>; finality: FinalNumber };

/** While one run is recorded, one waits and one is read: neither the node nor the database waits for the other. */
const maxRuns = 2;

const nothingRead: ReadRun = { blocks: [], release: () => undefined };

function createReadAhead(): ReadAhead {
  let pending: (PendingRun & { source: LaneSource; from: number })[] = [];
  const drop = () => {
    for (const { read } of pending) read.then(({ release }) => release()).catch(() => undefined);
    pending = [];
  };
  const dropUnless = (source: LaneSource, from: number) => {
    const next = pending[0];
    const isSame = (["reader", "traces", "interest"] as const).every((of) => next?.source[of] === source[of]);
    if (next?.from !== from || !isSame) drop();
  };
  return {
    drop,
    fill(source, from, { head, length, finality }) {
      dropUnless(source, from);
      let next = (pending.at(-1)?.to ?? from - 1) + 1;
      for (; pending.length < maxRuns && next <= head; next += length) {
        const to = Math.min(head, next + length - 1);
        const read = source.reader.read({ from: next, to, traces: source.traces, interest: source.interest?.logs });
        // Whoever takes the run handles its failure, but it may be dropped.
        read.catch(() => undefined);
        pending.push({ source, from: next, to, read, finality });
      }
    },
    expect(source, head, finality) {
      if (pending.length > 0) return false;
      const { number } = head;
      const selection = { from: number, to: number, head, traces: source.traces };
      // Nodes behind one address may lack what another announced. It is read again once the source has it as its head.
      const read = source.reader.read(selection).catch(() => nothingRead);
      pending.push({ source, from: number, to: number, read, finality });
      return true;
    },
    take(source, from) {
      dropUnless(source, from);
      return pending.shift();
    },
  };
}
