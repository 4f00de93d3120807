/** Reads one transaction of a block bundle, in the same way for participants and payload. */

import type { components } from "../../generated/types.ts";
import { decimal } from "./quantities.ts";
import type { BlockBundle, Hex, WireCallFrame, WireReceipt, WireTransaction } from "./wire.ts";

/** The payload has 20 zero bytes for an absent address. */
export const zeroAddress: Hex = `0x${"0".repeat(40)}`;

/**
 * @param index from 0
 * @throws if the bundle has no such transaction, or the receipt there is of another one
 */
export function transactionAt(
  { block, receipts }: BlockBundle,
  index: number,
): { transaction: WireTransaction; receipt: WireReceipt } {
  const transaction = block.transactions[index];
  if (!transaction) throw new Error(`Block ${block.hash} has no transaction at position ${index}.`);
  const receipt = receipts[index];
  if (receipt?.transactionHash.toLowerCase() !== transaction.hash.toLowerCase())
    throw new Error(`Transaction ${transaction.hash} of block ${block.hash} lacks its receipt at position ${index}.`);
  return { transaction, receipt };
}

/** A receipt from before Byzantium never says so. */
export function hasFailed({ status }: Pick<WireReceipt, "status">): boolean {
  // Almost all succeed.
  return status != null && status !== "0x1" && BigInt(status) === 0n;
}

/**
 * The contract that the transaction created, in lower case. Nodes also return an address for a creation that failed, and some return the
 * zero address without a creation. Neither is a contract.
 */
export function createdContract(receipt: WireReceipt): string | undefined {
  const address = receipt.contractAddress?.toLowerCase();
  return address === zeroAddress || hasFailed(receipt) ? undefined : address;
}

/**
 * In lower case. A transaction of a future type may name its receiver in its receipt only. The zero address there means a creation.
 */
export function receiverOf(transaction: WireTransaction, receipt: WireReceipt): string | undefined {
  const receiver = (transaction.to ?? receipt.to)?.toLowerCase();
  return transaction.to == null && receiver === zeroAddress ? undefined : receiver;
}

/** In lower case. A system transaction may have no sender, or name it in its receipt only. */
export function senderOf(transaction: WireTransaction, receipt: WireReceipt): string | undefined {
  return (transaction.from ?? receipt.from)?.toLowerCase();
}

/**
 * The call frames that count: those that did not revert, below frames that did not either.
 * The frames of a transaction in the order in which they started, the top one first. None if the transaction failed.
 *
 * @throws if the bundle lacks the transaction's trace
 */
export function standingFrames(bundle: BlockBundle, index: number): WireCallFrame[] {
  const { transaction, receipt } = transactionAt(bundle, index);
  const { block, traces } = bundle;
  if (!traces)
    throw new Error(`The traces of block ${block.hash} were not fetched, but internal transactions are wanted.`);
  const trace = traces[index];
  if (trace?.txHash !== undefined && trace.txHash.toLowerCase() !== transaction.hash.toLowerCase())
    throw new Error(`The trace at position ${index} of block ${block.hash} is of another transaction.`);
  if (!trace?.result)
    throw new Error(
      `Transaction ${transaction.hash} of block ${block.hash} has no trace: ${trace?.error ?? "absent"}.`,
    );
  const frames: WireCallFrame[] = [];
  if (!hasFailed(receipt)) collect(trace.result, frames);
  return frames;
}

function collect(frame: WireCallFrame, frames: WireCallFrame[]): void {
  // Nodes of the ZK stack report a revert by its reason alone.
  if (frame.error || frame.revertReason) return;
  frames.push(frame);
  for (const call of frame.calls ?? []) collect(call, frames);
}

type InternalTransaction = components["schemas"]["InternalTransaction"];

/** Frames that move no value. The tracer repeats their parent's value in them. */
const valueless = new Set(["DELEGATECALL", "CALLCODE", "STATICCALL"]);

/** @param type of a call frame, in any letter case */
export const movesValue = (type: string): boolean => !valueless.has(type.toUpperCase());

/**
 * The call frames below the top one, in the order in which they started.
 *
 * @throws if the bundle lacks the transaction's trace
 */
export function internalTransactions(bundle: BlockBundle, transactionIndex: number): InternalTransaction[] {
  const transactionHash = bundle.block.transactions[transactionIndex]?.hash.toLowerCase() ?? "";
  return standingFrames(bundle, transactionIndex)
    .slice(1)
    .map((frame) => {
      const internalTxType = frame.type.toUpperCase();
      return {
        from: frame.from.toLowerCase(),
        to: frame.to?.toLowerCase() ?? zeroAddress,
        internalTxType,
        value: movesValue(internalTxType) ? decimal(frame.value) : "0",
        gasUsed: decimal(frame.gasUsed),
        gasLimit: decimal(frame.gas),
        transactionHash,
      };
    });
}
