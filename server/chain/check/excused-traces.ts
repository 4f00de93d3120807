/**
 * Transactions that a chain makes itself and that nodes cannot trace, or trace in a form of their own. Only these are excused, and
 * none of them called anything that counts.
 */
import { hasFailed, zeroAddress } from "../../matching/bundle.ts";
import type { BlockBundle, WireReceipt, WireTrace, WireTransaction } from "../../matching/wire.ts";
import { same } from "./check.ts";
import { kindOf, typeOf } from "./encoding/transaction.ts";
import type { Kind } from "./kind.ts";
import { isStateSync } from "./state-sync.ts";

/** Whether the trace need not say what its transaction does. */
export function isExcused(transaction: WireTransaction, receipt: WireReceipt | undefined, kind: Kind): boolean {
  return isUntraced(transaction, kind) || isFailedSystem(transaction, receipt);
}

/** Bor does not execute its state-sync transactions as such, and many nodes leave them out of a block's traces. */
function isUntraced(transaction: WireTransaction, kind: Kind): boolean {
  return kind === "polygon" && isStateSync(transaction);
}

/**
 * A failed deposit of the OP stack is traced as `STOP` from the zero address, or not at all without funds; a failed retry or
 * submission of Arbitrum as one that succeeded. A failed transaction has no calls that stand, whatever its trace says.
 */
function isFailedSystem(transaction: WireTransaction, receipt: WireReceipt | undefined): boolean {
  return kindOf(typeOf(transaction)) === "system" && receipt !== undefined && hasFailed(receipt);
}

/**
 * @returns the traces with one without calls for each excused transaction that lacks its own: left out where it may be, and
 *   otherwise given as a failure
 */
export function withExcused({ block, receipts }: BlockBundle, traces: readonly WireTrace[], kind: Kind): WireTrace[] {
  const { transactions } = block;
  const placed = [...traces];
  // Where traces do not name their transactions, nobody can tell which of them is missing.
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
