/** Puts what we use of a large package into the module that imports it, so that users do not install the rest. Its licences come along. */
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/** Modules of packages, and the package that each uses. */
const bundled = { "server/matching/abi/library.js": "ox", "scripts/local/wallet.js": "viem" };

/** The folder of the package that a path leads into, and its name. */
const inPackage = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//;

/** @param target the folder of a package, which need not have the modules @throws if a module holds nothing of its package, or a package has no licence file */
export async function bundleLibraries(target: string): Promise<void> {
  for (const [module, name] of Object.entries(bundled)) {
    const file = join(target, module);
    if (!existsSync(file)) continue;
    const { metafile } = await build({
      ...{ entryPoints: [file], outfile: file, allowOverwrite: true, bundle: true, format: "esm", platform: "node" },
      ...{ target: "node20", legalComments: "none", metafile: true, logLevel: "error" },
    });
    const packages = new Map<string, string>();
    for (const path of Object.keys(metafile.inputs)) {
      const [, folder, packageName] = inPackage.exec(path) ?? [];
      if (folder !== undefined && packageName !== undefined) packages.set(packageName, folder);
    }
    if (!packages.has(name)) throw new Error(`${module} holds nothing of ${name}.`);
    const licences = await Promise.all(
      [...packages].map(async ([one, folder]) => `${one} ${await versionIn(folder)}\n\n${await licenceIn(folder)}`),
    );
    await writeFile(`${file}.LICENSE.txt`, licences.join("\n\n"));
  }
}

async function versionIn(folder: string): Promise<string> {
  return (JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { version: string }).version;
}

/** @param folder relative to the folder that the build runs in, as esbuild names it */
async function licenceIn(folder: string): Promise<string> {
  const name = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
  if (name === undefined) throw new Error(`${folder} has no licence file.`);
  return readFile(join(folder, name), "utf8");
}
