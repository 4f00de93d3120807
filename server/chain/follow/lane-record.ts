/** What a step of a lane is: what it needs of earlier ones, what it records, and where. */
import type { BlockId } from "../../store/chains/cursor.ts";
import type { Lane } from "../../store/chains/lanes.ts";
import type { BlockTrace } from "../observe.ts";
import type { ReadBlock } from "../read/block.ts";
import type { BlockReader } from "../read/reader.ts";
import type { FinalNumber, KnownHeaders } from "../sources/source.ts";
import type { IsRecorded } from "./branch.ts";
import { createReadAhead, type ReadAhead } from "./read-ahead.ts";

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
};

/** Where a lane's steps are recorded: the store's tables, or the stream of checked blocks. */
export type LaneRecord = {
  /** As it was read just now. */
  readonly lane: Pick<Lane, "cursor" | "position" | "traces" | "meetsAt" | "held"> &
    Partial<Pick<Lane, "isApart" | "isOwing" | "isLeaving">>;
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
  /** The latest block by which a node contradicted the cursor, and since when no node has denied it. We follow it if it comes again. */
  competing?: { hash: string; since: number };
  /** As of the latest step, and whose blocks it is of. */
  finality?: { reader: BlockReader; number: FinalNumber };
  /** When finality was last asked for while no block came, by a monotonic clock in ms. */
  finalityAskedAt?: number;
  /** The newest head that was noted. */
  head?: number | undefined;
  /** Headers of branches, on the way back to the recorded chain. */
  headers: KnownHeaders;
  readAhead: ReadAhead;
  trace?: BlockTrace | undefined;
};

export function emptyMemory(trace?: BlockTrace): StepMemory {
  return { runLength: 1, headers: new Map(), readAhead: createReadAhead(), trace };
}
