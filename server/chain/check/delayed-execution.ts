/** Chains that execute behind their blocks: a header's bloom and receipts root are then those of other blocks. */
import type { WireBlock } from "../../matching/wire.ts";
import { cannotTell, type Finding } from "./check.ts";
import { hasCChainHeader } from "./encoding/header.ts";
import { isAsHashed } from "./header-hash.ts";
import type { Kind } from "./kind.ts";

/**
 * Avalanche's ACP-194, which names the newest block that a block settles. Only a header of the C-Chain's layout can say so; on a
 * chain without a profile it must also be the one that is hashed, since a node that adds a field must not turn checks off.
 */
export function settledLater(block: WireBlock, kind: Kind): Finding | undefined {
  if (block.settledHeight == null || !hasCChainHeader(block)) return undefined;
  const believed = kind === "avalanche" || (kind === "unknown" && isAsHashed(block, kind));
  return believed ? cannotTell("the chain settles execution in later blocks") : undefined;
}
