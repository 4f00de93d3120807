/**
 * Puts block bundles together from avalanchego's recorded C-Chain: it has blocks as RLP and the answers of the RPC calls on
 * them, but no answer to `eth_getBlockByNumber`.
 */
import { fromRlp } from "viem";
import type {
  BlockBundle,
  Hex,
  WireBlock,
  WireReceipt,
  WireTrace,
  WireTransaction,
} from "../../server/matching/wire.ts";

/** The part of the fixture that is read. */
export type AvalancheFixture = {
  blocks: { number: number; hash: Hex; rlp: Hex }[];
  rpcCalls: { method: string; params: unknown[]; result?: unknown }[];
};

/** A bundle for each block of the fixture; the genesis block has no traces, since it cannot be traced. */
export function avalancheBundles({ blocks, rpcCalls }: AvalancheFixture): BlockBundle[] {
  const answer = <T>(method: string, ...params: unknown[]) =>
    rpcCalls.find((call) => call.method === method && JSON.stringify(call.params) === JSON.stringify(params))?.result as
      | T
      | undefined;
  return blocks.map(({ number, hash, rlp }) => {
    const tag = `0x${number.toString(16)}`;
    const receipts = answer<WireReceipt[]>("eth_getBlockReceipts", tag);
    const traces = answer<WireTrace[]>("debug_traceBlockByNumber", tag, { tracer: "callTracer" });
    if (!receipts) throw new Error(`The fixture has no receipts of block ${number}.`);
    const transactions = receipts.map(({ transactionHash }) => {
      const transaction = answer<WireTransaction>("eth_getTransactionByHash", transactionHash);
      if (!transaction) throw new Error(`The fixture has no transaction ${transactionHash}.`);
      return transaction;
    });
    return { block: { ...header(rlp), hash, transactions }, receipts, ...(traces && { traces }) };
  });
}

/** The fields of a C-Chain header in their order, those that forks added last. */
const fields = [
  "parentHash",
  "sha3Uncles",
  "miner",
  "stateRoot",
  "transactionsRoot",
  "receiptsRoot",
  "logsBloom",
  "difficulty",
  "number",
  "gasLimit",
  "gasUsed",
  "timestamp",
  "extraData",
  "mixHash",
  "nonce",
  "extDataHash",
  "baseFeePerGas",
  "extDataGasUsed",
  "blockGasCost",
  "blobGasUsed",
  "excessBlobGas",
  "parentBeaconBlockRoot",
  "timestampMilliseconds",
  "minDelayExcess",
] as const;
const required = 16;
const quantities: ReadonlySet<string> = new Set([
  ...["difficulty", "number", "gasLimit", "gasUsed", "timestamp", "baseFeePerGas", "extDataGasUsed", "blockGasCost"],
  ...["blobGasUsed", "excessBlobGas", "timestampMilliseconds", "minDelayExcess"],
]);

/** The header in the words of JSON-RPC (`PostRPCMarshal` of coreth). */
function header(blockRlp: Hex): Omit<WireBlock, "hash" | "transactions"> {
  const [values] = fromRlp(blockRlp, "hex");
  if (!Array.isArray(values) || values.length < required || values.length > fields.length)
    throw new Error("The block's RLP does not begin with a header that is known.");
  const entries = values.map((value, position) => {
    const field = fields[position] ?? "";
    if (typeof value !== "string") throw new Error(`The header's RLP has no ${field}.`);
    return [field, quantities.has(field) ? `0x${BigInt(value === "0x" ? 0 : value).toString(16)}` : value];
  });
  return Object.fromEntries(entries) as Record<(typeof fields)[number], Hex>;
}
