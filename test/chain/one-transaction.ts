/** Blocks of a made-up chain: each has one transaction, to the one address that is watched. */
import { createHash } from "node:crypto";
import type { BlockBundle, Hex } from "../../server/matching/wire.ts";

export type Block = { number: number; hash: Hex; parentHash: Hex };

export const watched: Hex = `0x${"ab".repeat(20)}`;
/** Who sends each transaction. */
export const sender: Hex = `0x${"cd".repeat(20)}`;

export function bundleOf({ number, hash, parentHash }: Block, traced: boolean): BlockBundle {
  const zero: Hex = "0x0";
  const root: Hex = `0x${"0".repeat(64)}`;
  const from = sender;
  const transactionHash: Hex = `0x${createHash("sha256").update(hash).digest("hex")}`;
  const place = { blockHash: hash, transactionIndex: zero };
  const fields = { gas: zero, gasPrice: zero, input: "0x" as const, nonce: zero, value: zero, type: zero };
  const top = { type: "CALL", from, to: watched, value: zero, gas: zero, gasUsed: zero };
  return {
    block: {
      ...{
        hash,
        parentHash,
        number: `0x${number.toString(16)}` as Hex,
        timestamp: zero,
        receiptsRoot: root,
        logsBloom: "0x",
      },
      transactions: [{ hash: transactionHash, from, to: watched, ...fields, ...place }],
    },
    receipts: [
      { transactionHash, ...place, from, to: watched, cumulativeGasUsed: zero, gasUsed: zero, status: "0x1", logs: [] },
    ],
    ...(traced && {
      traces: [{ txHash: transactionHash, result: { ...top, calls: [{ ...top, to: from, from: watched }] } }],
    }),
  };
}
