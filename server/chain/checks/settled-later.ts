/** Chains that execute behind their blocks: a header's bloom and receipts root are then those of other blocks. */
import type { WireBlock } from "../../matching/wire.ts";
import { cannotTell, type Finding } from "./check.ts";

/** Avalanche's ACP-194, which names the newest block that a block settles. */
export function settledLater({ settledHeight }: WireBlock): Finding | undefined {
  return settledHeight == null ? undefined : cannotTell("the chain settles execution in later blocks");
}
