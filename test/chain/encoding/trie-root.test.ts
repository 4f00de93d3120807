/** Roots of tries are those that another implementation found, see test/data/README.md. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { hex } from "../../../server/chain/check/check.ts";
import { data } from "../../../server/chain/check/encoding/fields.ts";
import { listRoot, trieRoot } from "../../../server/chain/check/encoding/trie-root.ts";
import type { Hex } from "../../../server/matching/wire.ts";

type Roots = {
  lists: ({ root: string } & ({ values: Hex[] } | { length: number; size: number }))[];
  maps: { root: string; entries: [Hex, Hex][] }[];
};
const file = new URL("../../data/tries/roots.json.gz", import.meta.url);
const { lists, maps } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Roots;

/** Long lists are told by a rule. */
const madeValues = ({ length, size }: { length: number; size: number }) =>
  Array.from({ length }, (_, at) => new Uint8Array(1 + (at % size)).fill(1 + ((at * 7 + size) % 255)));

test("a list's root is the same, from none to 300 values, of 1 to 40 bytes", () => {
  for (const { root, ...list } of lists)
    expect(hex(listRoot("values" in list ? list.values.map(data) : madeValues(list)))).toBe(root);
  expect(lists).toHaveLength(48);
});

test("a map's root is the same, however its keys share beginnings and end in one another", () => {
  for (const { root, entries } of maps)
    expect(hex(trieRoot(entries.map(([key, value]) => ({ key: data(key), value: data(value) }))))).toBe(root);
  expect(maps).toHaveLength(60);
});
