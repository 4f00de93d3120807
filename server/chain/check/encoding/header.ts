/** Serializes a block's header as its chain hashes it. Avalanche's chains have fields of their own between Ethereum's. */
import type { WireBlock } from "../../../matching/wire.ts";
import type { ChainKind } from "../../../settings/chain-profiles.ts";
import { data, keccak, quantity, requiredField } from "./fields.ts";
import { type RlpField, rlp } from "./rlp.ts";

type Name = keyof WireBlock & string;

const common: readonly Name[] = [
  ...(["parentHash", "sha3Uncles", "miner", "stateRoot", "transactionsRoot", "receiptsRoot", "logsBloom"] as const),
  ...(["difficulty", "number", "gasLimit", "gasUsed", "timestamp", "extraData", "mixHash", "nonce"] as const),
];

/** Added by forks, the oldest first: London, Shanghai, Cancun, Prague. Most other chains have the same. */
const ethereumForks: readonly Name[] = [
  ...(["baseFeePerGas", "withdrawalsRoot", "blobGasUsed", "excessBlobGas", "parentBeaconBlockRoot"] as const),
  "requestsHash",
];

/** Added by the C-Chain's forks: Apricot Phase 3 and 4, Etna, Granite, Helicon (`header_ext.go` of coreth). */
const cChainForks: readonly Name[] = [
  ...(["baseFeePerGas", "extDataGasUsed", "blockGasCost", "blobGasUsed", "excessBlobGas"] as const),
  ...(["parentBeaconBlockRoot", "timestampMilliseconds", "minDelayExcess", "targetExponent"] as const),
  ...(["minPriceExponent", "settledHeight", "settledGasUnix", "settledGasNumerator", "settledExcess"] as const),
];

/** Added by the forks of Avalanche's other chains (`header_ext.go` of subnet-evm). */
const avalancheL1Forks: readonly Name[] = [
  ...(["baseFeePerGas", "blockGasCost", "blobGasUsed", "excessBlobGas", "parentBeaconBlockRoot"] as const),
  ...(["timestampMilliseconds", "minDelayExcess"] as const),
];

const bytesFields: ReadonlySet<string> = new Set<Name>([
  ...(["parentHash", "sha3Uncles", "miner", "stateRoot", "transactionsRoot", "receiptsRoot", "logsBloom"] as const),
  ...(["extraData", "mixHash", "nonce", "extDataHash", "withdrawalsRoot", "parentBeaconBlockRoot"] as const),
  "requestsHash",
]);

/** What nodes return of a block besides its header. */
const otherFields: ReadonlySet<string> = new Set([
  ...["hash", "size", "totalDifficulty", "transactions", "uncles", "withdrawals", "blockExtraData", "author"],
  ...["l1BlockNumber", "sendCount", "sendRoot", "milliTimestamp"],
]);

/** Whether the header has a field that only the C-Chain's headers have. */
export function hasCChainHeader({ extDataHash, extDataGasUsed }: WireBlock): boolean {
  return extDataHash != null || extDataGasUsed != null;
}

function layoutOf(block: WireBlock, kind: ChainKind): { required: readonly Name[]; forks: readonly Name[] } {
  const avalanche = kind === "avalanche" || kind === "unknown";
  if (avalanche && hasCChainHeader(block)) return { required: [...common, "extDataHash"], forks: cChainForks };
  return { required: common, forks: avalanche && block.blockGasCost != null ? avalancheL1Forks : ethereumForks };
}

/** @throws {ServiceError} `field_missing` */
export function serializeHeader(block: WireBlock, kind: ChainKind = "unknown"): Uint8Array {
  const { required, forks } = layoutOf(block, kind);
  // A fork's field is empty if the header only has later ones.
  const newest = forks.findLastIndex((name) => block[name] != null);
  const added = forks.slice(0, newest + 1).map((name) => (block[name] == null ? new Uint8Array() : read(block, name)));
  return rlp([...required.map((name) => read(block, name)), ...added]);
}

function read(block: WireBlock, name: Name): RlpField {
  const hex = requiredField(block, name, "the header");
  return bytesFields.has(name) ? hex : quantity(hex);
}

/** Fields that may belong to the header of a coming fork. */
export function unknownFields(block: WireBlock, kind: ChainKind): string[] {
  const { required, forks } = layoutOf(block, kind);
  const known: ReadonlySet<string> = new Set([...required, ...forks]);
  return Object.entries(block)
    .filter(([name, value]) => value != null && !known.has(name) && !otherFields.has(name))
    .map(([name]) => name);
}

const wordBytes = 32;

/**
 * The hash of a ZK stack chain's block. It commits to number, time, parent and the transactions' hashes (`_calculateL2BlockHash` of the
 * system contract SystemContext), and to no effect of the transactions.
 *
 * @param block with its transactions, or only their hashes
 */
export function zkStackHash(block: WireBlock): Uint8Array {
  const transactions: readonly (WireBlock["transactions"][number] | string)[] = block.transactions;
  let rolling: Uint8Array = new Uint8Array(wordBytes);
  for (const transaction of transactions) {
    const hash = typeof transaction === "string" ? transaction : transaction.hash;
    rolling = keccak(Buffer.concat([rolling, word(hash)]));
  }
  const [number, time, parent] = (["number", "timestamp", "parentHash"] as const).map((name) =>
    word(requiredField(block, name, "the header")),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  return keccak(Buffer.concat([number, time, parent, rolling]));
}

/** Before protocol version 13, in 2023, the hash was that of the block's number in four bytes. */
export function zkStackLegacyHash(block: WireBlock): Uint8Array {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(Number(requiredField(block, "number", "the header")) % 2 ** 32);
  return keccak(number);
}

/** 32 bytes, zeros in front. */
function word(hex: string): Uint8Array {
  const bytes = data(quantity(`0x${hex.slice(2)}`));
  const padded = new Uint8Array(wordBytes);
  padded.set(bytes, wordBytes - bytes.length);
  return padded;
}
