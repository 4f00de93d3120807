/** Finds where a new branch leaves the recorded chain, walking back by parent hash. */
import type { Hex } from "../../matching/wire.ts";
import { isRecorded, type LaneId } from "../../store/chains/cursor.ts";
import type { Queryable } from "../../store/pool.ts";
import { checkHeaderHash } from "../check/header-hash.ts";
import { rulesOf } from "../check/profiles.ts";
import { BlockRefusedError } from "../check/refused.ts";
import type { ChainConfig } from "../config.ts";
import { type Node, NodeError } from "../nodes/node.ts";
import { fetchHeader, type Header } from "../read/fetch.ts";
import { StandstillError } from "./standstill.ts";

/** A branch that replaces the recorded blocks above `ancestor`: the hashes of its blocks below the tip, in order. */
export type Branch = { ancestor: number; hashes: Hex[] };

/**
 * Headers that are what their hashes say: where a walk through a node that often fails did not come to its end, the next one
 * goes on with them.
 */
export type KnownHeaders = Map<Hex, Header>;

/**
 * @param options.tip a block of the new branch, at most one above the cursor
 * @param options.known headers of walks before; those of this one are added
 * @throws StandstillError where it leaves the recorded chain below finality, NodeError where the node lacks a parent,
 *   BlockRefusedError where it gives another
 */
export async function findBranch(
  db: Queryable,
  node: Node,
  { chain, lane, tip, known }: { chain: ChainConfig; lane: LaneId; tip: Omit<Header, "hash">; known: KnownHeaders },
): Promise<Branch> {
  const hashes: Hex[] = [];
  for (let { number, parentHash } = tip; ; ) {
    const recorded = await isRecorded(db, lane, { number: number - 1, hash: parentHash });
    if (recorded) return { ancestor: number - 1, hashes: hashes.reverse() };
    if (recorded === undefined) {
      throw new StandstillError(
        `The chain's nodes have block ${parentHash} at height ${number - 1}, which contradicts a block that was final; ` +
          `following stands still until they agree with what was recorded.`,
        "finality",
      );
    }
    hashes.push(parentHash);
    const parent = known.get(parentHash) ?? (await fetchKnown(node, chain, parentHash, known));
    // A walk that goes down by one each time comes to an end, whatever a node makes up.
    if (parent.number !== number - 1)
      throw new BlockRefusedError([{ check: "parentHash", reason: `is given as the parent of block ${number}` }], {
        block: { number: `0x${parent.number.toString(16)}`, hash: parentHash },
        node: node.origin,
      });
    ({ number, parentHash } = parent);
  }
}

async function fetchKnown(node: Node, chain: ChainConfig, hash: Hex, known: KnownHeaders): Promise<Header> {
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
