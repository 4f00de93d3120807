/** What a step takes blocks from: one of the chain's nodes, or the stream of blocks that others have checked. */

import type { Hex } from "../../matching/wire.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import type { Lane } from "../../store/chains/lanes.ts";
import type { ReadBlock } from "../read/block.ts";
import type { Head, Header } from "../read/fetch.ts";
import type { LogRangeRequest } from "../read/logs.ts";
import type { BlockReader } from "../read/reader.ts";
import type { AgreedHits, DoubtedLogs, LagWatch } from "./witnesses.ts";

/** A source's newest block, with as much of its header as the source returns. */
export type SourceHead = Head | (BlockId & { parentHash?: string });

/** Every function throws NodeError if the source fails, and may throw BlockRefusedError. */
export type BlockSource = HeaderSource & {
  readonly reader: BlockReader;
  /** Whether its branches are agreed on, so that one need not be seen twice. */
  readonly isSettled: boolean;
  head(): Promise<SourceHead>;
  /** @returns undefined if it has no block of that number */
  hashAt(number: number): Promise<string | undefined>;
  finality(): Promise<FinalNumber>;
  /** Whether to follow a block that contradicts what was recorded; undefined if it is too early to say. */
  isAgreedOn(block: BlockId, seenMs: number): Promise<boolean | undefined>;
  /** Whether blocks without a proven header are confirmed. */
  areConfirmed(blocks: readonly ReadBlock[]): Promise<boolean>;
  /** Asks which blocks of a range have logs that can match. The stream cannot be asked. */
  agreedHits?(range: LogRangeRequest): Promise<AgreedHits | DoubtedLogs>;
  /** Logs are not believed, and blocks are read whole instead. */
  doubted?(logs: DoubtedLogs & { from: number }): void;
};

/** Headers that match their hashes. If a walk fails half way, the next one continues with them. */
export type KnownHeaders = Map<Hex, Header>;

/** Where the headers of a branch come from. */
export type HeaderSource = {
  /** Names it in logs. */
  readonly origin: string;
  /** @returns the header of that hash, of a block that should have that number */
  headerOf(hash: Header["hash"], number: number): Promise<Header>;
};

/** The newest block that is final when the chain is followed up to `reached`. */
export type FinalNumber = ((reached: number) => number) & {
  /** The source does not say which blocks are final; they only lie very deep. */
  readonly isGuess?: true;
};

/** What a source must know of the lane that takes the step. */
export type SteppingLane = {
  record: { lane: Pick<Lane, "cursor" | "position"> };
  memory: { headers: KnownHeaders };
  lag: LagWatch;
};

/** How far a step got. */
type Reached = { moved: boolean; cursor: BlockId };

/** A source chosen for a lane's next step, which learns from the step's result. */
export type ChosenSource = {
  source: BlockSource;
  /** Before the first step with this source, and after a failure. */
  prepare(): Promise<void>;
  /** @throws if the step got no further because the source lags */
  assertCurrent(reached: Reached): Promise<void>;
  /** @returns whether it had failed before */
  succeeded(reached: Reached): boolean;
  /** @returns for how many ms the source is set aside; "outage" if blocks could not be recorded, which says nothing about it */
  failed(error: unknown): number | "outage";
  /** Aborts what the failed step still waits for. */
  cancel(): void;
};
