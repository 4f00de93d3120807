/** Reorganisations: where a new branch leaves the recorded chain, and which blocks are final. */
import type { Hex } from "../../matching/wire.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import { BlockRefusedError } from "../check/accept.ts";
import { checkHeaderHash } from "../check/header.ts";
import { rulesOf } from "../check/profiles.ts";
import type { ChainConfig } from "../config.ts";
import { type Node, NodeError } from "../nodes/node.ts";
import { fetchHead, fetchHeader, type Header } from "../read/fetch.ts";
import { StandstillError } from "./standstill.ts";

/** A branch that replaces the recorded blocks above `ancestor`: the hashes of its blocks below the tip, in order. */
export type Branch = { ancestor: number; ancestorHash: Hex; hashes: Hex[] };

/** Headers that match their hashes. If a walk fails half way, the next one continues with them. */
export type KnownHeaders = Map<Hex, Header>;

/** Whether a block is on record; undefined if none of its number is. */
export type IsRecorded = (block: BlockId) => Promise<boolean | undefined>;

/** Where the headers of a branch come from. */
export type HeaderSource = {
  /** Names it in logs. */
  readonly origin: string;
  /** @returns the header of that hash, of a block that should have that number */
  headerOf(hash: Header["hash"], number: number): Promise<Header>;
};

/**
 * Walks back by parent hash to a recorded block.
 *
 * @param tip a block of the new branch, at most one above the cursor
 * @throws StandstillError if the branch leaves the recorded chain below finality, NodeError if the source lacks a parent,
 *   BlockRefusedError if it returns another block as the parent
 */
export async function findBranch(
  isRecorded: IsRecorded,
  { origin, headerOf }: HeaderSource,
  tip: Omit<Header, "hash">,
): Promise<Branch> {
  const hashes: Hex[] = [];
  for (let { number, parentHash } = tip; ; ) {
    const recorded = await isRecorded({ number: number - 1, hash: parentHash });
    if (recorded) return { ancestor: number - 1, ancestorHash: parentHash, hashes: hashes.reverse() };
    if (recorded === undefined) {
      throw new StandstillError(
        `The chain's nodes have block ${parentHash} at height ${number - 1}, which contradicts a block that was final; ` +
          `following stops until they agree with what was recorded.`,
        "finality",
      );
    }
    hashes.push(parentHash);
    const parent = await headerOf(parentHash, number - 1);
    // Each step must go down by one, so the walk ends whatever a node makes up.
    if (parent.number !== number - 1)
      throw new BlockRefusedError([{ check: "parentHash", reason: `is returned as the parent of block ${number}` }], {
        block: { number: `0x${parent.number.toString(16)}`, hash: parentHash },
        node: origin,
      });
    ({ number, parentHash } = parent);
  }
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

/** The newest block that is final when the chain is followed up to `reached`. */
export type FinalNumber = ((reached: number) => number) & {
  /** The source does not say which blocks are final; they only lie very deep. */
  readonly isGuess?: true;
};

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
