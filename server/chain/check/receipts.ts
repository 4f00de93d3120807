/** One receipt for each transaction, in their order, of this transaction and this block, and so is each log in it. */
import { zeroAddress } from "../../matching/bundle.ts";
import type { Hex, WireBlock, WireReceipt, WireTransaction } from "../../matching/wire.ts";
import { type Check, refuse, same } from "./check.ts";
import { kindOf, typeOf } from "./encoding/transaction.ts";

export const checkReceipts: Check = ({ block, receipts }) => {
  const { transactions } = block;
  if (receipts.length !== transactions.length)
    return refuse(`has ${transactions.length} transactions and ${receipts.length} receipts`);
  for (const [index, transaction] of transactions.entries()) {
    const receipt = receipts[index];
    if (!receipt) return refuse(`has no receipt ${index}`);
    const fault = faultOf(receipt, index, transaction, block);
    if (fault) return refuse(`has a receipt ${index} that ${fault}`);
  }
  return undefined;
};

function faultOf(receipt: WireReceipt, index: number, transaction: WireTransaction, block: WireBlock) {
  if (!Array.isArray(receipt.logs)) return "has no list of logs";
  if (!same(receipt.transactionHash, transaction.hash) || !same(receipt.blockHash, block.hash))
    return `belongs to transaction ${receipt.transactionHash} of block ${receipt.blockHash}`;
  if (Number(receipt.transactionIndex) !== index) return `says that it is number ${Number(receipt.transactionIndex)}`;
  if (receipt.from && transaction.from && !same(receipt.from, transaction.from))
    return `is from ${receipt.from} where the transaction is from ${transaction.from}`;
  // What kind of transaction lacks a receiver is not known of a type that is not; its receipt may have one.
  const receiver = transaction.to ?? (kindOf(typeOf(transaction)) === "unknown" ? receipt.to : zeroAddress);
  if (receipt.to && !same(receipt.to, receiver))
    return `is to ${receipt.to} where the transaction is to ${transaction.to}`;
  if (receipt.type != null && transaction.type != null && BigInt(receipt.type) !== BigInt(transaction.type))
    return `is of type ${Number(receipt.type)}, unlike its transaction, which is of type ${Number(transaction.type)}`;
  const stray = receipt.logs.find(
    (log) => strays(log.transactionHash, receipt.transactionHash) || strays(log.blockHash, block.hash),
  );
  return stray && `has a log of transaction ${stray.transactionHash} of block ${stray.blockHash}`;
}

/** Logs need not say where they belong; what they say must be true. */
function strays(said: Hex | null | undefined, actual: Hex): boolean {
  return said != null && !same(said, actual);
}
