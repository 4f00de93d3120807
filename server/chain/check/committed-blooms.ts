/**
 * Whether the header's root commits to the receipts with the blooms that they were given with. It commits to logs and bloom alike, so
 * that the two need not be compared log by log, which takes a tenth of all that reading a block does.
 */
import type { BlockBundle, Hex, WireReceipt } from "../../matching/wire.ts";
import { hex, same } from "./check.ts";
import { settledLater } from "./delayed-execution.ts";
import { serializeReceipt } from "./encoding/receipt.ts";
import { listRoot } from "./encoding/trie-root.ts";
import type { Kind } from "./kind.ts";

const known = new WeakMap<readonly WireReceipt[], readonly Hex[] | undefined>();

/** @returns the blooms, where the root commits to them; undefined where that is not so, or cannot be told */
export function committedBlooms({ block, receipts }: BlockBundle, kind: Kind): readonly Hex[] | undefined {
  if (settledLater(block, kind)) return undefined;
  if (!known.has(receipts)) known.set(receipts, bloomsUnder(block.receiptsRoot, receipts));
  return known.get(receipts);
}

function bloomsUnder(root: Hex, receipts: readonly WireReceipt[]): readonly Hex[] | undefined {
  const blooms = receipts.flatMap(({ logsBloom }) => logsBloom ?? []);
  if (blooms.length < receipts.length) return undefined;
  try {
    const given = listRoot(receipts.map((receipt, index) => serializeReceipt(receipt, blooms[index] ?? "0x")));
    return same(root, hex(given)) ? blooms : undefined;
  } catch {
    // What cannot be serialized is for the checks to tell.
    return undefined;
  }
}
