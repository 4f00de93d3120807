/**
 * Nodes and chains differ in how they return a block. This brings a bundle into the form that matching reads: a receipt, and a trace if
 * there are traces, for each transaction. Nothing is made up: the checks refuse what is missing.
 */
import type { BlockBundle, WireLog, WireReceipt, WireTrace, WireTransaction } from "../../matching/wire.ts";
import type { Rules } from "../../settings/chain-profiles.ts";
import type { SkippedCheck } from "./check.ts";
import { withExcusedTraces } from "./system-transactions.ts";

/** @returns the bundle, and what had to be repaired */
export function normalise(
  fetched: BlockBundle,
  { checks, kind }: Rules,
): { bundle: BlockBundle; repairs: SkippedCheck[] } {
  const repairs: SkippedCheck[] = [];
  const bundle = withoutRepeatedTransactions(fetched);
  if (bundle !== fetched) repairs.push({ check: "transactionsRoot", reason: "transactions were repeated" });
  const { block } = bundle;
  const { transactions } = block;
  let receipts = withoutCopies(bundle.receipts, ({ transactionHash }) => transactionHash);
  if (receipts.length < bundle.receipts.length) repairs.push({ check: "receipts", reason: "receipts were repeated" });
  const once = withoutRepeatedLogs(receipts);
  if (once !== receipts) repairs.push({ check: "logIndex", reason: "logs were repeated" });
  receipts = once;
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

/** Drops copies only: two that have one hash and differ are for the checks to refuse. */
function withoutCopies<T>(all: readonly T[], hashOf: (one: T) => string | undefined): T[] {
  const seen = new Map<string | undefined, T>();
  return all.filter((one) => {
    const hash = one == null ? undefined : hashOf(one)?.toLowerCase();
    const before = seen.get(hash);
    if (before === undefined) seen.set(hash, one);
    return before === undefined || JSON.stringify(before) !== JSON.stringify(one);
  });
}

/** A transaction that is listed twice would be notified twice. Its trace goes with it. @returns the same bundle if there is none */
function withoutRepeatedTransactions(bundle: BlockBundle): BlockBundle {
  const { block, traces } = bundle;
  const transactions = withoutCopies(block.transactions, ({ hash }) => hash);
  if (transactions.length === block.transactions.length) return bundle;
  const stays = new Set(transactions);
  const first = new Map<string, number>();
  for (const [index, { hash }] of block.transactions.entries())
    if (!first.has(hash.toLowerCase())) first.set(hash.toLowerCase(), index);
  const isCopy = (trace: WireTrace, index: number) => {
    const transaction = block.transactions[index];
    if (!transaction || stays.has(transaction) || !Array.isArray(traces)) return false;
    return JSON.stringify(trace) === JSON.stringify(traces[first.get(transaction.hash.toLowerCase()) ?? index]);
  };
  const isParallel = Array.isArray(traces) && traces.length === block.transactions.length;
  return {
    ...{ ...bundle, block: { ...block, transactions } },
    ...(isParallel && { traces: traces.filter((trace, index) => !isCopy(trace, index)) }),
  };
}

/**
 * A log that is there twice under one number would double what moved. Where different logs share a number, it names none of them, and
 * equal logs may be two. @returns the same receipts if there is none
 */
function withoutRepeatedLogs(receipts: WireReceipt[]): WireReceipt[] {
  if (!receipts.some((receipt) => !isNumberedUpwards(receipt?.logs))) return receipts;
  const onceEach = [...receipts];
  let dropped = false;
  for (const [at, receipt] of receipts.entries()) {
    if (!Array.isArray(receipt?.logs)) continue;
    const logs = withoutCopies(receipt.logs, ({ logIndex }) => logIndex);
    if (new Set(logs.map(({ logIndex }) => logIndex?.toLowerCase())).size < logs.length) return receipts;
    dropped ||= logs.length < receipt.logs.length;
    onceEach[at] = logs.length < receipt.logs.length ? { ...receipt, logs } : receipt;
  }
  return dropped ? onceEach : receipts;
}

/** Almost all are, and have no log twice. */
const isNumberedUpwards = (logs: readonly WireLog[] | undefined) =>
  !Array.isArray(logs) ||
  logs.every(({ logIndex }, at) => at === 0 || Number(logIndex) > Number(logs[at - 1]?.logIndex));

/** Some chains return logs of no transaction in receipts of their own. They are nobody's activity. */
function byTransaction(receipts: readonly WireReceipt[], transactions: readonly WireTransaction[]): WireReceipt[] {
  const byHash = new Map<string, WireReceipt[]>();
  for (const receipt of receipts) {
    const hash = receipt.transactionHash.toLowerCase();
    byHash.set(hash, [...(byHash.get(hash) ?? []), receipt]);
  }
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
