/**
 * Makes dist/: the three packages as they are published, each a folder that `npm pack` and `npm publish` take. A package has JavaScript and types for
 * what its `exports` and its command reach, and the files that they read, in the folders of the project itself, so that every relative path holds
 * there too. Its package.json is that of a workspace; what all have in common is the project's.
 *
 * Usage: npm run build [-- PACKAGE…]
 *        npm run build -- clients [LANGUAGE…]   dist/clients/, the packages for other languages; needs their programs
 */
import { execFile } from "node:child_process";
import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { shippedNames as recordedForMock } from "../command/mock/chain/recorded.ts";
import { bundleLibraries, mitLicence } from "./bundle-libraries.ts";
import { bundleMock, mockInPage } from "./bundle-mock.ts";
import { buildClients, languages } from "./clients/build.ts";
import { buildSite } from "./docs-site/build.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const dist = join(root, "dist");
const require = createRequire(import.meta.url);

/** Folders with files that are read at run time or by people, and which. */
type Copied = Readonly<Record<string, RegExp>>;

const documents: Copied = {
  // The contract of the mock in a page is in the module that it is bundled into.
  generated: /^(?!mock-contract).*\.(js|json|yaml|d\.ts)$/,
  "generated/schemas": /\.json$/,
  "openapi/examples": /\.json$/,
};
const guides: Copied = { docs: /\.md$/, "docs/images": /\.svg$/ };

/** A package: the workspace with its manifest, and what it has besides modules. */
type Package = {
  workspace: string;
  copied: Copied;
  /** Copied with all that is in them. */
  folders?: readonly string[];
  hasSite?: boolean;
  alsoCompiled?: readonly string[];
  contracts?: readonly string[];
};

const packages: Readonly<Record<string, Package>> = {
  "chain-webhooks": {
    workspace: "client",
    copied: { ...documents, openapi: /^GENERATORS\.md$/ },
    folders: ["generated/collections"],
  },
  "chain-webhooks-tools": {
    workspace: "scripts",
    hasSite: true,
    copied: {
      ...documents,
      ...guides,
      openapi: /\.arazzo\.yaml$/,
      // The blocks that `mock --chain recorded` plays.
      "test/data/mainnet-traced": recordedForMock,
      "test/data/licenses": /^pevm\.MIT$/,
    },
  },
  "chain-webhooks-service": {
    workspace: "server",
    hasSite: true,
    alsoCompiled: ["server/chain/read/read-thread.ts"],
    contracts: ["ERC721PresetMinterPauserAutoId"],
    copied: {
      ...documents,
      ...guides,
      "deploy/haproxy": /./,
      "deploy/nginx": /./,
      "deploy/systemd": /./,
      "scripts/local": /^janitor-child\.mjs$/,
      "server/monitoring": /^(alerts(\.test)?\.yaml|dashboard\.json)$/,
      "server/store/migrations": /\.sql$/,
    },
  },
};

/** TypeScript reads JSON by itself. What a YAML file is imported as, the importer's bundler decides. */
const yamlTypes = "declare const document: unknown;\nexport default document;\n";

/** An import or export of one of our own modules in a declaration. */
const ownModule = /(\bfrom |\bimport\()"(\.{1,2}\/[^"]+)"/g;

type Manifest = {
  name: string;
  exports: Record<string, string | { types: string; default: string }>;
  bin?: Record<string, string>;
};

const readJson = async <T>(path: string): Promise<T> => JSON.parse(await readFile(join(root, path), "utf8")) as T;

async function build(
  name: string,
  { workspace, copied, folders = [], hasSite, alsoCompiled = [], contracts = [] }: Package,
): Promise<void> {
  const target = join(dist, name);
  const manifest = await readJson<Manifest>(`${workspace}/package.json`);
  const entries = Object.values(manifest.exports).flatMap((entry) => (typeof entry === "object" ? [entry] : []));
  const commands = Object.values(manifest.bin ?? {});
  const modules = [...entries.map((entry) => entry.default), ...commands].filter((path) => path.endsWith(".js"));
  await rm(target, { recursive: true, force: true });
  await compile(target, [...modules.map((path) => path.replace(/\.js$/, ".ts")), ...alsoCompiled]);
  if (modules.includes(`./${mockInPage}.js`)) await bundleAlone(target);
  await bundleLibraries(target);
  for (const contract of contracts) await copyContract(contract, join(target, "scripts/local/contracts"));
  await copyFiles(target, copied);
  for (const folder of folders) await cp(join(root, folder), join(target, folder), { recursive: true });
  if (hasSite) await copySite(target);
  await writeFile(join(target, "generated/openapi.yaml.d.ts"), yamlTypes);
  await mendDeclarations(
    target,
    entries.map(({ types }) => types),
  );
  for (const command of commands) await chmod(join(target, command), 0o755);
  // npm shows provenance only of a package that names its repository.
  const { version, license, engines, repository } = await readJson<Record<string, unknown>>("package.json");
  const whole = { ...manifest, version, license, engines, repository };
  await writeFile(join(target, "package.json"), `${JSON.stringify(whole, null, 2)}\n`);
  await copyFile(join(root, workspace, "README.md"), join(target, "README.md"));
  for (const file of ["LICENSE", "CHANGELOG.md"]) await copyFile(join(root, file), join(target, file));
}

/** Nothing else of the package needs the modules that the mock in a page is made of. */
async function bundleAlone(target: string): Promise<void> {
  for (const path of await readdir(target, { recursive: true }))
    if (/^(scripts|server)\/.*\.js$/.test(path)) await rm(join(target, path));
  await bundleMock(root, target);
}

/** Types are checked by `npm run check`. @param files relative to the project */
async function compile(target: string, files: readonly string[]): Promise<void> {
  const config = join(target, "tsconfig.json");
  const compilerOptions = { rootDir: root, outDir: target };
  await mkdir(target, { recursive: true });
  await writeFile(
    config,
    JSON.stringify({
      extends: join(root, "tsconfig.build.json"),
      compilerOptions,
      files: files.map((file) => join(root, file)),
    }),
  );
  try {
    await promisify(execFile)(process.execPath, [require.resolve("typescript/bin/tsc"), "-p", config], { cwd: root });
  } catch (error) {
    throw new Error((error as { stdout?: string }).stdout?.trim() || String(error), { cause: error });
  }
  await rm(config);
}

async function copyFiles(target: string, copied: Copied): Promise<void> {
  for (const [folder, wanted] of Object.entries(copied)) {
    await mkdir(join(target, folder), { recursive: true });
    const names = (await readdir(join(root, folder), { withFileTypes: true })).filter(
      (entry) => entry.isFile() && wanted.test(entry.name),
    );
    for (const { name } of names) await copyFile(join(root, folder, name), join(target, folder, name));
  }
}

const copyrightOfContracts = "Copyright (c) 2016-2023 zOS Global Limited and contributors";

/** Of OpenZeppelin's compiled contracts users get only what the demo deploys. */
async function copyContract(name: string, folder: string): Promise<void> {
  const openzeppelin = dirname(require.resolve("@openzeppelin/contracts/package.json"));
  const compiled = await readFile(join(openzeppelin, `build/contracts/${name}.json`), "utf8");
  const { abi, bytecode } = JSON.parse(compiled) as { abi: unknown; bytecode: string };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.json`), JSON.stringify({ abi, bytecode }));
  // npm has the contracts without the text of their licence.
  await writeFile(join(folder, "LICENSE.txt"), await mitLicence(copyrightOfContracts));
}

let site: Promise<string> | undefined;

async function copySite(target: string): Promise<void> {
  site ??= buildSite();
  await cp(await site, join(target, "docs/site"), { recursive: true });
  await rm(join(target, "docs/site/built-from"));
}

/**
 * The compiler rewrites `../errors.ts` in JavaScript, yet not in declarations, where tools other than itself cannot follow it.
 * Declarations that no entry point leads to describe our insides and go.
 */
async function mendDeclarations(target: string, entries: readonly string[]): Promise<void> {
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
  for (const entry of entries) await reach(join(target, entry));
  for (const path of await readdir(target, { recursive: true }))
    if (path.endsWith(".d.ts") && !kept.has(join(target, path))) await rm(join(target, path));
}

/** @returns what is wanted of what there is; nothing, and an exit code, where something else is */
function among<Name extends string>(all: readonly Name[], wanted: readonly string[]): readonly Name[] {
  const unknown = wanted.find((name) => !all.some((one) => one === name));
  if (unknown === undefined) return wanted.length === 0 ? all : all.filter((name) => wanted.includes(name));
  console.error(`There is no ${unknown}; there are ${all.join(", ")}.`);
  process.exitCode = 2;
  return [];
}

const wanted = process.argv.slice(2);
if (wanted[0] === "clients") {
  const only = among(languages, wanted.slice(1));
  if (only.length > 0) await buildClients(join(dist, "clients"), { only });
} else {
  const names = among(Object.keys(packages), wanted);
  for (const [name, each] of Object.entries(packages)) if (names.includes(name)) await build(name, each);
}
