/**
 * Polygon's state-sync transaction at the end of some blocks, from no one to no one. Before Madhugiri roots and bloom left it
 * out (`bor_receipt.go` of bor); since then it is of type 0x7f and the roots have it (PIP-74), the bloom perhaps.
 */
import { zeroAddress } from "../../matching/bundle.ts";
import type { BlockBundle, WireTransaction } from "../../matching/wire.ts";
import { same } from "./check.ts";
import { typeOf } from "./encoding/transaction.ts";
import type { Kind } from "./kind.ts";

/** The block without transactions that its header leaves out; itself where there are none. */
export function committed(bundle: BlockBundle, kind: Kind): BlockBundle {
  return mayHave(kind) ? without(bundle, isLeftOut) : bundle;
}

/** The block without any state-sync transaction. */
export function withoutStateSync(bundle: BlockBundle, kind: Kind): BlockBundle {
  return mayHave(kind) ? without(bundle, isStateSync) : bundle;
}

/** On other chains nothing is left out: whoever adds such a transaction to a block would keep its logs from being checked. */
const mayHave = (kind: Kind) => kind === "polygon" || kind === "unknown";

/** Whether it is one, on a chain that has them. */
export function isStateSync(transaction: WireTransaction): boolean {
  return isLeftOut(transaction) || typeOf(transaction) === 0x7f;
}

function without(bundle: BlockBundle, isOut: (transaction: WireTransaction) => boolean): BlockBundle {
  const { block, receipts } = bundle;
  const out = new Set(block.transactions.flatMap((transaction, index) => (isOut(transaction) ? [index] : [])));
  if (out.size === 0) return bundle;
  const stays = (_: unknown, index: number) => !out.has(index);
  return {
    block: { ...block, transactions: block.transactions.filter(stays) },
    receipts: receipts.filter(stays),
  };
}

function isLeftOut(transaction: WireTransaction): boolean {
  const { from, to, gas } = transaction;
  return typeOf(transaction) === 0 && same(from, zeroAddress) && same(to, zeroAddress) && BigInt(gas ?? 0) === 0n;
}
