/** What is installed along with the package, by the lockfile, and what must be true of it. */
import { readFile } from "node:fs/promises";

const root = new URL("../../../", import.meta.url);

/** A package that users get with ours. */
export type Installed = {
  name: string;
  version: string;
  licence: string;
  hasInstallScript: boolean;
  /** Of the archive that the registry has, as the lockfile writes it. */
  integrity?: string;
  /** What it depends on, each as `NAME@VERSION`. */
  requires: readonly string[];
};

type Locked = {
  version?: string;
  license?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

/** Our packages, as workspaces. */
const workspaces = ["client", "scripts", "server"];

/** Those that ask for nothing but that their text is kept. */
const permissive = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "Python-2.0",
  "Unlicense",
]);

/**
 * Reads the lockfile; without peers, which users install themselves.
 *
 * @param of the workspaces, by default all @returns what any of them brings, by name
 */
export async function installedAlong(of: readonly string[] = workspaces): Promise<Installed[]> {
  const lock = JSON.parse(await readFile(new URL("package-lock.json", root), "utf8")) as {
    packages: Record<string, Locked>;
  };
  const placesFrom = (from: string) => {
    const { dependencies, optionalDependencies } = lock.packages[from] ?? {};
    return Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => placeOf(name, from, lock.packages));
  };
  const found = new Set<string>();
  const reach = (from: string): void => {
    for (const path of placesFrom(from)) {
      if (found.has(path)) continue;
      found.add(path);
      reach(path);
    }
  };
  for (const workspace of of) reach(workspace);
  const nameOf = (path: string) => path.replace(/^.*node_modules\//, "");
  const installed = [...found].map(async (path) => {
    const { version = "", license, integrity, hasInstallScript = false } = lock.packages[path] ?? {};
    const requires = placesFrom(path).map((place) => `${nameOf(place)}@${lock.packages[place]?.version}`);
    const licence = license ?? (await olderForm(path));
    return { name: nameOf(path), version, licence, hasInstallScript, ...(integrity && { integrity }), requires };
  });
  return (await Promise.all(installed)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Where Node finds a package: below the one that asks for it, or above. */
function placeOf(name: string, from: string, packages: Record<string, Locked>): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const path = `${folder && `${folder}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === "") throw new Error(`The lockfile lacks ${name}, which ${from} needs.`);
  }
}

/** The lockfile leaves out what packages from before 2015 say: a list. */
async function olderForm(path: string): Promise<string> {
  const text = await readFile(new URL(`${path}/package.json`, root), "utf8");
  const { licenses = [] } = JSON.parse(text) as { licenses?: { type: string }[] };
  return licenses.map(({ type }) => type).join(" or ") || "none";
}

/** @throws with all that are under a licence that asks for more than its text, or that run a script when they are installed */
export function assertAcceptable(installed: readonly Installed[]): void {
  const faults = installed.flatMap(({ name, version, licence, hasInstallScript }) => [
    ...(permissive.has(licence) ? [] : [`${name} ${version} is under the licence ${licence}.`]),
    ...(hasInstallScript ? [`${name} ${version} runs a script when it is installed.`] : []),
  ]);
  if (faults.length > 0) throw new Error(faults.join("\n"));
}
