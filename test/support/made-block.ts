/** Makes a block around transactions: receipts, logs and traces for each, with roots, bloom and hashes that hold. */

import { recordedBundle } from "../../scripts/local/recorded.ts";
import type {
  BlockBundle,
  Hex,
  WireBlock,
  WireReceipt,
  WireTrace,
  WireTransaction,
} from "../../server/matching/wire.ts";
import type { ChainKind } from "../../server/settings/chain-profiles.ts";
import { payee, signer, token } from "./made-transactions.ts";
import { sealed } from "./sealed.ts";

export const zero: Hex = `0x${"00".repeat(20)}`;
export const noHash: Hex = `0x${"00".repeat(32)}`;
export const emptyRoot: Hex = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
const word = (address: Hex): Hex => `0x${"0".repeat(24)}${address.slice(2)}`;
const transfer: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const gasUsed = 0x9c40;

/** A transaction as it went, beside the rule: what its receipt and trace have instead. */
export type Made = { transaction: WireTransaction; receipt?: Partial<WireReceipt>; trace?: WireTrace | undefined };

/** The block around these transactions. Each emits two logs and calls somebody, unless it failed. */
export function block(header: Partial<WireBlock>, made: readonly Made[], kind: ChainKind = "ethereum"): BlockBundle {
  let logs = 0;
  const receipts = made.map(({ transaction, receipt }, index): WireReceipt => {
    const failed = receipt?.status === "0x0";
    const { from = signer, to = null, type = "0x0", hash } = transaction;
    return {
      ...{ transactionHash: hash, blockHash: noHash, transactionIndex: `0x${index.toString(16)}`, from, to, type },
      ...{ status: "0x1", gasUsed: `0x${gasUsed.toString(16)}`, contractAddress: null },
      cumulativeGasUsed: `0x${(gasUsed * (index + 1)).toString(16)}`,
      logs: (failed ? [] : [0, 1]).map(() => ({
        ...{
          address: token,
          topics: [transfer, word(signer), word(payee)],
          data: `0x${"05".padStart(64, "0")}` as Hex,
        },
        logIndex: `0x${(logs++).toString(16)}` as Hex,
      })),
      ...receipt,
    };
  });
  const traces = made.flatMap((each) => ("trace" in each ? (each.trace ?? []) : traceOf(each.transaction)));
  const { transactionsRoot, receiptsRoot, logsBloom, ...plain } = recordedBundle("mainnet/22869878").block;
  const roots = { transactionsRoot: emptyRoot, receiptsRoot: emptyRoot, logsBloom };
  const transactions = made.map(({ transaction }) => transaction);
  return sealed({ block: { ...plain, ...roots, ...header, transactions }, receipts, traces }, {}, kind);
}

export function traceOf({ hash, from, to, value, gas, input }: WireTransaction): WireTrace {
  const used: Hex = `0x${gasUsed.toString(16)}`;
  const call = { type: "CALL", from: to ?? zero, to: payee, value: "0x1", gas: "0x5208", gasUsed: "0x0" } as const;
  const top = {
    type: "CALL",
    from: from ?? zero,
    to: to ?? zero,
    value: value ?? "0x0",
    gas: gas ?? "0x0",
    gasUsed: used,
  };
  return { txHash: hash, result: { ...top, calls: [call], ...{ input, output: "0x" } } };
}
