/** Each transaction against its hash, and all of them against the root that the header commits to; and a trace for each, of that transaction and with its outcome. */
import { isServiceError } from "../../base/errors.ts";
import { createdContract, hasFailed } from "../../matching/bundle.ts";
import type { WireCallFrame, WireReceipt, WireTransaction } from "../../matching/wire.ts";
import { type Check, type CheckFinding, hex, refuse, refuseRepeated, same, skip } from "./check.ts";
import { keccak } from "./encoding/fields.ts";
import { kindOf, serializeTransaction, transactionType } from "./encoding/transaction.ts";
import { listRoot } from "./encoding/trie-root.ts";
import { delayedExecution } from "./header.ts";
import { committedBundle, isTraceExcused } from "./system-transactions.ts";

/** Copies are dropped before, so two of one hash differ. A messageId names the transaction by its hash. */
export const checkTransactionsDistinct: Check = ({ block }) =>
  refuseRepeated(
    "transactions",
    block.transactions.map(({ hash }) => hash),
  );

export const checkTransactionsRoot: Check = (bundle, kind) => {
  const repeated = checkTransactionsDistinct(bundle, kind);
  if (repeated) return repeated;
  const { transactionsRoot, transactions } = committedBundle(bundle, kind).block;
  const serialized: Uint8Array[] = [];
  let skipped: CheckFinding | undefined;
  for (const transaction of transactions) {
    const verified = verify(transaction);
    if (verified instanceof Uint8Array) serialized.push(verified);
    else if ("refused" in verified) return verified;
    else skipped ??= verified;
  }
  // Without one transaction we cannot compute the root, but we have checked the others' hashes.
  if (skipped) return skipped;
  // A ZK stack block has no root: its own hash commits to the transactions' hashes.
  if (kind === "zksync") return undefined;
  return same(transactionsRoot, hex(listRoot(serialized)))
    ? undefined
    : refuse("has a transactions root that is not that of its transactions");
};

/** @returns the transaction as it is hashed, if that is its hash */
function verify(transaction: WireTransaction): Uint8Array | CheckFinding {
  const type = transactionType(transaction);
  const kind = kindOf(type);
  if (kind === "unknown") return skip(`transactions of type 0x${type.toString(16)} are not known`);
  if (kind === "ethereum" && !isSigned(transaction)) return skip("a transaction is not signed");
  try {
    const serialized = serializeTransaction(transaction) ?? new Uint8Array();
    if (same(hex(keccak(serialized)), transaction.hash)) return serialized;
  } catch (error) {
    if (kind === "ethereum" || !isServiceError(error, "field_missing")) throw error;
  }
  // Nodes differ in which fields of system transactions they return.
  if (kind === "system") return skip(`a system transaction of type 0x${type.toString(16)} lacks fields`);
  return refuse(`has a transaction that is not what its hash ${transaction.hash} says`);
}

/** A real signature has no zero part. A chain's own transactions have zeros, or no signature. */
function isSigned({ r, s }: WireTransaction): boolean {
  return [r, s].some((part) => part != null && !/^0x0*$/.test(part));
}

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
