/** Reads one transaction out of a block's bundle, and what participants and payload must read alike. */
import type { BlockBundle, Hex, WireReceipt, WireTransaction } from "./wire.ts";

/** 20 zero bytes, which the payload has where there is no address. */
export const zeroAddress: Hex = `0x${"0".repeat(40)}`;

/**
 * The transaction at a position of the block, from 0, and its receipt.
 *
 * @throws when the bundle has none there or the receipt is of another transaction.
 */
export function transactionAt(
  { block, receipts }: BlockBundle,
  index: number,
): { transaction: WireTransaction; receipt: WireReceipt } {
  const transaction = block.transactions[index];
  if (!transaction) throw new Error(`Block ${block.hash} has no transaction at position ${index}.`);
  const receipt = receipts[index];
  if (receipt?.transactionHash.toLowerCase() !== transaction.hash.toLowerCase())
    throw new Error(`Transaction ${transaction.hash} of block ${block.hash} lacks its receipt at position ${index}.`);
  return { transaction, receipt };
}

/** Whether the receipt tells that the transaction failed. One from before Byzantium never does. */
export function hasFailed({ status }: WireReceipt): boolean {
  return status != null && BigInt(status) === 0n;
}

/**
 * The contract that the transaction created, in lower case. Nodes give the address that a creation would have had even when
 * it failed, and some give the zero address where there was no creation; neither is one.
 */
export function createdContract(receipt: WireReceipt): string | undefined {
  const address = receipt.contractAddress?.toLowerCase();
  return address === zeroAddress || hasFailed(receipt) ? undefined : address;
}

/**
 * Whom the transaction is to, in lower case. Transactions of types to come may tell of it in their receipt only; nodes that give
 * the zero address there mean a creation.
 */
export function receiverOf(transaction: WireTransaction, receipt: WireReceipt): string | undefined {
  const receiver = (transaction.to ?? receipt.to)?.toLowerCase();
  return transaction.to == null && receiver === zeroAddress ? undefined : receiver;
}

/** Who sent the transaction, in lower case. System transactions may have no sender, or tell of it in their receipt only. */
export function senderOf(transaction: WireTransaction, receipt: WireReceipt): string | undefined {
  return (transaction.from ?? receipt.from)?.toLowerCase();
}
