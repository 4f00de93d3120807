/** The messages between the main thread and those that read blocks. Only plain data gets from one thread to another. */
import type { LogInterest } from "../../matching/new-webhook.ts";
import type { BlockQuestion } from "../../matching/question.ts";
import type { TokenBook } from "../../matching/transfers.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import { BlockRefusedError } from "../check/accept.ts";
import type { SkippedCheck } from "../check/check.ts";
import { type EndedCall, NodeError, NoLogsError, UntrustedNodeError } from "../nodes/node.ts";
import type { AnswerText, BlockMatches, ReadBlock, WatchedBeyond, WatchedBy } from "./block.ts";
import type { NewestHead } from "./fetch.ts";
import type { LogHits, LogRangeRequest } from "./logs.ts";

/**
 * Which blocks to read: by number, as far as the source has them, or all of these hashes, which follow on the block `above`. A node that
 * just returned or announced block `from` as its head has it fetched in one round.
 */
export type BlockSelection = { traces: boolean } & (
  | {
      from: number;
      to: number;
      head?: NewestHead | undefined;
      /** Where given, blocks whose bloom denies all of it are passed over. */
      interest?: LogInterest | undefined;
      /** Where given, only the blocks that have such logs are read, besides the headers of the first and the last. */
      hits?: LogHits | undefined;
    }
  | { hashes: readonly ReadBlock["hash"][]; above: number }
);

/**
 * Packed blocks, and when they were requested and complete, in ms since the epoch. Each has a buffer of its own, which moves to the thread.
 */
export type PackedRun = {
  packed: readonly Uint8Array<ArrayBuffer>[];
  traces: boolean;
  requestedAt: number;
  fetchedAt: number;
};

/** Gets a reply. The main thread chooses the numbers `reader` and `run`. */
export type ThreadRequest =
  | { request: "read"; reader: number; run: number; selection: BlockSelection }
  | { request: "hits"; reader: number; range: LogRangeRequest }
  | { request: "unpack"; reader: number; run: number; from: PackedRun }
  | { request: "pack"; reader: number; run: number; index: number }
  | {
      request: "match";
      reader: number;
      run: number;
      index: number;
      watchedBy: WatchedBy;
      hasTokens?: boolean;
      beyond?: WatchedBeyond | undefined;
    }
  | {
      request: "answer";
      reader: number;
      run: number;
      index: number;
      question: BlockQuestion;
      hasTokens: boolean;
    };

/** Gets no reply. `tokens` answers a question; without a book, whoever was asked failed. */
export type ThreadCommand =
  | { command: "tokens"; question: number; book?: TokenBook }
  | { command: "open"; reader: number; url?: string; origin: string; chain: ChainConfig; maxConcurrent: number }
  | { command: "cancel" | "close"; reader: number }
  | { command: "release"; reader: number; run: number };

export type ThreadMessage = ThreadCommand | (ThreadRequest & { id: number });

/** `participants` is a single text, which is faster to hand over than many. */
export type BlockMessage = Omit<ReadBlock, "match" | "answer" | "pack" | "participants"> & { participants: string };

/** `calls` and `skipped` are reported even if reading failed. */
export type ReadReply = { calls: EndedCall[]; skipped: (SkippedCheck & { block: BlockId })[] } & (
  | { blocks: BlockMessage[] }
  | { error: ErrorDescription }
);
export type HitsReply = { calls: EndedCall[] } & ({ hits: LogHits } | { error: ErrorDescription });
export type MatchReply = { matched: BlockMatches } | { error: ErrorDescription };
export type AnswerReply = { answer: AnswerText } | { error: ErrorDescription };
export type PackReply = { packed: Uint8Array } | { error: ErrorDescription };
/** The thread's first message, once it has loaded its code. */
export type ThreadReady = { ready: true };
export type ThreadReply = { id: number } & (ReadReply | HitsReply | MatchReply | AnswerReply | PackReply);
/** A question of the thread about request `id`, before its reply: what is known of these tokens? The question has the request's number. */
export type ThreadQuestion = { id: number; tokensOf: readonly string[] };

/** What an error is made from. Its class must survive: the pool of nodes decides by it. */
type ErrorDescription =
  | { of: "node" | "untrusted node" | "no logs"; reason: string; about: NodeError["about"] }
  | { of: "refused"; failed: BlockRefusedError["failed"]; about: BlockRefusedError["about"] }
  | { of: "other"; reason: string };

export function describeError(error: unknown): ErrorDescription {
  if (error instanceof BlockRefusedError) return { of: "refused", failed: error.failed, about: error.about };
  if (error instanceof NodeError) {
    const { reason, about } = error;
    const isUntrusted = error instanceof UntrustedNodeError;
    return { of: isUntrusted ? "untrusted node" : error instanceof NoLogsError ? "no logs" : "node", reason, about };
  }
  return { of: "other", reason: error instanceof Error ? error.message : String(error) };
}

export function restoreError(description: ErrorDescription): Error {
  if (description.of === "refused") return new BlockRefusedError(description.failed, description.about);
  if (description.of === "no logs") return new NoLogsError(description.reason, description.about.origin);
  if (description.of === "node") return new NodeError(description.reason, description.about);
  if (description.of === "untrusted node") return new UntrustedNodeError(description.reason, description.about);
  return new Error(description.reason);
}
