/** Tells which blocks cannot be replaced any more. */
import type { ChainConfig } from "../config.ts";
import { type Node, NodeError } from "../nodes/node.ts";
import { fetchHead } from "../read/fetch.ts";

/** Where a node has no tag, as on chains that know none: half an hour and more on the fastest, and days on most. */
const depthWithoutTag = 10_000;

/**
 * The newest block that is final when the chain is followed up to `reached`. A node that cannot tell, as many after their
 * start, makes nothing final but what lies very deep: recording goes on, and only keeps longer what it needs to find a branch.
 *
 * @throws NodeError where the node does not answer at all
 */
export async function finalNumberOf({ finality }: ChainConfig, node: Node, reached: number): Promise<number> {
  if (finality === "latest") return reached;
  if (finality !== "finalized") return Math.max(0, reached - finality.confirmations);
  const deep = Math.max(0, reached - depthWithoutTag);
  try {
    const final = await fetchHead(node, "finalized");
    return final ? Math.min(reached, final.number) : deep;
  } catch (error) {
    if (error instanceof NodeError && error.code !== undefined) return deep;
    throw error;
  }
}
