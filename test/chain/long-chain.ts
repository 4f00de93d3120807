/** A long chain of blocks with one transaction each, as large as a test wishes, that a stub of a node returns. */

import { recordedBundle } from "../../scripts/local/recorded.ts";
import { hex } from "../../server/chain/check/check.ts";
import { keccak } from "../../server/chain/check/encoding/fields.ts";
import { serializeTransaction } from "../../server/chain/check/encoding/transaction.ts";
import type { BlockBundle, Hex } from "../../server/matching/wire.ts";
import type { RpcAnswer, RpcCall } from "../support/rpc-proxy.ts";
import { rehashed, sealed } from "../support/sealed.ts";

const chainId = "1";
const recorded = recordedBundle("mainnet/20000000");

/** @param weights how many hex digits the input of each block's transaction has, from block 0 on */
export function longChain(weights: readonly number[]): { chainId: string; answer(call: RpcCall): RpcAnswer } {
  const made = new Map<number, BlockBundle>();
  const blocks: BlockBundle[] = [];
  for (const [number, weight] of weights.entries()) {
    const like = made.get(weight) ?? blockWith(weight);
    made.set(weight, like);
    const parentHash = blocks.at(-1)?.block.hash ?? like.block.parentHash;
    blocks.push(rehashed({ ...like, block: { ...like.block, number: `0x${number.toString(16)}`, parentHash } }));
  }
  const byHash = new Map<unknown, BlockBundle>(blocks.map((bundle) => [bundle.block.hash, bundle]));
  return {
    chainId,
    answer({ method, params: [ref, whole] }) {
      if (method === "eth_chainId") return { result: "0x1" };
      const isTag = ref === "latest" || ref === "finalized";
      const bundle = isTag ? blocks.at(-1) : (byHash.get(ref) ?? blocks[Number(ref)]);
      if (method === "eth_getBlockReceipts") return { result: bundle?.receipts ?? null };
      return { result: bundle && whole === false ? { ...bundle.block, transactions: [] } : (bundle?.block ?? null) };
    },
  };
}

function blockWith(weight: number): BlockBundle {
  const [transaction, receipt] = [recorded.block.transactions[0], recorded.receipts[0]];
  if (!transaction || !receipt) throw new Error("the recorded block is empty");
  const changed = { ...transaction, input: `0x${"ab".repeat(weight / 2)}` as Hex };
  const hash = hex(keccak(serializeTransaction(changed) ?? new Uint8Array())) as Hex;
  const logs = receipt.logs.map((log) => ({ ...log, transactionHash: hash }));
  return sealed({
    block: { ...recorded.block, transactions: [{ ...changed, hash }] },
    receipts: [{ ...receipt, transactionHash: hash, logs }],
  });
}
