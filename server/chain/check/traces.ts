/** A trace for each transaction: given at all, which is always required, and of that transaction and with its outcome. */
import { createdContract, hasFailed } from "../../matching/bundle.ts";
import type { WireCallFrame, WireReceipt, WireTransaction } from "../../matching/wire.ts";
import { type Check, type Finding, refuse, same } from "./check.ts";
import { kindOf, typeOf } from "./encoding/transaction.ts";
import { isExcused } from "./excused-traces.ts";

/**
 * Nodes that gave up tracing return an error for a transaction, a list that is too short, or an empty one. Believing that nothing
 * was called would lose notifications in silence, so no configuration turns this off.
 */
export const checkTracesGiven: Check = ({ block: { transactions }, traces }) => {
  if (!traces) return undefined;
  if (!Array.isArray(traces) || traces.length !== transactions.length)
    return required(`has ${transactions.length} transactions and ${traces.length} traces`);
  for (const [index, { hash }] of transactions.entries()) {
    const { txHash, result, error } = traces[index] ?? {};
    if (txHash != null && !same(txHash, hash))
      return required(`has a trace ${index} that belongs to transaction ${txHash}`);
    // Another tracer's result has neither.
    if (!result?.from || !result.type) return required(`has no trace ${index}: ${error ?? "absent"}`);
  }
  return undefined;
};

export const checkTraces: Check = (bundle, kind) => {
  const missing = checkTracesGiven(bundle, kind);
  if (missing || !bundle.traces) return missing;
  for (const [index, transaction] of bundle.block.transactions.entries()) {
    const result = bundle.traces[index]?.result;
    const receipt = bundle.receipts[index];
    const fault = result && !isExcused(transaction, receipt, kind) && faultOf(result, transaction, receipt);
    if (fault) return refuse(`has a trace ${index} that ${fault}`);
  }
  return undefined;
};

const required = (reason: string): Finding => ({ refused: reason, required: true });

function faultOf(result: WireCallFrame, transaction: WireTransaction, receipt: WireReceipt | undefined) {
  if (transaction.from && !same(result.from, transaction.from)) return `is from ${result.from}, unlike its transaction`;
  const comparable = transaction.value != null || kindOf(typeOf(transaction)) !== "unknown";
  if (comparable && BigInt(result.value ?? 0) !== BigInt(transaction.value ?? 0))
    return `moves ${BigInt(result.value ?? 0)} wei, unlike its transaction`;
  const failed = receipt?.status != null ? hasFailed(receipt) : undefined;
  if (failed !== undefined && failed !== Boolean(result.error))
    return failed ? "succeeded where its receipt failed" : `failed (${result.error}) where its receipt succeeded`;
  const to = transaction.to ?? (receipt && createdContract(receipt));
  return to && !same(result.to, to) ? `is to ${result.to}, unlike its transaction` : undefined;
}
