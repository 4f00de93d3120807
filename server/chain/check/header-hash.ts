/** The header against the block's hash, by which it was fetched: catches a change of any header field. */
import type { Hex, WireBlock } from "../../matching/wire.ts";
import { type Check, cannotTell, hex, refuse, same } from "./check.ts";
import { serializeHeader, unknownFields } from "./encoding/header.ts";
import { keccak } from "./encoding/keccak.ts";
import { zkSyncHash, zkSyncLegacyHash } from "./encoding/zksync.ts";
import type { Kind } from "./kind.ts";

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
