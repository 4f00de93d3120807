/** What a step takes blocks from: one of the chain's nodes, or the stream of blocks that others have checked. */

import type { ChainConfig } from "../../settings/chains.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import { type Node, NodeError } from "../nodes/node.ts";
import type { ReadBlock } from "../read/block.ts";
import { fetchBlockHash, fetchHead, type Head } from "../read/fetch.ts";
import type { BlockReader } from "../read/reader.ts";
import { type FinalNumber, type HeaderSource, type KnownHeaders, provenHeader, readFinality } from "./branch.ts";
import type { Witnesses } from "./node-pool.ts";
import { areConfirmed, isAgreedOn } from "./witnesses.ts";

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
};

/** @param options.witnesses the chain's other nodes, which are asked before anything is retracted @param options.known headers of earlier walks */
export function nodeSource(
  chain: ChainConfig,
  node: Node,
  { reader, witnesses, known }: { reader: BlockReader; witnesses: Witnesses; known: KnownHeaders },
): BlockSource {
  const { origin } = node;
  return {
    origin,
    reader,
    isSettled: false,
    async head() {
      const head = await fetchHead(node, "latest");
      if (!head) throw new NodeError("no latest block", { method: "eth_getBlockByNumber", origin });
      return head;
    },
    hashAt: (number) => fetchBlockHash(node, number),
    headerOf: (hash) => provenHeader(node, chain, hash, known),
    finality: () => readFinality(chain, node),
    isAgreedOn: (block, seenMs) => isAgreedOn(block, witnesses, seenMs),
    areConfirmed: (blocks) => areConfirmed(blocks, { chain, node, witnesses }),
  };
}
