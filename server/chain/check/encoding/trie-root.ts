/**
 * The root of the Merkle Patricia trie of a list (Yellow Paper, appendix D), by which a header commits to its transactions and
 * receipts. npm's packages keep a database for each trie, and are under the MPL. We only need the root of a list.
 */
import { keccak, quantity } from "./fields.ts";
import { type RlpField, rlp, rlpOnce } from "./rlp.ts";

/** A value and its path, in nibbles. */
type Item = { path: Uint8Array; value: Uint8Array };

/** @param values serialized, in the list's order @returns 32 bytes */
export function listRoot(values: readonly Uint8Array[]): Uint8Array {
  const items: Item[] = [];
  const add = (index: number) => {
    const value = values[index];
    if (value) items.push({ path: pathOf(index), value });
  };
  // The key is the serialized index. That of 0 is 0x80, between those of 127 and 128.
  for (let index = 1; index < 128; index += 1) add(index);
  add(0);
  for (let index = 128; index < values.length; index += 1) add(index);
  return rootOf(items);
}

/** The root of any trie, for comparison with other implementations. @param entries with different keys */
export function trieRoot(entries: readonly { key: Uint8Array; value: Uint8Array }[]): Uint8Array {
  const items = entries.map(({ key, value }) => ({ path: nibbles(key), value }));
  return rootOf(items.sort((a, b) => Buffer.compare(a.path, b.path)));
}

/** @param items sorted */
function rootOf(items: readonly Item[]): Uint8Array {
  return keccak(rlpOnce(nodeOf(items, 0)));
}

/** The paths of list indices, which are the same in all lists. */
const paths: Uint8Array[] = [];

function pathOf(index: number): Uint8Array {
  paths[index] ??= nibbles(rlp(quantity(`0x${index.toString(16)}`)));
  return paths[index];
}

function nibbles(key: Uint8Array): Uint8Array {
  const path = new Uint8Array(2 * key.length);
  for (let at = 0; at < path.length; at += 1) path[at] = ((key[at >> 1] ?? 0) >> (at % 2 ? 0 : 4)) & 15;
  return path;
}

/** @param items sorted, and alike in the first `depth` nibbles */
function nodeOf(items: readonly Item[], depth: number): RlpField {
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

/** How a parent has its child: by hash, or the child itself if that is shorter. */
function reference(node: RlpField): RlpField {
  const serialized = rlpOnce(node);
  return serialized.length < 32 ? node : keccak(serialized);
}

/** Nibbles as bytes. A flag in front says whether their number is odd and whether a leaf follows. */
function compact(path: Uint8Array, leaf: boolean): Uint8Array {
  const odd = path.length % 2;
  const bytes = new Uint8Array((path.length - odd) / 2 + 1);
  bytes[0] = ((leaf ? 2 : 0) + odd) << 4;
  // The first of an odd number of nibbles shares its byte with the flag.
  for (let at = 0; at < path.length; at += 1) {
    const place = at + 2 - odd;
    const nibble = path[at] ?? 0;
    bytes[place >> 1] = (bytes[place >> 1] ?? 0) | (place % 2 ? nibble : nibble << 4);
  }
  return bytes;
}
