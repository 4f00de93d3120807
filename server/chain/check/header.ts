/** The header against the block's hash, by which it was fetched: catches a change of any header field. */
import type { Hex, WireBlock } from "../../matching/wire.ts";
import { type Check, cannotTell, type Finding, hex, type Kind, refuse, same } from "./check.ts";
import { hasCChainHeader, serializeHeader, unknownFields, zkSyncHash, zkSyncLegacyHash } from "./encoding/header.ts";
import { keccak } from "./encoding/keccak.ts";

export const checkHeaderHash: Check = ({ block }, kind) => {
  if (isAsHashed(block, kind)) return undefined;
  if (kind === "zksync") {
    if (same(hex(zkSyncLegacyHash(block)), block.hash)) return cannotTell("old headers commit to their number only");
    return refuse("has a number, a time, a parent or transactions that are not what its hash says");
  }
  // A fork that adds to the header must not stop the service on the day it comes.
  const unknown = unknownFields(block, kind);
  if (unknown.length > 0) return cannotTell(`headers have fields that are not known: ${unknown.join(", ")}`);
  return refuse("has a header that is not what its hash says");
};

/** What the header hashes to, by all that is known of it: the same for all nodes that return the same header. @throws MissingFieldError */
export function hashOfHeader(block: WireBlock, kind: Kind): Hex {
  return hex(kind === "zksync" ? zkSyncHash(block) : keccak(serializeHeader(block, kind)));
}

/** Whether the header is the one that its hash names. @throws MissingFieldError */
export function isAsHashed(block: WireBlock, kind: Kind): boolean {
  return same(hashOfHeader(block, kind), block.hash);
}

// FROM server/chain/check/delayed-execution.ts: /** Chains that execute behind their blocks: a header's bloom and receipts root are then those of other blocks. */
/**
 * Avalanche's ACP-194, which names the newest block that a block settles. Only a header of the C-Chain's layout can say so; on a
 * chain without a profile it must also be the one that is hashed, since a node that adds a field must not turn checks off.
 */
export function settledLater(block: WireBlock, kind: Kind): Finding | undefined {
  if (block.settledHeight == null || !hasCChainHeader(block)) return undefined;
  const believed = kind === "avalanche" || (kind === "unknown" && isAsHashed(block, kind));
  return believed ? cannotTell("the chain settles execution in later blocks") : undefined;
}

// FROM server/chain/check/parent-hash.ts: /** A block is the child of the one before it. It is not among the checks of a single block, since it takes two. */
/** What of a block tells its place; its number as a node has it, or as it was read. */
type Place = { number: Hex | number; hash: Hex; parentHash: Hex };

export function checkParent(block: Place, parent: Place): Finding | undefined {
  if (same(block.parentHash, parent.hash) && BigInt(block.number) === BigInt(parent.number) + 1n) return undefined;
  return refuse(
    `has the parent ${block.parentHash} and is not the child of block ${Number(parent.number)} (${parent.hash})`,
  );
}
