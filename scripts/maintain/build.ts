/**
 * Makes dist/, which is what is published: JavaScript and types for what `exports` and the command reach, and the files that
 * they read. It has the folders of the project itself, so that every relative path holds there too.
 */
import { execFile } from "node:child_process";
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { shippedNames as recordedForMock } from "../command/mock/chain/recorded.ts";
import { bundleLibraries } from "./bundle-libraries.ts";
import { buildSite } from "./docs-site/build.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const dist = join(root, "dist");

/** Folders with files that are read at run time, and which. TypeScript and what belongs to the repository only stays away. */
const copied: Readonly<Record<string, RegExp>> = {
  generated: /\.(js|json|yaml|d\.ts)$/,
  "generated/schemas": /\.json$/,
  openapi: /\.arazzo\.yaml$/,
  "openapi/examples": /\.json$/,
  "server/monitoring": /^(alerts\.yaml|dashboard\.json)$/,
  "server/store/migrations": /\.sql$/,
  // The blocks that `mock --chain recorded` plays.
  "test/data/mainnet-traced": recordedForMock,
  "test/data/licenses": /^pevm\.MIT$/,
};

/** TypeScript reads JSON by itself. What a YAML file is imported as, the importer's bundler decides. */
const yamlTypes = "declare const document: unknown;\nexport default document;\n";

/** An import or export of one of our own modules in a declaration. */
const ownModule = /(\bfrom |\bimport\()"(\.{1,2}\/[^"]+)"/g;

async function compile(): Promise<void> {
  const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  try {
    await promisify(execFile)(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root });
  } catch (error) {
    throw new Error((error as { stdout?: string }).stdout?.trim() || String(error), { cause: error });
  }
}

async function copyFiles(): Promise<void> {
  for (const [folder, wanted] of Object.entries(copied)) {
    const target = join(dist, folder);
    await mkdir(target, { recursive: true });
    const names = (await readdir(join(root, folder))).filter((name) => wanted.test(name));
    for (const name of names) await cp(join(root, folder, name), join(target, name));
  }
}

async function copySite(): Promise<void> {
  const site = join(dist, "docs/site");
  await cp(await buildSite(), site, { recursive: true });
  await rm(join(site, "built-from"));
}

/**
 * The compiler rewrites `../errors.ts` in JavaScript, yet not in declarations, where tools other than itself cannot follow it.
 * Declarations that no entry point leads to describe our insides and go.
 */
async function mendDeclarations(entries: readonly string[]): Promise<void> {
  const kept = new Set<string>();
  const reach = async (file: string): Promise<void> => {
    if (kept.has(file)) return;
    kept.add(file);
    const text = (await readFile(file, "utf8")).replace(
      ownModule,
      (_, words: string, path: string) => `${words}"${path.replace(/\.ts$/, ".js")}"`,
    );
    await writeFile(file, text);
    for (const [, , path = ""] of text.matchAll(ownModule))
      await reach(join(dirname(file), path.replace(/\.js$/, ".d.ts")));
  };
  for (const entry of entries) await reach(join(root, entry));
  for (const path of await readdir(dist, { recursive: true }))
    if (path.endsWith(".d.ts") && !kept.has(join(dist, path))) await rm(join(dist, path));
}

type Manifest = { exports: Record<string, string | { types: string }>; bin: Record<string, string> };

const { exports, bin } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as Manifest;
await rm(dist, { recursive: true, force: true });
await compile();
await bundleLibraries(dist);
await copyFiles();
await copySite();
await writeFile(join(dist, "generated/openapi.yaml.d.ts"), yamlTypes);
await mendDeclarations(Object.values(exports).flatMap((entry) => (typeof entry === "object" ? [entry.types] : [])));
for (const file of Object.values(bin)) await chmod(join(root, file), 0o755);
