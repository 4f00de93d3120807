/**
 * Polygon's state-sync transaction at the end of some blocks, from no one to no one. Before Madhugiri the roots and the bloom
 * left it out; since then it is of type 0x7f, and they have it.
 */
import { zeroAddress } from "../../matching/bundle.ts";
import type { BlockBundle, WireTransaction } from "../../matching/wire.ts";
import { typeOf } from "../encoding/transaction.ts";
import { same } from "./check.ts";

/** The block without transactions that its header leaves out; itself where there are none. */
export function committed(bundle: BlockBundle): BlockBundle {
  const { block, receipts } = bundle;
  if (!block.transactions.some(isLeftOut)) return bundle;
  const counts = (_: unknown, index: number) => !isLeftOut(block.transactions[index]);
  return {
    block: { ...block, transactions: block.transactions.filter(counts) },
    receipts: receipts.filter(counts),
  };
}

function isLeftOut(transaction: WireTransaction | undefined): boolean {
  if (!transaction) return false;
  const { from, to, gas } = transaction;
  return typeOf(transaction) === 0 && same(from, zeroAddress) && same(to, zeroAddress) && BigInt(gas ?? 0) === 0n;
}
