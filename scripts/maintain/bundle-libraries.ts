/** Puts what we use of a large package into the module that imports it, so that users do not install the rest. Its licences come along. */
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/** Modules of packages, and the package that each uses. */
const bundled = { "server/matching/abi/library.js": "ox", "scripts/local/wallet.js": "viem" };

/** The folder of the package that a path leads into, and its name. */
const inPackage = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//;

/** @param target the folder of a package, which need not have the modules @throws if a module holds nothing of its package, or a package has no licence */
export async function bundleLibraries(target: string): Promise<void> {
  for (const [module, name] of Object.entries(bundled)) {
    const file = join(target, module);
    if (!existsSync(file)) continue;
    const { metafile } = await build({
      ...{ entryPoints: [file], outfile: file, allowOverwrite: true, bundle: true, format: "esm", platform: "node" },
      ...{ target: "node20", legalComments: "none", metafile: true, logLevel: "error" },
    });
    const packages = packagesOf(Object.keys(metafile.inputs));
    if (![...packages.values()].includes(name)) throw new Error(`${module} holds nothing of ${name}.`);
    await writeFile(`${file}.LICENSE.txt`, await licencesOf(packages));
  }
}

/** @param modules paths of modules @returns the folder of each package that they are of, and its name: there may be two versions of one */
export function packagesOf(modules: readonly string[]): Map<string, string> {
  const packages = new Map<string, string>();
  for (const path of modules) {
    const [, folder, name] = inPackage.exec(path) ?? [];
    if (folder !== undefined && name !== undefined) packages.set(folder, name);
  }
  return packages;
}

/** @returns the name, version and licence of each, for a file next to what was bundled @throws if one has no licence */
export async function licencesOf(packages: ReadonlyMap<string, string>): Promise<string> {
  const licences = [...packages].map(
    async ([folder, name]) => `${name} ${(await manifestIn(folder)).version}\n\n${await licenceIn(folder)}`,
  );
  return (await Promise.all(licences)).join("\n\n");
}

/** @param folder relative to the folder that the build runs in, as esbuild names it */
async function manifestIn(folder: string): Promise<{ version: string; license?: string; author?: { name?: string } }> {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
}

async function licenceIn(folder: string): Promise<string> {
  const name = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
  if (name !== undefined) return readFile(join(folder, name), "utf8");
  const { license, author } = await manifestIn(folder);
  if (license !== "MIT" || !author?.name) throw new Error(`${folder} has no licence file.`);
  return mitLicence(`Copyright (c) ${author.name}`);
}

/** The text of the MIT licence, which is the project's own, for what npm has without it. @param copyright its line */
export async function mitLicence(copyright: string): Promise<string> {
  const text = await readFile(new URL("../../LICENSE", import.meta.url), "utf8");
  return text.replace(/^Copyright .*$/m, copyright);
}
