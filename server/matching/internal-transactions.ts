/** The payload's `internalTransactions`. */
import type { components } from "../../generated/types.ts";
import { zeroAddress } from "./bundle.ts";
import { standingFrames } from "./call-frames.ts";
import { decimal } from "./quantities.ts";
import type { BlockBundle } from "./wire.ts";

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
