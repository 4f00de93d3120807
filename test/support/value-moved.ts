/** Counts who gained and lost by a transaction, from its payload. */
import type { AddressActivityEvent } from "../../server/matching/event.ts";

/** Wei gained by each address; losses are negative. */
export type Gains = Map<string, bigint>;

export function gain(gains: Gains, address: string, wei: bigint): void {
  gains.set(address, (gains.get(address) ?? 0n) + wei);
}

export function move(gains: Gains, from: string, to: string, wei: bigint): void {
  gain(gains, from, -wei);
  gain(gains, to, wei);
}

/** What a notification with internal transactions says moved: the transaction's own value, its frames', and the fee. */
export function gainsReported({ transaction }: AddressActivityEvent, feesTo: string): Gains {
  const { from, to, contractAddress, value, txStatus, internalTransactions = [] } = transaction;
  const gains: Gains = new Map();
  move(gains, from, feesTo, BigInt(transaction.receiptGasUsed) * BigInt(transaction.receiptEffectiveGasPrice));
  if (txStatus === "0") return gains;
  move(gains, from, /^0x0*$/.test(to) ? contractAddress : to, BigInt(value));
  for (const frame of internalTransactions) move(gains, frame.from, frame.to, BigInt(frame.value));
  return gains;
}
