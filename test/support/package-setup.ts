/**
 * Packs the packages and installs them as strangers would, without their optional peers: in a project of one who receives notifications, of one who
 * implements the API, and of one who runs the service. Once for the whole run, and while other tests run; `installed-package.ts` waits for it.
 */
import { execFile } from "node:child_process";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { sharedJanitor } from "../../scripts/local/janitor.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the projects. Tests use `installed-package.ts` instead, which waits until the packages are there. */
    packageFolder: string;
  }
}

/** How packing and installing ended, in `outcome.json` of the folder. */
export type PackageOutcome = { tarballs?: string; error?: string };

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** The projects, and what is installed there. */
const projects = {
  receives: ["chain-webhooks"],
  implements: ["chain-webhooks", "chain-webhooks-tools"],
  operates: ["chain-webhooks-service"],
};

/** Called by vitest before the first test. @returns what vitest calls after the last one, failed or not. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const janitor = await sharedJanitor();
  const folder = janitor.makeFolder("chain-webhooks-package-");
  project.provide("packageFolder", folder);
  const installed = install(folder).then(
    (tarballs) => report(folder, { tarballs }),
    (error: unknown) => report(folder, { error: String(error) }),
  );
  return async () => {
    await installed;
    await rm(folder, { recursive: true, force: true });
    janitor.forgetFolder(folder);
  };
}

/** Building takes 30 s of processor. `PACKAGE_TARBALLS=FOLDER` names what is packed already. @returns the tarballs' folder */
async function pack(folder: string): Promise<string> {
  if (process.env.PACKAGE_TARBALLS) return process.env.PACKAGE_TARBALLS;
  const tarballs = join(folder, "tarballs");
  await mkdir(tarballs);
  await run("npm", ["run", "-s", "build"], { cwd: root });
  // A release, and other languages' packages, are there, too.
  const packages = (await readdir(join(root, "dist"))).filter((name) => name.startsWith("chain-webhooks"));
  await run("npm", ["pack", "--silent", "--pack-destination", tarballs, ...packages.map((name) => `./dist/${name}`)], {
    cwd: root,
  });
  return tarballs;
}

async function install(folder: string): Promise<string> {
  const tarballs = await pack(folder);
  const files = await readdir(tarballs);
  // Nothing that users get needs a script to be run when it is installed.
  const quick = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--silent"];
  for (const [name, packages] of Object.entries(projects)) {
    const cwd = join(folder, name);
    await mkdir(cwd);
    await writeFile(join(cwd, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
    const wanted = packages.map((each) => files.find((file) => new RegExp(`^${each}-\\d`).test(file)) ?? each);
    const paths = wanted.map((file) => join(tarballs, file));
    await run("npm", ["install", ...paths, "--omit=optional", "--omit=peer", ...quick], { cwd });
  }
  return tarballs;
}

/** Renamed into place, so that nobody reads half of it. */
async function report(folder: string, outcome: PackageOutcome): Promise<void> {
  await writeFile(join(folder, "outcome.tmp"), JSON.stringify(outcome));
  await rename(join(folder, "outcome.tmp"), join(folder, "outcome.json"));
}
