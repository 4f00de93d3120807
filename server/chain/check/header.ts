/** A block's header: against the hash by which the block was fetched, and against its parent. */
import type { Hex, WireBlock } from "../../matching/wire.ts";
import type { ChainKind } from "../../settings/chain-profiles.ts";
import { type Check, type CheckFinding, hex, refuse, same, skip } from "./check.ts";
import { keccak } from "./encoding/fields.ts";
import { hasCChainHeader, serializeHeader, unknownFields, zkStackHash, zkStackLegacyHash } from "./encoding/header.ts";

/** Catches a change of any header field. */
export const checkHeaderHash: Check = ({ block }, kind) => {
  if (matchesHash(block, kind)) return undefined;
  if (kind === "zksync") {
    if (same(hex(zkStackLegacyHash(block)), block.hash)) return skip("old headers commit to their number only");
    return refuse("has a number, a time, a parent or transactions that are not what its hash says");
  }
  // A fork that adds to the header must not stop the service on its first day.
  const unknown = unknownFields(block, kind);
  if (unknown.length > 0) return skip(`headers have fields that are not known: ${unknown.join(", ")}`);
  return refuse("has a header that is not what its hash says");
};

/** Whether the header matches its hash, and has the bloom of its own block. */
export function provesBloom(block: WireBlock, kind: ChainKind): boolean {
  try {
    return matchesHash(block, kind) && delayedExecution(block, kind) === undefined;
  } catch {
    // It lacks a field. Read whole, the block gets the checks that say so.
    return false;
  }
}

/** The hash of the header's known fields: the same for all nodes that return the same header. @throws {ServiceError} `field_missing` */
export function hashOfHeader(block: WireBlock, kind: ChainKind): Hex {
  return hex(kind === "zksync" ? zkStackHash(block) : keccak(serializeHeader(block, kind)));
}

/** @throws {ServiceError} `field_missing` */
function matchesHash(block: WireBlock, kind: ChainKind): boolean {
  return same(hashOfHeader(block, kind), block.hash);
}

/**
 * Avalanche's ACP-194: the chain executes behind its blocks, so a header's bloom and receipts root are those of other blocks. The
 * header says so by naming the newest block that it settles, in the C-Chain's layout. On a chain without a profile the header must
 * also match its hash: a node that adds the field must not turn checks off.
 *
 * @returns the finding of the checks that cannot decide then
 */
export function delayedExecution(block: WireBlock, kind: ChainKind): CheckFinding | undefined {
  if (block.settledHeight == null || !hasCChainHeader(block)) return undefined;
  const trusted = kind === "avalanche" || (kind === "unknown" && matchesHash(block, kind));
  return trusted ? skip("the chain settles execution in later blocks") : undefined;
}

/** A block's links: its number as the node returned it, or as we read it. */
type BlockLinks = { number: Hex | number; hash: Hex; parentHash: Hex };

/** Whether a block is the child of another. */
export function checkParent(block: BlockLinks, parent: BlockLinks): CheckFinding | undefined {
  if (same(block.parentHash, parent.hash) && BigInt(block.number) === BigInt(parent.number) + 1n) return undefined;
  return refuse(
    `has the parent ${block.parentHash} and is not the child of block ${Number(parent.number)} (${parent.hash})`,
  );
}
