/** Tells which blocks cannot be replaced any more. */
import type { ChainConfig } from "./config.ts";
import { fetchHead } from "./fetch.ts";
import { type Node, NodeError } from "./node.ts";

/**
 * The newest block that is final when the chain is followed up to `reached`. A node that cannot tell, as many after their
 * start, makes nothing more final: recording goes on, and only keeps longer what it needs to find a branch.
 *
 * @throws NodeError where the node does not answer at all
 */
export async function finalNumberOf({ finality }: ChainConfig, node: Node, reached: number): Promise<number> {
  if (finality === "latest") return reached;
  if (finality !== "finalized") return Math.max(0, reached - finality.confirmations);
  try {
    const final = await fetchHead(node, "finalized");
    return final ? Math.min(reached, final.number) : 0;
  } catch (error) {
    if (error instanceof NodeError && error.code !== undefined) return 0;
    throw error;
  }
}
