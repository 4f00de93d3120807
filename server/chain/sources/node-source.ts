/**
 * The chain's nodes as a source of blocks. A step uses one node: the first that is not set aside. It is set aside when the step fails, and the
 * others are its witnesses.
 */
import type { Hex } from "../../matching/wire.ts";
import { rulesOf } from "../../settings/chain-profiles.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import { isDatabaseUnavailable } from "../../store/database-errors.ts";
import { BlockRefusedError } from "../check/accept.ts";
import { checkHeaderHash } from "../check/header.ts";
import { type Node, NodeError, UntrustedNodeError } from "../nodes/node.ts";
import { fetchBlockHash, fetchHead, fetchHeader, type Header } from "../read/fetch.ts";
import type { NodeReader } from "../read/reader.ts";
import { StreamAwayError } from "../stream/block-stream.ts";
import type { NodePool, Witnesses } from "./node-pool.ts";
import type { BlockSource, ChosenSource, FinalNumber, KnownHeaders, SteppingLane } from "./source.ts";
import { agreedHits, areConfirmed, isAgreedOn, type LogWitness } from "./witnesses.ts";

export type NodeSources = {
  /** @returns undefined if every node is set aside */
  pick(lane: SteppingLane): ChosenSource | undefined;
  waitMs(): number;
};

/**
 * @param options.verify asserts that a node is of the chain
 * @param options.onDoubt called where logs are not believed
 */
export function nodeSources(options: {
  chain: ChainConfig;
  nodes: NodePool;
  readers: ReadonlyMap<Node, NodeReader>;
  verify: (node: Node) => Promise<void>;
  onDoubt?: BlockSource["doubted"];
}): NodeSources {
  const { chain, nodes, readers, verify, onDoubt } = options;
  /** The nodes whose chain was asserted since their last failure. */
  const verified = new Set<Node>();

  return {
    waitMs: nodes.waitMs,
    pick({ lag, memory }) {
      const node = nodes.pick();
      const reader = node && readers.get(node);
      if (!reader) return undefined;
      const witnesses = nodes.witnesses(node);
      const trusted = new Set(witnesses.ask);
      const logWitnesses = nodes.others(node).flatMap((other) => {
        const reader = trusted.has(other) ? readers.get(other) : undefined;
        if (!reader) return [];
        const failed = (error: unknown) => {
          verified.delete(other);
          nodes.setAside(other, error);
        };
        // Else a node that is only ever asked for logs would be set aside the longer, the more often it has failed in its life.
        return [{ origin: other.origin, reader, failed, succeeded: () => void nodes.noteSuccess(other) }];
      });
      return {
        source: {
          ...nodeSource(chain, node, { reader, witnesses, known: memory.headers, logWitnesses }),
          ...(onDoubt && { doubted: onDoubt }),
        },
        async prepare() {
          if (verified.has(node)) return;
          await verify(node);
          verified.add(node);
        },
        async assertCurrent({ moved, cursor }) {
          if (moved) lag.moved();
          else if (await lag.isBehind(cursor, node, nodes.others(node))) throw lagError(node, cursor);
        },
        succeeded: () => nodes.noteSuccess(node) > 0,
        failed(error) {
          // A throttled node is still the same, and has no call to spare.
          if (!(error instanceof NodeError && error.throttled)) verified.delete(node);
          const isOutage = isDatabaseUnavailable(error) || error instanceof StreamAwayError;
          return isOutage ? "outage" : nodes.setAside(node, error);
        },
        cancel() {
          node.cancel();
          reader.cancel();
        },
      };
    },
  };
}

function lagError({ origin }: Node, { number }: BlockId): NodeError {
  return new UntrustedNodeError(`its head stays at block ${number}, and other nodes are ahead`, {
    method: "eth_getBlockByNumber",
    origin,
  });
}

/** @returns the node's header of that hash, which it must match @param known headers of earlier walks; gets this one */
export async function provenHeader(node: Node, chain: ChainConfig, hash: Hex, known: KnownHeaders): Promise<Header> {
  const before = known.get(hash);
  if (before) return before;
  const block = await fetchHeader(node, hash);
  if (!block) throw new NodeError(`no block ${hash}`, { method: "eth_getBlockByHash", origin: node.origin });
  const header = { number: Number(block.number), hash, parentHash: block.parentHash };
  const { checks, kind } = rulesOf(chain);
  if (checks.headerHash === "off") return header;
  const finding = checkHeaderHash({ block, receipts: [] }, kind);
  if (finding && "refused" in finding)
    throw new BlockRefusedError([{ check: "headerHash", reason: finding.refused }], { block, node: node.origin });
  if (!finding) known.set(hash, header);
  return header;
}

/** Final depth for a node without the tag: half an hour or more on the fastest chains, and days on most. */
export const depthWithoutTag = 10_000;

/**
 * Many nodes do not have the tag after their start. Then only blocks that lie very deep are final: recording goes on, and keeps what it
 * needs to find a branch for longer.
 *
 * @throws NodeError if the node does not respond at all
 */
export async function readFinality({ finality }: ChainConfig, node: Node): Promise<FinalNumber> {
  if (finality === "latest") return (reached) => reached;
  const below = (depth: number): FinalNumber => {
    return (reached) => Math.max(0, reached - depth);
  };
  if (finality !== "finalized") return below(finality.confirmations);
  const guess = () => Object.assign(below(depthWithoutTag), { isGuess: true as const });
  try {
    const final = await fetchHead(node, "finalized");
    return final ? (reached) => Math.min(reached, final.number) : guess();
  } catch (error) {
    if (error instanceof NodeError && error.rpcCode !== undefined) return guess();
    throw error;
  }
}

/** @param options.witnesses the chain's other nodes, which are asked before anything is retracted @param options.known headers of earlier walks */
export function nodeSource(
  chain: ChainConfig,
  node: Node,
  options: { reader: NodeReader; witnesses: Witnesses; known: KnownHeaders; logWitnesses?: readonly LogWitness[] },
): BlockSource {
  const { reader, witnesses, known, logWitnesses = [] } = options;
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
    agreedHits: (range) => {
      const own = { origin, reader, failed: () => undefined, succeeded: () => undefined };
      return agreedHits(range, [own, ...logWitnesses], Math.min(2, chain.rpcUrls.length));
    },
  };
}
