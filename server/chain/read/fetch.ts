/** Fetches the parts of a block bundle from one node: receipts and traces by the block's hash. */

import { quantityIn } from "../../matching/quantities.ts";
import type { BlockBundle, Hex, WireBlock, WireReceipt, WireTrace, WireTransaction } from "../../matching/wire.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import { isUnknownMethod, type Node, NodeError, UntrustedNodeError } from "../nodes/node.ts";
import { believedRefusals } from "../nodes/node-limits.ts";
import { weightOf } from "./run-length.ts";

/** What we need of a block's header. */
export type Header = BlockId & { parentHash: Hex; hash: Hex };

/** A header with what it takes to fetch the block's receipts and traces. */
export type Head = Header & { transactionHashes: readonly Hex[] };

/** A head as it was returned, or announced. An announcement does not name the transactions. */
export type NewestHead = Header & { transactionHashes?: readonly Hex[] };

/** Another chain's blocks would pass every check. @throws UntrustedNodeError if the node is of another chain */
export async function assertChain(node: Node, chainId: string): Promise<void> {
  const method = "eth_chainId";
  const actual = await node.request<unknown>(method, []);
  const read = quantityIn(actual);
  if (read === undefined) throw failure(node, method, `no chain: it returned ${quoted(actual)}`);
  if (BigInt(read) !== BigInt(chainId)) {
    const { origin } = node;
    throw new UntrustedNodeError(`it is a node of chain ${BigInt(read)}, not ${chainId}`, { method, origin });
  }
}

/** @returns the node's newest block of that tag, undefined if it has none */
export async function fetchHead(node: Node, tag: "latest" | "finalized"): Promise<Head | undefined> {
  const method = "eth_getBlockByNumber";
  const block = await node.request<WireBlock | null>(method, [tag, false]);
  return block === null ? undefined : headOf(asBlock(node, method, block));
}

/** @returns the hash of the node's block of that number, undefined if it has none */
export async function fetchBlockHash(node: Node, number: number): Promise<Hex | undefined> {
  return (await blockOf(node, number, false))?.hash;
}

/** @returns the block that a transaction is in; `pending` if it is in none yet, undefined if the node does not know it */
export async function fetchPlace(
  node: Node,
  txHash: string,
): Promise<(BlockId & { hash: Hex }) | "pending" | undefined> {
  const method = "eth_getTransactionByHash";
  const transaction = await node.request<{ hash?: unknown; blockHash?: unknown; blockNumber?: unknown } | null>(
    method,
    [txHash],
  );
  if (transaction === null) return undefined;
  const { hash, blockHash, blockNumber } = transaction;
  if (typeof hash !== "string" || hash.toLowerCase() !== txHash) throw failure(node, method, "another transaction");
  if (blockHash == null) return "pending";
  const number = blockNumberIn(blockNumber);
  if (!isHash(blockHash)) throw noBlock(node, method, "blockHash", blockHash);
  if (number === undefined) throw noBlock(node, method, "blockNumber", blockNumber);
  return { number: Number(number), hash: blockHash.toLowerCase() as Hex };
}

/** @returns the block of that hash without its transactions, undefined if the node lacks it */
export async function fetchHeader(node: Node, hash: Hex): Promise<WireBlock | undefined> {
  return blockOf(node, hash, false);
}

/** @returns the block of that number without its transactions, undefined if the node lacks it */
export async function fetchHeaderAt(node: Node, number: number): Promise<WireBlock | undefined> {
  return blockOf(node, number, false);
}

/** @returns the block with its transactions, undefined if the node lacks it */
export async function fetchBlock(node: Node, ref: number | Hex): Promise<WireBlock | undefined> {
  return blockOf(node, ref, true);
}

export const receiptsMethod = "eth_getBlockReceipts";

export type ReceiptsAndTraces = Omit<BlockBundle, "block">;

/**
 * What arrives stays until the rest has arrived, too: the next attempt asks only for what is missing.
 *
 * @throws NodeError if the node lacks them
 */
export async function fetchReceiptsAndTraces(
  node: Node,
  block: Pick<NewestHead, "hash" | "transactionHashes">,
  options: { traces: boolean },
): Promise<ReceiptsAndTraces> {
  if (block.transactionHashes?.length === 0) return { receipts: [], ...(options.traces && { traces: [] }) };
  const arrived = arrivedFrom(node);
  const parts = arrived.of(block.hash);
  try {
    const [receipts, traces] = await Promise.all([
      fetchReceipts(node, block, parts),
      options.traces ? fetchTraces(node, block, parts) : undefined,
    ]);
    arrived.forget(block.hash);
    return { receipts, ...(traces && { traces }) };
  } catch (error) {
    arrived.trim();
    throw error;
  }
}
async function blockOf(node: Node, ref: number | Hex, transactions: boolean): Promise<WireBlock | undefined> {
  const byNumber = typeof ref === "number";
  const method = byNumber ? "eth_getBlockByNumber" : "eth_getBlockByHash";
  const params = [byNumber ? `0x${ref.toString(16)}` : ref, transactions];
  const returned = await node.request<WireBlock | null>(method, params);
  if (returned === null) return undefined;
  const block = asBlock(node, method, returned);
  if (byNumber ? Number(block.number) !== ref : block.hash !== ref.toLowerCase())
    throw failure(node, method, `returned block ${block.number}, ${block.hash}, instead of block ${ref}`);
  return block;
}

/** The block with its hashes in lower case, as the store has them. */
function asBlock(node: Node, method: string, block: WireBlock): WireBlock {
  if (typeof block !== "object") throw failure(node, method, `no block: it returned ${quoted(block)}`);
  const { hash, parentHash, transactions } = block;
  const number = blockNumberIn(block.number);
  if (!isHash(hash)) throw noBlock(node, method, "hash", hash);
  if (!isHash(parentHash)) throw noBlock(node, method, "parentHash", parentHash);
  if (number === undefined) throw noBlock(node, method, "number", block.number);
  if (!Array.isArray(transactions)) throw noBlock(node, method, "transactions", transactions);
  return { ...block, number, hash: hash.toLowerCase() as Hex, parentHash: parentHash.toLowerCase() as Hex };
}

const noBlock = (node: Node, method: string, field: string, value: unknown) =>
  failure(node, method, `no block: its ${field} is ${quoted(value)}`);

const longestQuoted = 80;
const quoted = (value: unknown) => (JSON.stringify(value) ?? "absent").slice(0, longestQuoted);

const isHash = (value: unknown): value is string => typeof value === "string" && /^0x[0-9a-f]{64}$/i.test(value);

/** @returns undefined for what is no number below 2^52 */
function blockNumberIn(value: unknown): Hex | undefined {
  const number = quantityIn(value);
  return number !== undefined && number.length <= 15 ? number : undefined;
}

/** @param block with its transactions, or only with their hashes */
export function headOf({
  number,
  hash,
  parentHash,
  transactions,
}: Pick<WireBlock, "number" | "hash" | "parentHash"> & { transactions: readonly (WireTransaction | Hex)[] }): Head {
  const transactionHashes = transactions.map((transaction) =>
    typeof transaction === "string" ? transaction : transaction.hash,
  );
  return { number: Number(number), hash, parentHash, transactionHashes };
}

async function fetchTraces(node: Node, { hash }: Pick<Head, "hash">, arrived: ArrivedParts): Promise<WireTrace[]> {
  if (arrived.traces) return arrived.traces;
  const method = "debug_traceBlockByHash";
  const traces = await node.request<WireTrace[] | null>(method, [hash, { tracer: "callTracer" }]);
  arrived.traces = asList(traces, () => failure(node, method, `no traces of block ${hash}`));
  return arrived.traces;
}

async function fetchReceipts(
  node: Node,
  { hash, transactionHashes }: Pick<NewestHead, "hash" | "transactionHashes">,
  arrived: ArrivedParts,
): Promise<WireReceipt[]> {
  if (arrived.receipts) return arrived.receipts;
  const method = receiptsMethod;
  const { refused } = node;
  // Another of the nodes behind the address may know the method.
  for (let times = 0; times < believedRefusals && !refused.has(method); times += 1) {
    try {
      const receipts = await node.request<WireReceipt[] | null>(method, [hash]);
      refused.known(method);
      arrived.receipts = asList(receipts, () => failure(node, method, `no receipts of block ${hash}`));
      return arrived.receipts;
    } catch (error) {
      if (!isUnknownMethod(error)) throw error;
      refused.refused(method);
    }
  }
  if (!transactionHashes) throw failure(node, method, "its transactions are not known yet");
  return Promise.all(
    transactionHashes.map((transactionHash) =>
      arrived.receiptOf(transactionHash, () => fetchReceipt(node, transactionHash)),
    ),
  );
}

/** What has arrived of a block's receipts and traces. */
class ArrivedParts {
  readonly #hash: Hex;
  readonly #byTransaction = new Map<string, WireReceipt>();
  receipts: WireReceipt[] | undefined;
  traces: WireTrace[] | undefined;

  constructor(hash: Hex) {
    this.#hash = hash;
  }

  /** In bytes, approximately. */
  get weight(): number {
    return weightOf({
      receipts: [...(this.receipts ?? []), ...this.#byTransaction.values()],
      ...(this.traces && { traces: this.traces }),
    });
  }

  /** Another block's receipt, such as from before a reorganisation, is not kept. */
  async receiptOf(transactionHash: string, fetch: () => Promise<WireReceipt>): Promise<WireReceipt> {
    const key = transactionHash.toLowerCase();
    const known = this.#byTransaction.get(key);
    if (known) return known;
    const receipt = await fetch();
    if (receipt.blockHash == null || receipt.blockHash.toLowerCase() === this.#hash)
      this.#byTransaction.set(key, receipt);
    return receipt;
  }
}

/** How much may be kept of a node's blocks, in bytes, besides the newest of them. */
const mostKept = 32 * 1024 * 1024;
const mostBlocks = 32;

/** What has arrived from a node of blocks that are not complete. */
class ArrivedBlocks {
  readonly #blocks = new Map<Hex, ArrivedParts>();

  of(hash: Hex): ArrivedParts {
    const parts = this.#blocks.get(hash) ?? new ArrivedParts(hash);
    this.#blocks.delete(hash);
    this.#blocks.set(hash, parts);
    return parts;
  }

  /** The block is complete. If a check refuses it, all of it is fetched again. */
  forget(hash: Hex): void {
    this.#blocks.delete(hash);
  }

  /** Forgets the oldest if it is too much. */
  trim(): void {
    let kept = 0;
    for (const [index, [hash, { weight }]] of [...this.#blocks].toReversed().entries()) {
      kept += weight;
      if (index >= mostBlocks || (index > 0 && kept > mostKept)) this.#blocks.delete(hash);
    }
  }
}

const arrivedOf = new WeakMap<Node, ArrivedBlocks>();

function arrivedFrom(node: Node): ArrivedBlocks {
  const known = arrivedOf.get(node) ?? new ArrivedBlocks();
  arrivedOf.set(node, known);
  return known;
}

function asList<T>(value: T[] | null, failure: () => NodeError): T[] {
  if (!Array.isArray(value)) throw failure();
  return value;
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
