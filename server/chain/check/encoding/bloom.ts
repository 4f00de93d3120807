/** The filter of 2,048 bits that tells which addresses and topics logs may have (Yellow Paper, section 4.3.1). */
import type { Hex, WireReceipt } from "../../../matching/wire.ts";
import { data } from "./fields.ts";
import { keccak } from "./keccak.ts";

const size = 256;

/** Two checks need them; a third of the time that all checks of a block take goes into making them once. */
const made = new WeakMap<readonly WireReceipt[], readonly Uint8Array[]>();

/** The bloom of each receipt's logs. It is made once for a list, which must not be changed afterwards. */
export function bloomsOf(receipts: readonly WireReceipt[]): readonly Uint8Array[] {
  const known = made.get(receipts);
  if (known) return known;
  const bitsOf = new Map<string, readonly number[]>();
  const blooms = receipts.map(({ logs }) => {
    const bloom = new Uint8Array(size);
    for (const { address, topics } of logs) for (const value of [address, ...topics]) set(bloom, value, bitsOf);
    return bloom;
  });
  made.set(receipts, blooms);
  return blooms;
}

/** All that any of these has. */
export function union(blooms: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(size);
  for (const bloom of blooms) for (let at = 0; at < size; at += 1) all[at] = (all[at] ?? 0) | (bloom[at] ?? 0);
  return all;
}

/** @param bitsOf what is known already, since the same addresses and topics come again and again */
function set(bloom: Uint8Array, value: Hex, bitsOf: Map<string, readonly number[]>): void {
  const known = bitsOf.get(value) ?? bits(value);
  bitsOf.set(value, known);
  for (const bit of known) {
    const byte = size - 1 - (bit >> 3);
    bloom[byte] = (bloom[byte] ?? 0) | (1 << (bit & 7));
  }
}

function bits(value: Hex): number[] {
  const hash = keccak(data(value));
  return [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047);
}
