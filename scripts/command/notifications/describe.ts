/** A notification in one line, for people. */
import type { AddressActivityNotification } from "../../../client/receiver/index.ts";

const noAddress = `0x${"0".repeat(40)}`;

/** Such as `chain 1 block 20000000 tx 0x… 0x… -> 0x… value 1`, and what else is worth a word. */
export function describe({ event: { transaction, logs, removed, finalized } }: AddressActivityNotification): string {
  const { chainId, blockNumber, txHash, from, to, contractAddress, value, txStatus, internalTransactions } =
    transaction;
  const parts = [
    `chain ${chainId} block ${blockNumber} tx ${txHash}`,
    contractAddress === noAddress ? `${from} -> ${to}` : `${from} created ${contractAddress}`,
    value !== "0" && `value ${inEther(value)}`,
    logs && counted(logs.length, "log"),
    internalTransactions && counted(internalTransactions.length, "internal transaction"),
    txStatus === "0" && "FAILED",
    finalized && "FINAL",
    removed && "RETRACTED",
  ];
  return parts.filter(Boolean).join("  ");
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** @param wei a decimal number */
function inEther(wei: string): string {
  const digits = wei.padStart(19, "0");
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`.replace(/\.?0+$/, "");
}
