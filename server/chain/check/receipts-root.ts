/** Receipts against the root that the header commits to, and what nodes derive from them: gas used, contracts created. */
import type { BlockBundle, WireReceipt, WireTransaction } from "../../matching/wire.ts";
import { type Check, cannotTell, type Finding, hex, refuse, same } from "./check.ts";
import { committedBlooms } from "./committed-blooms.ts";
import { settledLater } from "./delayed-execution.ts";
import { bloomsOf } from "./encoding/bloom.ts";
import { quantity } from "./encoding/fields.ts";
import { keccak } from "./encoding/keccak.ts";
import { serializeReceipt } from "./encoding/receipt.ts";
import { rlp } from "./encoding/rlp.ts";
import { kindOf, typeOf } from "./encoding/transaction.ts";
import { listRoot } from "./encoding/trie-root.ts";
import type { Kind } from "./kind.ts";
import { committed } from "./state-sync.ts";

export const checkReceiptsRoot: Check = (bundle, kind) => {
  const counted = committed(bundle, kind);
  return checkDerived(counted) ?? settledLater(bundle.block, kind) ?? checkRoot(counted, kind);
};

function checkRoot({ block, receipts }: BlockBundle, kind: Kind): Finding | undefined {
  const unknown = receipts.map(typeOf).find((type) => kindOf(type) === "unknown");
  if (unknown !== undefined) return cannotTell(`receipts of type 0x${unknown.toString(16)} are not known`);
  if (receipts.some(({ status, root }) => status == null && !root)) return cannotTell("a receipt tells no outcome");
  if (committedBlooms({ block, receipts }, kind)) return undefined;
  const blooms = bloomsOf(receipts);
  const root = listRoot(receipts.map((receipt, index) => serializeReceipt(receipt, blooms[index] ?? new Uint8Array())));
  return same(block.receiptsRoot, hex(root))
    ? undefined
    : refuse("has a receipts root that is not that of its receipts");
}

function checkDerived({ block, receipts }: BlockBundle): Finding | undefined {
  let before = 0n;
  for (const [index, receipt] of receipts.entries()) {
    const upTo = BigInt(receipt.cumulativeGasUsed);
    const known = kindOf(typeOf(receipt)) !== "unknown";
    if (known && upTo - before !== BigInt(receipt.gasUsed))
      return refuse(
        `has a receipt ${index} with ${BigInt(receipt.gasUsed)} gas used, of which ${upTo - before} is accounted for`,
      );
    before = upTo;
    const expected = createdBy(block.transactions[index]);
    if (expected && receipt.contractAddress && !same(receipt.contractAddress, expected))
      return refuse(`has a receipt ${index} that created ${receipt.contractAddress} instead of ${expected}`);
  }
  return undefined;
}

/** The address of a created contract follows from its creator and the creator's nonce (Yellow Paper, section 7). */
function createdBy(transaction: WireTransaction | undefined): WireReceipt["contractAddress"] {
  if (!transaction || transaction.to || kindOf(typeOf(transaction)) !== "ethereum") return undefined;
  const { from, nonce } = transaction;
  return from && nonce ? `0x${hex(keccak(rlp([from, quantity(nonce)]))).slice(26)}` : undefined;
}
