/** Makes an endless chain of a few recorded blocks. After the last one they come again, as later blocks with hashes of their own. */
import { createHash } from "node:crypto";
import type { BlockBundle, Hex } from "../../../../server/matching/wire.ts";

export type Rounds = {
  /** @param position from 0 */
  numberAt(position: number): number;
  bundleAt(position: number): BlockBundle;
};

export function endless(bundles: readonly BlockBundle[]): Rounds {
  const numbers = bundles.map(({ block }) => Number(block.number));
  const length = Math.max(...numbers) - Math.min(...numbers) + 1;
  const placeOf = (position: number) => ({
    round: Math.floor(position / bundles.length),
    index: position % bundles.length,
  });
  const numberAt = (position: number) => {
    const { round, index } = placeOf(position);
    return (numbers[index] ?? 0) + round * length;
  };
  return {
    numberAt,
    bundleAt(position) {
      const { round, index } = placeOf(position);
      const bundle = bundles[index];
      if (!bundle) throw new Error("There is no block to play.");
      return round === 0 ? bundle : inRound(bundle, round, numberAt(position));
    },
  };
}

/** The same block at another height. */
function inRound({ block, receipts, traces }: BlockBundle, round: number, number: number): BlockBundle {
  const renewed = (hash: Hex): Hex => `0x${createHash("sha256").update(`${round} ${hash}`).digest("hex")}`;
  return {
    block: {
      ...block,
      number: `0x${number.toString(16)}`,
      hash: renewed(block.hash),
      transactions: block.transactions.map((transaction) => ({ ...transaction, hash: renewed(transaction.hash) })),
    },
    receipts: receipts.map((receipt) => ({ ...receipt, transactionHash: renewed(receipt.transactionHash) })),
    ...(traces && {
      traces: traces.map(({ txHash, ...trace }) => ({ ...trace, ...(txHash && { txHash: renewed(txHash) }) })),
    }),
  };
}
