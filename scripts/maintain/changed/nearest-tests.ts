/**
 * The tests nearest to a change, by who imports whom. All that reach a file may be a hundred: those that import it themselves come
 * first, then those that import its importers.
 */
import { readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";

/** The tests to run, and how many more reach the changed files. */
export type NearestTests = { tests: string[]; further: number };

// Imports, and files that are read or started by their path: `new URL("…", import.meta.url)`.
const reference = /(?:\bfrom|\bimport|\bURL)\s*\(?\s*["'](\.[^"'\n]+)["']/g;
const isTest = (path: string) => path.endsWith(".test.ts");
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
  const seen = new Set<string>(changed);
  const found: string[] = [];
  for (let reached = changed.filter((path) => !isTest(path)); reached.length > 0; ) {
    const next = new Set(reached.flatMap((path) => importers.get(path) ?? []).filter((path) => !seen.has(path)));
    for (const path of next) seen.add(path);
    found.push(...[...next].filter(isTest).sort((a, b) => affinity(b, changed) - affinity(a, changed)));
    reached = [...next].filter((path) => !isTest(path));
  }
  const near = found.filter((path) => !isLong(path)).slice(0, most);
  return { tests: [...own, ...near], further: found.length - near.length };
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
