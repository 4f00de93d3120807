/** Fetches a block with all that belongs to it: by hash, and from one node. */
import type { BlockBundle, Hex, WireBlock, WireReceipt, WireTrace } from "../../matching/wire.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import { isUnknownMethod, type Node, NodeError } from "../nodes/node.ts";
import { NotBelievedError } from "../nodes/untrusted-node.ts";

/** A block without its transactions. */
export type Header = BlockId & { parentHash: Hex; hash: Hex };

/** @throws NotBelievedError unless the node is one of this chain; another's blocks would pass every check */
export async function assertChain(node: Node, chainId: string): Promise<void> {
  const method = "eth_chainId";
  const answer = await node.request<unknown>(method, []);
  if (typeof answer !== "string" || !/^0x[0-9a-f]{1,16}$/i.test(answer)) throw failure(node, method, "no chain");
  if (BigInt(answer) !== BigInt(chainId)) {
    const { origin } = node;
    throw new NotBelievedError(`it is a node of chain ${BigInt(answer)}, not ${chainId}`, { method, origin });
  }
}

/** @returns the node's newest block of that tag, undefined where it has none */
export async function fetchHead(node: Node, tag: "latest" | "finalized"): Promise<Header | undefined> {
  const method = "eth_getBlockByNumber";
  const block = await node.request<WireBlock | null>(method, [tag, false]);
  return block === null ? undefined : headerOf(asBlock(node, method, block));
}

/** @returns the hash of the node's block of that number, undefined where it has none */
export async function fetchBlockHash(node: Node, number: number): Promise<Hex | undefined> {
  return (await blockOf(node, number, false))?.hash;
}

/** @returns the block of that hash without its transactions, undefined where the node does not have it */
export async function fetchHeader(node: Node, hash: Hex): Promise<WireBlock | undefined> {
  return blockOf(node, hash, false);
}

/** @returns the block with its transactions, undefined where the node does not have it */
export async function fetchBlock(node: Node, ref: number | Hex): Promise<WireBlock | undefined> {
  return blockOf(node, ref, true);
}

/** What belongs to a block: its receipts and, if wanted, its traces. */
export type Rest = Omit<BlockBundle, "block">;

/**
 * Fetches what belongs to a block, by the block's hash.
 *
 * @throws NodeError where the node does not have it
 */
export async function fetchRest(node: Node, block: WireBlock, options: { traces: boolean }): Promise<Rest> {
  if (block.transactions.length === 0) return { receipts: [], ...(options.traces && { traces: [] }) };
  const [receipts, traces] = await Promise.all([
    fetchReceipts(node, block),
    options.traces ? fetchTraces(node, block) : undefined,
  ]);
  return { receipts, ...(traces && { traces }) };
}

async function blockOf(node: Node, ref: number | Hex, transactions: boolean): Promise<WireBlock | undefined> {
  const byNumber = typeof ref === "number";
  const method = byNumber ? "eth_getBlockByNumber" : "eth_getBlockByHash";
  const params = [byNumber ? `0x${ref.toString(16)}` : ref, transactions];
  const answer = await node.request<WireBlock | null>(method, params);
  if (answer === null) return undefined;
  const block = asBlock(node, method, answer);
  if (byNumber ? Number(block.number) !== ref : block.hash !== ref.toLowerCase())
    throw failure(node, method, `asked for block ${ref} it gave block ${block.number}, ${block.hash}`);
  return block;
}

/** The block with its hashes in lower case, as the store has them. */
function asBlock(node: Node, method: string, block: WireBlock): WireBlock {
  const { hash, parentHash, number, transactions } = block;
  if (!isHash(hash) || !isHash(parentHash) || !isQuantity(number) || !Array.isArray(transactions))
    throw failure(node, method, "no block");
  return { ...block, hash: hash.toLowerCase() as Hex, parentHash: parentHash.toLowerCase() as Hex };
}

const isHash = (value: unknown) => typeof value === "string" && /^0x[0-9a-f]{64}$/i.test(value);
const isQuantity = (value: unknown) => typeof value === "string" && /^0x[0-9a-f]{1,13}$/i.test(value);

const headerOf = ({ number, hash, parentHash }: WireBlock): Header => ({ number: Number(number), hash, parentHash });

async function fetchTraces(node: Node, { hash }: WireBlock): Promise<WireTrace[]> {
  const method = "debug_traceBlockByHash";
  const answer = await node.request<WireTrace[] | null>(method, [hash, { tracer: "callTracer" }]);
  return listOf(answer, () => failure(node, method, `no traces of block ${hash}`));
}

async function fetchReceipts(node: Node, { hash, transactions }: WireBlock): Promise<WireReceipt[]> {
  const method = "eth_getBlockReceipts";
  if (!node.refused.has(method)) {
    try {
      const answer = await node.request<WireReceipt[] | null>(method, [hash]);
      return listOf(answer, () => failure(node, method, `no receipts of block ${hash}`));
    } catch (error) {
      if (!isUnknownMethod(error)) throw error;
      node.refused.add(method);
    }
  }
  return Promise.all(transactions.map(({ hash }) => fetchReceipt(node, hash)));
}

function listOf<T>(answer: T[] | null, absent: () => NodeError): T[] {
  if (!Array.isArray(answer)) throw absent();
  return answer;
}

async function fetchReceipt(node: Node, hash: string): Promise<WireReceipt> {
  const method = "eth_getTransactionReceipt";
  const receipt = await node.request<WireReceipt | null>(method, [hash]);
  if (!receipt) throw failure(node, method, `no receipt of ${hash}`);
  return receipt;
}

function failure({ origin }: Node, method: string, reason: string): NodeError {
  return new NodeError(reason, { method, origin });
}
