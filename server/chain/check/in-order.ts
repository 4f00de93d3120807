/**
 * Brings what some nodes and chains return differently into the one order that matching reads: a receipt, and a trace where there
 * are traces, for each transaction. Nothing is made up: what is not there is for the checks to refuse.
 */
import type { BlockBundle, WireReceipt, WireTrace, WireTransaction } from "../../matching/wire.ts";
import type { Rules } from "./check.ts";
import type { Inapplicable } from "./check-block.ts";
import { withExcused } from "./excused-traces.ts";

/** @returns the block in order, and what had to be done to it */
export function inOrder(bundle: BlockBundle, { checks, kind }: Rules): { bundle: BlockBundle; mended: Inapplicable[] } {
  const mended: Inapplicable[] = [];
  const { block } = bundle;
  const { transactions } = block;
  let receipts = withoutRepetitions(bundle.receipts);
  if (receipts.length < bundle.receipts.length) mended.push({ check: "receipts", reason: "receipts were given twice" });
  if (checks.receipts === "off") {
    const known = receipts.length;
    receipts = byTransaction(receipts, transactions);
    if (receipts.length < known)
      mended.push({ check: "receipts", reason: "receipts of transactions that are not in the block were left out" });
  }
  receipts = withTypes(receipts, transactions);
  if (!Array.isArray(bundle.traces)) return { bundle: { ...bundle, receipts }, mended };
  const given = checks.traces === "on" ? bundle.traces : byName(bundle.traces, transactions);
  const traces = withExcused({ block, receipts }, given, kind);
  if (traces.length > given.length)
    mended.push({ check: "traces", reason: "state-sync transactions without a trace are taken to call nothing" });
  return { bundle: { block, receipts, traces }, mended };
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

/** Some nodes leave out of receipts what the transaction says: its type, by which a receipt is serialized. */
function withTypes(receipts: WireReceipt[], transactions: readonly WireTransaction[]): WireReceipt[] {
  const lacks = (receipt: WireReceipt | undefined, index: number) =>
    receipt && receipt.type == null && transactions[index]?.type != null;
  if (!receipts.some(lacks)) return receipts;
  return receipts.map((receipt, index) =>
    lacks(receipt, index) ? { ...receipt, type: transactions[index]?.type ?? null } : receipt,
  );
}

/** Traces in the order of their transactions, where each names another one of them. */
function byName(traces: readonly WireTrace[], transactions: readonly WireTransaction[]): readonly WireTrace[] {
  const named = new Map(traces.map((trace) => [trace?.txHash?.toLowerCase(), trace]));
  if (named.has(undefined) || named.size < traces.length) return traces;
  const inOrder = transactions.flatMap(({ hash }) => named.get(hash.toLowerCase()) ?? []);
  return inOrder.length < traces.length ? traces : inOrder;
}
