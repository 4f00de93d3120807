/** A receipt for each transaction, in order. Receipt and logs must name this transaction and this block. */
import { zeroAddress } from "../../matching/bundle.ts";
import type { Hex, WireBlock, WireReceipt, WireTransaction } from "../../matching/wire.ts";
import { type Check, refuse, refuseRepeated, same } from "./check.ts";
import { kindOf, transactionType } from "./encoding/transaction.ts";

/** Copies are dropped before, so two of one transaction differ. */
export const checkReceiptsDistinct: Check = ({ receipts }) =>
  refuseRepeated(
    "receipts",
    receipts.flatMap((receipt) => receipt?.transactionHash ?? []),
  );

export const checkReceipts: Check = (bundle, kind) => {
  const { block, receipts } = bundle;
  const repeated = checkReceiptsDistinct(bundle, kind);
  if (repeated) return repeated;
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
  // We do not know whether a transaction of unknown type may lack a receiver. Its receipt may name one.
  const receiver = transaction.to ?? (kindOf(transactionType(transaction)) === "unknown" ? receipt.to : zeroAddress);
  if (receipt.to && !same(receipt.to, receiver))
    return `is to ${receipt.to} where the transaction is to ${transaction.to}`;
  if (receipt.type != null && transaction.type != null && BigInt(receipt.type) !== BigInt(transaction.type))
    return `is of type ${Number(receipt.type)}, unlike its transaction, which is of type ${Number(transaction.type)}`;
  const stray = receipt.logs.find(
    (log) => strays(log.transactionHash, receipt.transactionHash) || strays(log.blockHash, block.hash),
  );
  return stray && `has a log of transaction ${stray.transactionHash} of block ${stray.blockHash}`;
}

/** A log need not name its block and transaction, but must not name others. */
function strays(named: Hex | null | undefined, actual: Hex): boolean {
  return named != null && !same(named, actual);
}

/** Logs are numbered through the block, from 0 and without gaps. Catches one that is missing between others. */
export const checkLogIndex: Check = ({ receipts }) => {
  const logs = receipts.flatMap((receipt) => receipt.logs);
  const wrong = logs.findIndex((log, place) => Number(log.logIndex) !== place);
  return wrong < 0 ? undefined : refuse(`has log ${Number(logs[wrong]?.logIndex)} at place ${wrong}`);
};
