/** One trace for each transaction, of that transaction and with its outcome; none that the node gave up, as some do after a time. */
import { createdContract, hasFailed } from "../../matching/bundle.ts";
import type { WireCallFrame, WireReceipt, WireTransaction } from "../../matching/wire.ts";
import { type Check, refuse, same } from "./check.ts";

export const checkTraces: Check = ({ block: { transactions }, receipts, traces }) => {
  if (!traces) return undefined;
  if (traces.length !== transactions.length)
    return refuse(`has ${transactions.length} transactions and ${traces.length} traces`);
  for (const [index, transaction] of transactions.entries()) {
    const { txHash, result, error } = traces[index] ?? {};
    if (!result) return refuse(`has no trace ${index}: ${error ?? "absent"}`);
    if (txHash !== undefined && !same(txHash, transaction.hash))
      return refuse(`has a trace ${index} that belongs to transaction ${txHash}`);
    const fault = faultOf(result, transaction, receipts[index]);
    if (fault) return refuse(`has a trace ${index} that ${fault}`);
  }
  return undefined;
};

function faultOf(result: WireCallFrame, transaction: WireTransaction, receipt: WireReceipt | undefined) {
  if (transaction.from && !same(result.from, transaction.from)) return `is from ${result.from}, unlike its transaction`;
  if (BigInt(result.value ?? 0) !== BigInt(transaction.value ?? 0))
    return `moves ${BigInt(result.value ?? 0)} wei, unlike its transaction`;
  const failed = receipt?.status != null ? hasFailed(receipt) : undefined;
  if (failed !== undefined && failed !== Boolean(result.error))
    return failed ? "succeeded where its receipt failed" : `failed (${result.error}) where its receipt succeeded`;
  const to = transaction.to ?? (receipt && createdContract(receipt));
  return to && !same(result.to, to) ? `is to ${result.to}, unlike its transaction` : undefined;
}
