/** Fetches a block with all that belongs to it: by hash, and from one node. */
import type { BlockBundle, WireBlock, WireReceipt, WireTrace } from "../matching/wire.ts";
import { isUnknownMethod, type Node, NodeError } from "./node.ts";

/** Which block: a number, a hash, or a tag of the node's. */
export type BlockRef = number | `0x${string}` | "latest" | "finalized";

/** @returns the block with its transactions, undefined where the node does not have it */
export async function fetchBlock(node: Node, ref: BlockRef): Promise<WireBlock | undefined> {
  const byHash = typeof ref === "string" && ref.startsWith("0x");
  const at = typeof ref === "number" ? `0x${ref.toString(16)}` : ref;
  const block = await node.request<WireBlock | null>(byHash ? "eth_getBlockByHash" : "eth_getBlockByNumber", [
    at,
    true,
  ]);
  return block ?? undefined;
}

/** @returns the number and hash of the node's newest block of that tag */
export async function fetchHead(node: Node, tag: "latest" | "finalized"): Promise<{ number: number; hash: string }> {
  const block = await node.request<WireBlock | null>("eth_getBlockByNumber", [tag, false]);
  if (!block) throw new NodeError(`it has no ${tag} block`, { method: "eth_getBlockByNumber", origin: node.origin });
  return { number: Number(block.number), hash: block.hash };
}

/**
 * Completes a block with its receipts and, if wanted, its traces, both asked for by the block's hash.
 *
 * @throws NodeError where the node does not have them
 */
export async function completeBlock(node: Node, block: WireBlock, options: { traces: boolean }): Promise<BlockBundle> {
  if (block.transactions.length === 0) return { block, receipts: [], ...(options.traces && { traces: [] }) };
  const [receipts, traces] = await Promise.all([
    fetchReceipts(node, block),
    options.traces
      ? node.request<WireTrace[] | null>("debug_traceBlockByHash", [block.hash, { tracer: "callTracer" }])
      : undefined,
  ]);
  if (traces === null)
    throw new NodeError(`no traces of block ${block.hash}`, { method: "debug_traceBlockByHash", origin: node.origin });
  return { block, receipts, ...(traces && { traces }) };
}

async function fetchReceipts(node: Node, block: WireBlock): Promise<WireReceipt[]> {
  if (!node.lacksBlockReceipts) {
    try {
      const receipts = await node.request<WireReceipt[] | null>("eth_getBlockReceipts", [block.hash]);
      if (receipts) return receipts;
      throw new NodeError(`no receipts of block ${block.hash}`, {
        method: "eth_getBlockReceipts",
        origin: node.origin,
      });
    } catch (error) {
      if (!isUnknownMethod(error)) throw error;
      node.lacksBlockReceipts = true;
    }
  }
  const receipts: WireReceipt[] = [];
  const hashes = block.transactions.map(({ hash }) => hash);
  for (let at = 0; at < hashes.length; at += 20) {
    receipts.push(...(await Promise.all(hashes.slice(at, at + 20).map((hash) => fetchReceipt(node, hash)))));
  }
  return receipts;
}

async function fetchReceipt(node: Node, hash: string): Promise<WireReceipt> {
  const receipt = await node.request<WireReceipt | null>("eth_getTransactionReceipt", [hash]);
  if (!receipt)
    throw new NodeError(`no receipt of ${hash}`, { method: "eth_getTransactionReceipt", origin: node.origin });
  return receipt;
}
