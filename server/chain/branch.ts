/** Finds where a new branch leaves the recorded chain, walking back by parent hash. */
import type { WireBlock } from "../matching/wire.ts";
import { recordedBlock } from "../store/chain-cursor.ts";
import type { Queryable } from "../store/pool.ts";
import { fetchBlock } from "./fetch.ts";
import { type Node, NodeError } from "./node.ts";

/** The node's chain leaves the recorded one below a block that was final. Nothing is changed; the chain stands still. */
export class FinalityError extends Error {
  override readonly name = "FinalityError";
}

/** A branch that replaces the recorded blocks above `ancestor`. */
export type Branch = { ancestor: number; blocks: WireBlock[] };

/**
 * @param tip the newest block of the new branch that is wanted, at most one above the cursor
 * @returns the branch in order, up to the tip
 * @throws FinalityError where it leaves below finality, NodeError where the node lacks a parent
 */
export async function findBranch(db: Queryable, node: Node, chainId: string, tip: WireBlock): Promise<Branch> {
  const blocks = [tip];
  for (let block = tip; ; ) {
    const ancestor = Number(block.number) - 1;
    const recorded = await recordedBlock(db, chainId, ancestor);
    if (!recorded) {
      throw new FinalityError(
        `The chain of ${node.origin} has block ${block.hash} at height ${block.number}, which contradicts a block that was final; ` +
          `following stands still until its nodes agree with what was recorded.`,
      );
    }
    if (recorded.hash === block.parentHash) return { ancestor, blocks: blocks.reverse() };
    const parent = await fetchBlock(node, block.parentHash as `0x${string}`);
    if (!parent)
      throw new NodeError(`no block ${block.parentHash}`, { method: "eth_getBlockByHash", origin: node.origin });
    blocks.push(parent);
    block = parent;
  }
}
