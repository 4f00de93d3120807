/** The header against the block's hash, by which it was asked for: catches a change of any header field. */
import { serializeHeader, unknownFields } from "../encoding/header.ts";
import { keccak } from "../encoding/keccak.ts";
import { type Check, cannotTell, hex, refuse, same } from "./check.ts";

export const checkHeaderHash: Check = ({ block }) => {
  if (same(hex(keccak(serializeHeader(block))), block.hash)) return undefined;
  // A fork that adds to the header must not stop the service on the day it comes.
  const unknown = unknownFields(block);
  if (unknown.length > 0) return cannotTell(`headers have fields that are not known: ${unknown.join(", ")}`);
  return refuse("has a header that is not what its hash says");
};
