/**
 * Polygon's state-sync transaction at the end of some blocks, from no one to no one. Before Madhugiri roots and bloom left it
 * out (`bor_receipt.go` of bor); since then it is of type 0x7f and the roots have it (PIP-74), the bloom perhaps.
 */
import { zeroAddress } from "../../matching/bundle.ts";
import type { BlockBundle, WireTransaction } from "../../matching/wire.ts";
import { typeOf } from "../encoding/transaction.ts";
import { same } from "./check.ts";

/** The block without transactions that its header leaves out; itself where there are none. */
export function committed(bundle: BlockBundle): BlockBundle {
  return without(bundle, isLeftOut);
}

/** The block without any state-sync transaction. */
export function withoutStateSync(bundle: BlockBundle): BlockBundle {
  return without(bundle, (transaction) => isLeftOut(transaction) || typeOf(transaction) === 0x7f);
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
