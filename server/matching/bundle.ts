/** Reads one transaction of a block bundle, in the same way for participants and payload. */
import type { BlockBundle, Hex, WireReceipt, WireTransaction } from "./wire.ts";

/** The payload has 20 zero bytes for an absent address. */
export const zeroAddress: Hex = `0x${"0".repeat(40)}`;

/**
 * @param index from 0
 * @throws if the bundle has no such transaction, or the receipt there is of another one
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

/** A receipt from before Byzantium never says so. */
export function hasFailed({ status }: Pick<WireReceipt, "status">): boolean {
  // Almost all succeed.
  return status != null && status !== "0x1" && BigInt(status) === 0n;
}

/**
 * The contract that the transaction created, in lower case. Nodes also return an address for a creation that failed, and some return the
 * zero address without a creation. Neither is a contract.
 */
export function createdContract(receipt: WireReceipt): string | undefined {
  const address = receipt.contractAddress?.toLowerCase();
  return address === zeroAddress || hasFailed(receipt) ? undefined : address;
}

/**
 * In lower case. A transaction of a future type may name its receiver in its receipt only. The zero address there means a creation.
 */
export function receiverOf(transaction: WireTransaction, receipt: WireReceipt): string | undefined {
  const receiver = (transaction.to ?? receipt.to)?.toLowerCase();
  return transaction.to == null && receiver === zeroAddress ? undefined : receiver;
}

/** In lower case. A system transaction may have no sender, or name it in its receipt only. */
export function senderOf(transaction: WireTransaction, receipt: WireReceipt): string | undefined {
  return (transaction.from ?? receipt.from)?.toLowerCase();
}
