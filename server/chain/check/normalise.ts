/**
 * Nodes and chains differ in how they return a block. This brings a bundle into the form that matching reads: a receipt, and a trace if
 * there are traces, for each transaction. Nothing is made up: the checks refuse what is missing.
 */
import type { BlockBundle, WireReceipt, WireTrace, WireTransaction } from "../../matching/wire.ts";
import type { Rules, SkippedCheck } from "./check.ts";
import { withExcusedTraces } from "./system-transactions.ts";

/** @returns the bundle, and what had to be repaired */
export function normalise(
  bundle: BlockBundle,
  { checks, kind }: Rules,
): { bundle: BlockBundle; repairs: SkippedCheck[] } {
  const repairs: SkippedCheck[] = [];
  const { block } = bundle;
  const { transactions } = block;
  let receipts = withoutRepetitions(bundle.receipts);
  if (receipts.length < bundle.receipts.length) repairs.push({ check: "receipts", reason: "receipts were repeated" });
  if (checks.receipts === "off") {
    const known = receipts.length;
    receipts = byTransaction(receipts, transactions);
    if (receipts.length < known)
      repairs.push({ check: "receipts", reason: "receipts of transactions that are not in the block were left out" });
  }
  receipts = withTypes(receipts, transactions);
  if (!Array.isArray(bundle.traces)) return { bundle: { ...bundle, receipts }, repairs };
  const ordered = checks.traces === "on" ? bundle.traces : byName(bundle.traces, transactions);
  const traces = withExcusedTraces({ block, receipts }, ordered, kind);
  if (traces.length > ordered.length)
    repairs.push({ check: "traces", reason: "state-sync transactions without a trace are taken to call nothing" });
  return { bundle: { block, receipts, traces }, repairs };
}

/** Drops copies only: two receipts that differ are for the checks to refuse. */
function withoutRepetitions(receipts: readonly WireReceipt[]): WireReceipt[] {
  const seen = new Map<string, WireReceipt>();
  return receipts.filter((receipt) => {
    const hash = receipt?.transactionHash?.toLowerCase();
    const before = seen.get(hash);
    if (!before) seen.set(hash, receipt);
    return !before || JSON.stringify(before) !== JSON.stringify(receipt);
  });
}

/** Some chains return logs of no transaction in receipts of their own. They are nobody's activity. */
function byTransaction(receipts: readonly WireReceipt[], transactions: readonly WireTransaction[]): WireReceipt[] {
  const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash.toLowerCase(), receipt]));
  return transactions.flatMap(({ hash }) => byHash.get(hash.toLowerCase()) ?? []);
}

/** Some nodes leave the type out of receipts. A receipt is serialized by it. */
function withTypes(receipts: WireReceipt[], transactions: readonly WireTransaction[]): WireReceipt[] {
  const lacks = (receipt: WireReceipt | undefined, index: number) =>
    receipt && receipt.type == null && transactions[index]?.type != null;
  if (!receipts.some(lacks)) return receipts;
  return receipts.map((receipt, index) =>
    lacks(receipt, index) ? { ...receipt, type: transactions[index]?.type ?? null } : receipt,
  );
}

/** Traces in the order of their transactions, if each names another one. */
function byName(traces: readonly WireTrace[], transactions: readonly WireTransaction[]): readonly WireTrace[] {
  const named = new Map(traces.map((trace) => [trace?.txHash?.toLowerCase(), trace]));
  if (named.has(undefined) || named.size < traces.length) return traces;
  const sorted = transactions.flatMap(({ hash }) => named.get(hash.toLowerCase()) ?? []);
  return sorted.length < traces.length ? traces : sorted;
}
