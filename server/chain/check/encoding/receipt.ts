/** Serializes receipts as the header's root commits to them, and computes the bloom of their logs. */
import type { LogInterest } from "../../../matching/new-webhook.ts";
import type { Hex, WireReceipt } from "../../../matching/wire.ts";
import { data, keccak, quantity, requiredField } from "./fields.ts";
import { type RlpField, rlp } from "./rlp.ts";
import { transactionType } from "./transaction.ts";

const depositType = 0x7e;
/** Celo's, which pays its fee in a token. */
const feeCurrencyType = 0x7b;

/** @param bloom that of the receipt's logs @throws {ServiceError} `field_missing` */
export function serializeReceipt(receipt: WireReceipt, bloom: RlpField): Uint8Array {
  const type = transactionType(receipt);
  const { root } = receipt;
  const outcome = root?.length === 66 ? root : quantity(requiredField(receipt, "status", "a receipt"));
  const logs: RlpField = receipt.logs.map(({ address, topics, data }) => [address, topics, data]);
  const payload: RlpField[] = [
    outcome,
    quantity(requiredField(receipt, "cumulativeGasUsed", "a receipt")),
    bloom,
    logs,
  ];
  // Since Canyon. Before, receipts had the nonce without the version, and the root did not commit to it.
  const { depositNonce, depositReceiptVersion } = receipt;
  if (type === depositType && depositNonce != null && depositReceiptVersion != null)
    payload.push(quantity(depositNonce), quantity(depositReceiptVersion));
  // Since Celo is a rollup.
  if (type === feeCurrencyType && receipt.baseFee != null) payload.push(quantity(receipt.baseFee));
  return rlp(payload, type);
}

const bloomBytes = 256;

/** Two checks need the blooms. To compute them once takes a third of the time of all checks. */
const bloomsOfList = new WeakMap<readonly WireReceipt[], readonly Uint8Array[]>();

/**
 * The bloom of each receipt's logs: 2,048 bits that tell which addresses and topics the logs may have (Yellow Paper, section 4.3.1). It
 * is computed once for a list, which must not change afterwards.
 */
export function bloomsOf(receipts: readonly WireReceipt[]): readonly Uint8Array[] {
  const known = bloomsOfList.get(receipts);
  if (known) return known;
  const bitsOf = new Map<string, readonly number[]>();
  const blooms = receipts.map(({ logs }) => {
    const bloom = new Uint8Array(bloomBytes);
    for (const { address, topics } of logs) for (const value of [address, ...topics]) set(bloom, value, bitsOf);
    return bloom;
  });
  bloomsOfList.set(receipts, blooms);
  return blooms;
}

export function union(blooms: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(bloomBytes);
  for (const bloom of blooms) for (let at = 0; at < bloomBytes; at += 1) all[at] = (all[at] ?? 0) | (bloom[at] ?? 0);
  return all;
}

/** @param bitsOf a cache: the same addresses and topics come again and again */
function set(bloom: Uint8Array, value: Hex, bitsOf: Map<string, readonly number[]>): void {
  const known = bitsOf.get(value) ?? bits(value);
  bitsOf.set(value, known);
  for (const bit of known) {
    const byte = bloomBytes - 1 - (bit >> 3);
    bloom[byte] = (bloom[byte] ?? 0) | (1 << (bit & 7));
  }
}

/**
 * Whether a block with this bloom may hold a log that is looked for. If it says no, the block has none: a bloom has the bits of each emitter and of
 * each topic. An address takes part in a log as its emitter, or as a topic.
 *
 * @returns takes a block's bloom, 256 bytes as hex
 */
export function bloomTest(interest: LogInterest): (bloom: Hex) => boolean {
  const known = new Map<string, readonly number[]>();
  const bitsOf = (value: string) => {
    const found = known.get(value) ?? bits(value as Hex);
    known.set(value, found);
    return found;
  };
  const watches = interest.map(({ signatures, addresses }) => ({
    signatures: signatures.map(bitsOf),
    addresses: addresses?.flatMap((address) => [bitsOf(address), bitsOf(`0x${address.slice(2).padStart(64, "0")}`)]),
  }));
  return (hex) => {
    const bloom = data(hex);
    const has = (all: readonly number[]) =>
      all.every((bit) => ((bloom[bloomBytes - 1 - (bit >> 3)] ?? 0) >> (bit & 7)) & 1);
    return watches.some(
      ({ signatures, addresses }) => signatures.some(has) && (addresses === undefined || addresses.some(has)),
    );
  };
}

function bits(value: Hex): number[] {
  const hash = keccak(data(value));
  return [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047);
}
