/** Makes a block that was changed consistent again, so that what is left to see is the change itself. */
import { hex } from "../../server/chain/check/check.ts";
import { bloomsOf, serializeReceipt, union } from "../../server/chain/check/encoding/receipt.ts";
import { serializeTransaction } from "../../server/chain/check/encoding/transaction.ts";
import { listRoot } from "../../server/chain/check/encoding/trie-root.ts";
import { hashOfHeader } from "../../server/chain/check/header.ts";
import type { BlockBundle, Hex, WireBlock } from "../../server/matching/wire.ts";
import type { ChainKind } from "../../server/settings/chain-profiles.ts";

/**
 * The block with the roots and bloom of its transactions and receipts, and with the hash that follows.
 *
 * @param header what it says instead
 */
export function sealed(
  { block, receipts, traces }: BlockBundle,
  header: Partial<WireBlock> = {},
  kind: ChainKind = "unknown",
): BlockBundle {
  const blooms = bloomsOf(receipts);
  const roots = {
    transactionsRoot: rootOf(block.transactions.map((tx) => serializeTransaction(tx) ?? new Uint8Array())),
    receiptsRoot: rootOf(receipts.map((receipt, at) => serializeReceipt(receipt, blooms[at] ?? new Uint8Array()))),
    logsBloom: hex(union(blooms)) as Hex,
  };
  return rehashed({ block: { ...block, ...roots, ...header }, receipts, ...(traces && { traces }) }, kind);
}

/** The block with the hash that its header has, said wherever it is said. */
export function rehashed({ block, receipts, traces }: BlockBundle, kind: ChainKind = "unknown"): BlockBundle {
  const blockHash = hashOfHeader(block, kind);
  return {
    block: { ...block, hash: blockHash },
    receipts: receipts.map((receipt) => ({
      ...receipt,
      blockHash,
      logs: receipt.logs.map((log) => ({ ...log, blockHash })),
    })),
    ...(traces && { traces }),
  };
}

const rootOf = (values: readonly Uint8Array[]) => hex(listRoot(values)) as Hex;
