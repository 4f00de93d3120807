/**
 * The tests nearest to a change, by who imports whom. All that reach a file may be a hundred: those that import it themselves come
 * first, then those that import its importers.
 */
import { readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";

/** What tests read without naming it in an import: guides are listed in pages, and examples are started as programs. */
const readBy: readonly [changed: RegExp, test: string][] = [
  [/^(docs\/[^/]+|README|AGENTS|CONTRIBUTING|ARCHITECTURE|SECURITY)\.md$/, "test/docs/guides.test.ts"],
  [/^examples\//, "test/examples/examples.long.test.ts"],
];

/** The tests to run, and how many more reach the changed files. */
export type NearestTests = { tests: string[]; further: number };

// Imports, and files that are read or started by their path: `new URL("…", import.meta.url)`.
const reference = /(?:\bfrom|\bimport|\bURL)\s*\(?\s*["'](\.[^"'\n]+)["']/g;
const isTest = (path: string) => path.endsWith(".test.ts");
const isGenerated = (path: string) => path.startsWith("generated/");
/** Those that start whole programs, or the packed package, take longer than anybody waits for. */
const isLong = (path: string) => path.endsWith(".long.test.ts") || path.startsWith("test/package/");

/**
 * @param root the repository's folder @param files all of its files @param changed those that changed, and are themselves run when they
 *   are tests @param most how many tests to name besides
 */
export async function nearestTests(
  root: string,
  files: readonly string[],
  changed: readonly string[],
  most: number,
): Promise<NearestTests> {
  const importers = await importersOf(root, files);
  const own = changed.filter((path) => isTest(path) && files.includes(path));
  const readers = readBy.filter(([of]) => changed.some((path) => of.test(path))).map(([, test]) => test);
  const first = [...new Set([...own, ...readers.filter((path) => files.includes(path))])];
  const seen = new Set<string>([...changed, ...first]);
  const found: string[] = [];
  // Half of all tests import what is generated. Those that read its source, or what else changed with it, are nearer.
  const sources = changed.filter((path) => !isTest(path));
  const rounds = [sources.filter((path) => !isGenerated(path)), sources.filter(isGenerated)];
  for (const round of rounds) reach(round);
  function reach(from: readonly string[]): void {
    if (from.length === 0) return;
    const next = new Set(from.flatMap((path) => importers.get(path) ?? []).filter((path) => !seen.has(path)));
    for (const path of next) seen.add(path);
    found.push(...[...next].filter(isTest).sort((a, b) => affinity(b, changed) - affinity(a, changed)));
    reach([...next].filter((path) => !isTest(path)));
  }
  const near = found.filter((path) => !isLong(path)).slice(0, most);
  return { tests: [...first, ...near], further: found.length - near.length };
}

/** Who imports a file. */
async function importersOf(root: string, files: readonly string[]): Promise<Map<string, string[]>> {
  const importers = new Map<string, string[]>();
  for (const file of files.filter((path) => /\.m?ts$/.test(path))) {
    const text = await readFile(join(root, file), "utf8").catch(() => "");
    for (const [, to = ""] of text.matchAll(reference)) {
      const target = normalize(join(dirname(file), to));
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  return importers;
}

/** More for a test that is named like a changed file, and for one that is in the room of the same name. */
function affinity(test: string, changed: readonly string[]): number {
  const nameOf = (path: string) => path.replace(/^.*\//, "").replace(/\..*$/, "");
  const roomOf = (path: string) => path.split("/")[1];
  return Math.max(
    ...changed.map((path) => (nameOf(path) === nameOf(test) ? 2 : 0) + (roomOf(path) === roomOf(test) ? 1 : 0)),
  );
}
