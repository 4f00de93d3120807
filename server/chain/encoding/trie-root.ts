/**
 * The root of the Merkle Patricia trie of a list (Yellow Paper, appendix D), by which a header commits to its transactions and
 * receipts. Written here because what npm has keeps a database for each trie, under the MPL; a list needs none, only its root.
 */
import { quantity } from "./fields.ts";
import { keccak } from "./keccak.ts";
import { type Field, rlp, rlpOnce } from "./rlp.ts";

/** A value and the way to it, in nibbles. */
type Item = { path: Uint8Array; value: Uint8Array };

/** @param values serialized, in the list's order @returns 32 bytes */
export function listRoot(values: readonly Uint8Array[]): Uint8Array {
  return trieRoot(values.map((value, index) => ({ key: rlp(quantity(`0x${index.toString(16)}`)), value })));
}

/** @param entries with different keys */
export function trieRoot(entries: readonly { key: Uint8Array; value: Uint8Array }[]): Uint8Array {
  if (entries.length === 0) return keccak(rlpOnce(new Uint8Array()));
  const items = entries.map(({ key, value }) => ({ path: nibbles(key), value }));
  return keccak(
    rlpOnce(
      nodeOf(
        items.sort((a, b) => Buffer.compare(a.path, b.path)),
        0,
      ),
    ),
  );
}

function nibbles(key: Uint8Array): Uint8Array {
  const path = new Uint8Array(2 * key.length);
  for (const [at, byte] of key.entries()) path.set([byte >> 4, byte & 15], 2 * at);
  return path;
}

/** @param items sorted, and alike in the first `depth` nibbles */
function nodeOf(items: readonly Item[], depth: number): Field {
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) return new Uint8Array();
  if (items.length === 1) return [compact(first.path.subarray(depth), true), first.value];
  let shared = depth;
  while (shared < first.path.length && first.path[shared] === last.path[shared]) shared += 1;
  if (shared > depth) return [compact(first.path.subarray(depth, shared), false), reference(nodeOf(items, shared))];
  const children: Item[][] = Array.from({ length: 16 }, () => []);
  for (const item of items) children[item.path[depth] ?? 16]?.push(item);
  const value = first.path.length === depth ? first.value : new Uint8Array();
  return [...children.map((below) => reference(nodeOf(below, depth + 1))), value];
}

/** A node in its parent: by its hash, or itself where that is shorter. */
function reference(node: Field): Field {
  const serialized = rlpOnce(node);
  return serialized.length < 32 ? node : keccak(serialized);
}

/** Nibbles as bytes, with a flag in front that tells whether their number is odd and whether a leaf follows. */
function compact(path: Uint8Array, leaf: boolean): Uint8Array {
  const odd = path.length % 2;
  const bytes = new Uint8Array((path.length - odd) / 2 + 1);
  bytes[0] = ((leaf ? 2 : 0) + odd) << 4;
  // With an odd number the first shares its byte with the flag.
  for (const [at, nibble] of path.entries()) {
    const place = at + 2 - odd;
    bytes[place >> 1] = (bytes[place >> 1] ?? 0) | (place % 2 ? nibble : nibble << 4);
  }
  return bytes;
}
