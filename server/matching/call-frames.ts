/** Which call frames of a transaction count: those that did not revert, below frames that did not either. */
import { hasFailed, transactionAt } from "./bundle.ts";
import type { BlockBundle, WireCallFrame } from "./wire.ts";

/**
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
