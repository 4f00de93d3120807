/** A block's header as it is hashed: Ethereum's fields, or those of Avalanche's chains, which have some of their own between them. */
import type { WireBlock } from "../../../matching/wire.ts";
import type { Kind } from "../kind.ts";
import { given, quantity } from "./fields.ts";
import { type Field, rlp } from "./rlp.ts";

type Name = keyof WireBlock & string;

const common: readonly Name[] = [
  ...(["parentHash", "sha3Uncles", "miner", "stateRoot", "transactionsRoot", "receiptsRoot", "logsBloom"] as const),
  ...(["difficulty", "number", "gasLimit", "gasUsed", "timestamp", "extraData", "mixHash", "nonce"] as const),
];

/** What forks added, the oldest first: London, Shanghai, Cancun, Prague. Most other chains have the same. */
const ethereumForks: readonly Name[] = [
  ...(["baseFeePerGas", "withdrawalsRoot", "blobGasUsed", "excessBlobGas", "parentBeaconBlockRoot"] as const),
  "requestsHash",
];

/** What the C-Chain's forks added: Apricot Phase 3 and 4, Etna, Granite, Helicon (`header_ext.go` of coreth). */
const cChainForks: readonly Name[] = [
  ...(["baseFeePerGas", "extDataGasUsed", "blockGasCost", "blobGasUsed", "excessBlobGas"] as const),
  ...(["parentBeaconBlockRoot", "timestampMilliseconds", "minDelayExcess", "targetExponent"] as const),
  ...(["minPriceExponent", "settledHeight", "settledGasUnix", "settledGasNumerator", "settledExcess"] as const),
];

/** What those of Avalanche's other chains added (`header_ext.go` of subnet-evm). */
const avalancheL1Forks: readonly Name[] = [
  ...(["baseFeePerGas", "blockGasCost", "blobGasUsed", "excessBlobGas", "parentBeaconBlockRoot"] as const),
  ...(["timestampMilliseconds", "minDelayExcess"] as const),
];

const bytesFields: ReadonlySet<string> = new Set<Name>([
  ...(["parentHash", "sha3Uncles", "miner", "stateRoot", "transactionsRoot", "receiptsRoot", "logsBloom"] as const),
  ...(["extraData", "mixHash", "nonce", "extDataHash", "withdrawalsRoot", "parentBeaconBlockRoot"] as const),
  "requestsHash",
]);

/** What nodes tell of a block beside its header. */
const besideHeader: ReadonlySet<string> = new Set([
  ...["hash", "size", "totalDifficulty", "transactions", "uncles", "withdrawals", "blockExtraData", "author"],
  ...["l1BlockNumber", "sendCount", "sendRoot", "milliTimestamp"],
]);

/** Whether it has what only the C-Chain's headers have. */
export function hasCChainHeader({ extDataHash, extDataGasUsed }: WireBlock): boolean {
  return extDataHash != null || extDataGasUsed != null;
}

function layoutOf(block: WireBlock, kind: Kind): { required: readonly Name[]; forks: readonly Name[] } {
  const avalanche = kind === "avalanche" || kind === "unknown";
  if (avalanche && hasCChainHeader(block)) return { required: [...common, "extDataHash"], forks: cChainForks };
  return { required: common, forks: avalanche && block.blockGasCost != null ? avalancheL1Forks : ethereumForks };
}

/** The header as it is hashed. @throws MissingFieldError */
export function serializeHeader(block: WireBlock, kind: Kind = "unknown"): Uint8Array {
  const { required, forks } = layoutOf(block, kind);
  // A field that a fork added stands there empty where only a later one is given.
  const newest = forks.findLastIndex((name) => block[name] != null);
  const added = forks.slice(0, newest + 1).map((name) => (block[name] == null ? new Uint8Array() : read(block, name)));
  return rlp([...required.map((name) => read(block, name)), ...added]);
}

function read(block: WireBlock, name: Name): Field {
  const hex = given(block, name, "the header");
  return bytesFields.has(name) ? hex : quantity(hex);
}

/** What the node tells of the block that may belong to its header and is not known, as of a fork to come. */
export function unknownFields(block: WireBlock, kind: Kind): string[] {
  const { required, forks } = layoutOf(block, kind);
  const known: ReadonlySet<string> = new Set([...required, ...forks]);
  return Object.entries(block)
    .filter(([name, value]) => value != null && !known.has(name) && !besideHeader.has(name))
    .map(([name]) => name);
}
