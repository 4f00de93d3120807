/**
 * Brings what some nodes and chains answer beside the rule into the one order that matching reads: a receipt, and a trace
 * where there are traces, for each transaction. Beyond dropping repetitions it does so only where the check of it is off.
 */
import { zeroAddress } from "../matching/bundle.ts";
import type { BlockBundle, WireReceipt, WireTrace, WireTransaction } from "../matching/wire.ts";
import type { Checks } from "./checks/check.ts";
import type { Inapplicable } from "./checks/check-block.ts";

/** @returns the block in order, and what had to be done to it */
export function inOrder(
  { block, receipts, traces }: BlockBundle,
  checks: Checks,
): { bundle: BlockBundle; mended: Inapplicable[] } {
  const mended: Inapplicable[] = [];
  const { transactions } = block;
  let inPlace = withoutRepetitions(receipts);
  if (inPlace.length < receipts.length) mended.push({ check: "receipts", reason: "receipts were given twice" });
  if (checks.receipts === "off") {
    const known = inPlace.length;
    inPlace = byTransaction(inPlace, transactions);
    if (inPlace.length < known)
      mended.push({ check: "receipts", reason: "receipts of transactions that are not in the block were left out" });
  }
  if (!traces || checks.traces === "on")
    return { bundle: { block, receipts: inPlace, ...(traces && { traces }) }, mended };
  const found = byName(traces, transactions);
  if (found.includes(undefined))
    mended.push({ check: "traces", reason: "transactions without a trace are taken to have no internal transactions" });
  const whole = transactions.map((transaction, index) => found[index] ?? withoutCalls(transaction));
  return { bundle: { block, receipts: inPlace, traces: whole }, mended };
}

/** A node that repeats itself word for word has said the same. */
function withoutRepetitions(receipts: readonly WireReceipt[]): WireReceipt[] {
  const seen = new Map<string, WireReceipt>();
  return receipts.filter((receipt) => {
    const hash = receipt?.transactionHash?.toLowerCase();
    const before = seen.get(hash);
    if (!before) seen.set(hash, receipt);
    return !before || JSON.stringify(before) !== JSON.stringify(receipt);
  });
}

/** Logs of no transaction come in receipts of their own, and are nobody's activity. */
function byTransaction(receipts: readonly WireReceipt[], transactions: readonly WireTransaction[]): WireReceipt[] {
  const ofHash = new Map(receipts.map((receipt) => [receipt.transactionHash.toLowerCase(), receipt]));
  return transactions.flatMap(({ hash }) => ofHash.get(hash.toLowerCase()) ?? []);
}

/** The trace of each transaction that has one. Nodes that do not name the transactions give them in their order. */
function byName(traces: readonly WireTrace[], transactions: readonly WireTransaction[]): (WireTrace | undefined)[] {
  const named = new Map(traces.map((trace) => [trace.txHash?.toLowerCase(), trace]));
  return transactions.map(({ hash }, index) => {
    const trace = named.has(undefined) ? traces[index] : named.get(hash.toLowerCase());
    return trace?.result ? trace : undefined;
  });
}

function withoutCalls({ hash, from, to }: WireTransaction): WireTrace {
  return { txHash: hash, result: { type: "CALL", from: from ?? zeroAddress, to: to ?? zeroAddress } };
}
