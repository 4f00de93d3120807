/**
 * The recorded blocks of test/data, for tests and for the examples of the contract: real answers of real nodes, see its README. Of Avalanche
 * it has blocks as RLP and the answers of the RPC calls on them, but no answer to `eth_getBlockByNumber`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { fromRlp } from "viem";
import type {
  BlockBundle,
  Hex,
  WireBlock,
  WireReceipt,
  WireTrace,
  WireTransaction,
} from "../../server/matching/wire.ts";

/** A recorded block by its name, such as `mainnet/20000000`, `mainnet-traced/9069000` or `avalanche/12`. */
export type RecordedBlock = { name: string; chainId: string; bundle: BlockBundle };

const folder = new URL("../../test/data/", import.meta.url);

function read<T>(path: string): T {
  return JSON.parse(gunzipSync(readFileSync(new URL(`${path}.json.gz`, folder))).toString()) as T;
}

function mainnetBlock(group: string, number: string): RecordedBlock {
  const name = `${group}/${number}`;
  const block = read<WireBlock>(`${name}.block`);
  const receipts = read<WireReceipt[]>(`${name}.receipts`);
  const traced = group === "mainnet-traced" && { traces: read<WireTrace[]>(`${name}.calls`) };
  return { name, chainId: "1", bundle: { block, receipts, ...traced } };
}

function mainnetNumbers(group: string): string[] {
  const names = readdirSync(new URL(group, folder)).filter((name) => name.includes(".block."));
  return names.map((name) => name.slice(0, name.indexOf("."))).sort((a, b) => Number(a) - Number(b));
}

/** A block of a chain without a profile, such as `cronos-6542`, that its nodes return as it is here. Each call reads it again. */
export function otherChainBundle(name: string): BlockBundle {
  const path = `other-chains/${name}`;
  return { block: read<WireBlock>(`${path}.block`), receipts: read<WireReceipt[]>(`${path}.receipts`) };
}

let known: Map<string, RecordedBlock> | undefined;

function all(): Map<string, RecordedBlock> {
  known ??= new Map(
    [
      ...["mainnet", "mainnet-traced"].flatMap((group) =>
        mainnetNumbers(group).map((number) => mainnetBlock(group, number)),
      ),
      ...avalancheBundles(read("avalanche/cchain-fixture")).map((bundle) => ({
        name: `avalanche/${Number(bundle.block.number)}`,
        chainId: "43110",
        bundle,
      })),
    ].map((recorded) => [recorded.name, recorded]),
  );
  return known;
}

/** Every recorded block. They are read once and shared: do not change them. */
export function recordedBlocks(): RecordedBlock[] {
  return [...all().values()];
}

/** One recorded block. @throws when there is none of that name. */
export function recordedBundle(name: string): BlockBundle {
  const recorded = all().get(name);
  if (!recorded) throw new Error(`There is no recorded block ${name}; there are ${[...all().keys()].join(", ")}.`);
  return recorded.bundle;
}

/** What some accounts of the recorded C-Chain had after each block: by address, the balances by block number. */
export function recordedBalances(): Map<string, Map<number, bigint>> {
  return avalancheBalances(read("avalanche/cchain-fixture"));
}

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

/** What the recorded accounts had after each block: by address, the balances by block number. */
export function avalancheBalances({ rpcCalls }: AvalancheFixture): Map<string, Map<number, bigint>> {
  const balances = new Map<string, Map<number, bigint>>();
  for (const { method, params, result } of rpcCalls) {
    if (method !== "eth_getBalance") continue;
    const [address, tag] = params as [string, string];
    const ofAddress = balances.get(address) ?? new Map<number, bigint>();
    balances.set(address, ofAddress.set(Number(tag), BigInt(result as string)));
  }
  return balances;
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
