/** Finds where a new branch leaves the recorded chain, walking back by parent hash. */
import type { Hex } from "../matching/wire.ts";
import { isRecorded } from "../store/chain-cursor.ts";
import type { Queryable } from "../store/pool.ts";
import { fetchHeader, type Header } from "./fetch.ts";
import { type Node, NodeError } from "./node.ts";
import { StandstillError } from "./standstill.ts";

/** A branch that replaces the recorded blocks above `ancestor`: the hashes of its blocks below the tip, in order. */
export type Branch = { ancestor: number; hashes: Hex[] };

/**
 * @param tip a block of the new branch, at most one above the cursor
 * @throws StandstillError where it leaves the recorded chain below finality, NodeError where the node lacks a parent
 */
export async function findBranch(
  db: Queryable,
  node: Node,
  chainId: string,
  tip: Omit<Header, "hash">,
): Promise<Branch> {
  const hashes: Hex[] = [];
  for (let { number, parentHash } = tip; ; ) {
    const recorded = await isRecorded(db, chainId, { number: number - 1, hash: parentHash });
    if (recorded) return { ancestor: number - 1, hashes: hashes.reverse() };
    if (recorded === undefined) {
      throw new StandstillError(
        `The chain of ${node.origin} has block ${parentHash} at height ${number - 1}, which contradicts a block that was final; ` +
          `following stands still until its nodes agree with what was recorded.`,
      );
    }
    const parent = await fetchHeader(node, parentHash);
    if (!parent) throw new NodeError(`no block ${parentHash}`, { method: "eth_getBlockByHash", origin: node.origin });
    hashes.push(parentHash);
    ({ number, parentHash } = parent);
  }
}
