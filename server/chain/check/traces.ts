/** A trace for each transaction: present, which is always required, and of that transaction and with its outcome. */
import { createdContract, hasFailed } from "../../matching/bundle.ts";
import type { WireCallFrame, WireReceipt, WireTransaction } from "../../matching/wire.ts";
import { type Check, type CheckFinding, refuse, same } from "./check.ts";
import { kindOf, transactionType } from "./encoding/transaction.ts";
import { delayedExecution } from "./header.ts";
import { isTraceExcused } from "./system-transactions.ts";

/**
 * A node that fails to trace may return an error for a transaction, or a list that is too short or empty. To read that as "called
 * nothing" would lose notifications silently, so no configuration turns this off.
 */
export const checkTracesPresent: Check = ({ block: { transactions }, traces }) => {
  if (!traces) return undefined;
  if (!Array.isArray(traces) || traces.length !== transactions.length)
    return required(`has ${transactions.length} transactions and ${traces.length} traces`);
  for (const [index, { hash }] of transactions.entries()) {
    const { txHash, result, error } = traces[index] ?? {};
    if (txHash != null && !same(txHash, hash))
      return required(`has a trace ${index} that belongs to transaction ${txHash}`);
    // The results of other tracers have neither.
    if (!result?.from || !result.type) return required(`has no trace ${index}: ${error ?? "absent"}`);
  }
  return undefined;
};

export const checkTraces: Check = (bundle, kind) => {
  const missing = checkTracesPresent(bundle, kind);
  if (missing || !bundle.traces) return missing;
  for (const [index, transaction] of bundle.block.transactions.entries()) {
    const result = bundle.traces[index]?.result;
    const receipt = bundle.receipts[index];
    const fault = result && !isTraceExcused(transaction, receipt, kind) && faultOf(result, transaction, receipt);
    if (fault) return refuse(`has a trace ${index} that ${fault}`);
  }
  return undefined;
};

const required = (reason: string): CheckFinding => ({ refused: reason, required: true });

function faultOf(result: WireCallFrame, transaction: WireTransaction, receipt: WireReceipt | undefined) {
  if (transaction.from && !same(result.from, transaction.from)) return `is from ${result.from}, unlike its transaction`;
  const comparable = transaction.value != null || kindOf(transactionType(transaction)) !== "unknown";
  if (comparable && BigInt(result.value ?? 0) !== BigInt(transaction.value ?? 0))
    return `moves ${BigInt(result.value ?? 0)} wei, unlike its transaction`;
  const failed = receipt?.status != null ? hasFailed(receipt) : undefined;
  if (failed !== undefined && failed !== Boolean(result.error))
    return failed ? "succeeded where its receipt failed" : `failed (${result.error}) where its receipt succeeded`;
  const to = transaction.to ?? (receipt && createdContract(receipt));
  return to && !same(result.to, to) ? `is to ${result.to}, unlike its transaction` : undefined;
}

/** The gas of each trace against its transaction and receipt. A check of its own, since chains differ in what counts as gas. */
export const checkTraceGas: Check = ({ block, receipts, traces }, kind) => {
  if (!traces) return undefined;
  // Chains with delayed execution charge for a part of the unused gas limit, which a trace does not show.
  const delayed = delayedExecution(block, kind);
  if (delayed) return delayed;
  for (const [index, { result }] of traces.entries()) {
    const limit = block.transactions[index]?.gas;
    const charged = receipts[index]?.gasUsed;
    if (limit == null || charged == null || result?.gas == null || result.gasUsed == null) continue;
    const [gas, used] = [BigInt(result.gas), BigInt(result.gasUsed)];
    // Some tracers leave out the gas that a transaction costs before its first instruction. Older ones leave out refunds, too.
    const short = gas < BigInt(limit) && used <= gas;
    if (gas > BigInt(limit) || (used !== BigInt(charged) && !short))
      return refuse(
        `has a trace ${index} that used ${used} of ${gas} gas, and a receipt of ${BigInt(charged)} of ${BigInt(limit)}`,
      );
  }
  return undefined;
};
