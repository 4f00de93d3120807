/**
 * Transactions that a chain makes itself, which headers or traces leave out.
 *
 * Polygon ends some blocks with a state-sync transaction from no one to no one. Before Madhugiri, roots and bloom left it out
 * (`bor_receipt.go` of bor). Since then it is of type 0x7f and the roots include it (PIP-74); the bloom may or may not.
 */
import { hasFailed, zeroAddress } from "../../matching/bundle.ts";
import type { BlockBundle, WireReceipt, WireTrace, WireTransaction } from "../../matching/wire.ts";
import type { ChainKind } from "../../settings/chain-profiles.ts";
import { same } from "./check.ts";
import { kindOf, transactionType } from "./encoding/transaction.ts";

/** The bundle without the transactions that its header leaves out. */
export function committedBundle(bundle: BlockBundle, kind: ChainKind): BlockBundle {
  return mayHaveStateSync(kind) ? without(bundle, isLeftOut) : bundle;
}

export function withoutStateSync(bundle: BlockBundle, kind: ChainKind): BlockBundle {
  return mayHaveStateSync(kind) ? without(bundle, isStateSync) : bundle;
}

/** On other chains a node could add such a transaction to keep logs from being checked. */
const mayHaveStateSync = (kind: ChainKind) => kind === "polygon" || kind === "unknown";

function isStateSync(transaction: WireTransaction): boolean {
  return isLeftOut(transaction) || transactionType(transaction) === 0x7f;
}

function without(bundle: BlockBundle, isRemoved: (transaction: WireTransaction) => boolean): BlockBundle {
  const { block, receipts } = bundle;
  const removed = new Set(block.transactions.flatMap((transaction, index) => (isRemoved(transaction) ? [index] : [])));
  if (removed.size === 0) return bundle;
  const stays = (_: unknown, index: number) => !removed.has(index);
  return {
    block: { ...block, transactions: block.transactions.filter(stays) },
    receipts: receipts.filter(stays),
  };
}

function isLeftOut(transaction: WireTransaction): boolean {
  const { from, to, gas } = transaction;
  return (
    transactionType(transaction) === 0 && same(from, zeroAddress) && same(to, zeroAddress) && BigInt(gas ?? 0) === 0n
  );
}

/** Whether nodes cannot trace the transaction, or trace it in a form of their own. None of these calls anything that counts. */
export function isTraceExcused(
  transaction: WireTransaction,
  receipt: WireReceipt | undefined,
  kind: ChainKind,
): boolean {
  return isUntraced(transaction, kind) || isFailedSystem(transaction, receipt);
}

/** Bor does not execute its state-sync transactions as such, and many nodes leave them out of a block's traces. */
function isUntraced(transaction: WireTransaction, kind: ChainKind): boolean {
  return kind === "polygon" && isStateSync(transaction);
}

/**
 * The OP stack traces a failed deposit as `STOP` from the zero address, or not at all without funds. Arbitrum traces a failed retry
 * or submission as a success. A failed transaction has no calls that stand, whatever its trace says.
 */
function isFailedSystem(transaction: WireTransaction, receipt: WireReceipt | undefined): boolean {
  return kindOf(transactionType(transaction)) === "system" && receipt !== undefined && hasFailed(receipt);
}

/** Sets a trace without calls for each failed system transaction, and for each untraced one that lacks its trace. */
export function withExcusedTraces(
  { block, receipts }: BlockBundle,
  traces: readonly WireTrace[],
  kind: ChainKind,
): WireTrace[] {
  const { transactions } = block;
  const placed = [...traces];
  // If traces do not name their transactions, we cannot tell which is missing.
  const named = new Set(traces.map((trace) => trace?.txHash?.toLowerCase()));
  if (!named.has(undefined))
    for (const [index, transaction] of transactions.entries())
      if (isUntraced(transaction, kind) && !named.has(transaction.hash.toLowerCase()))
        placed.splice(index, 0, withoutCalls(transaction));
  return placed.map((trace, index) => {
    const transaction = transactions[index];
    if (!transaction || (trace?.txHash != null && !same(trace.txHash, transaction.hash))) return trace;
    const receipt = receipts[index];
    if (isFailedSystem(transaction, receipt)) return withoutCalls(transaction);
    return isUntraced(transaction, kind) && !trace?.result ? withoutCalls(transaction) : trace;
  });
}

function withoutCalls({ hash, from, to }: WireTransaction): WireTrace {
  return { txHash: hash, result: { type: "CALL", from: from ?? zeroAddress, to: to ?? zeroAddress } };
}
