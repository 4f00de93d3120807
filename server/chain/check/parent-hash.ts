/** A block is the child of the one before it. It is not among the checks of a single block, since it takes two. */
import type { Hex } from "../../matching/wire.ts";
import { type Finding, refuse, same } from "./check.ts";

/** What of a block tells its place; its number as a node has it, or as it was read. */
type Place = { number: Hex | number; hash: Hex; parentHash: Hex };

export function checkParent(block: Place, parent: Place): Finding | undefined {
  if (same(block.parentHash, parent.hash) && BigInt(block.number) === BigInt(parent.number) + 1n) return undefined;
  return refuse(
    `has the parent ${block.parentHash} and is not the child of block ${Number(parent.number)} (${parent.hash})`,
  );
}
