/**
 * Packs the package and installs it into an empty project, as a stranger would, without its optional peers. Once for the whole
 * run, and while other tests run; `installed-package.ts` waits for it.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { sharedJanitor } from "../../scripts/local/janitor.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the project. Tests use `installed-package.ts` instead, which waits until the package is there. */
    packageFolder: string;
  }
}

/** How packing and installing ended, in `outcome.json` of the project's folder. */
export type PackageOutcome = { tarball?: string; error?: string };

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Called by vitest before the first test. @returns what vitest calls after the last one, failed or not. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "chain-webhooks-package-"));
  const janitor = await sharedJanitor();
  janitor.watchFolder(folder);
  project.provide("packageFolder", folder);
  const installed = install(folder).then(
    (tarball) => report(folder, { tarball }),
    (error: unknown) => report(folder, { error: String(error) }),
  );
  return async () => {
    await installed;
    await rm(folder, { recursive: true, force: true });
    janitor.forgetFolder(folder);
  };
}

async function pack(folder: string): Promise<string> {
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root });
  return join(folder, stdout.trim().split("\n").pop() ?? "");
}

/** Packing builds everything, which takes 25 s of processor. `PACKAGE_TARBALL=PATH` names one that is there. @returns the tarball's path */
async function install(folder: string): Promise<string> {
  const tarball = process.env.PACKAGE_TARBALL || (await pack(folder));
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
  // Nothing that users get needs a script to be run when it is installed.
  const quick = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--silent"];
  await run("npm", ["install", tarball, "--omit=optional", "--omit=peer", ...quick], { cwd: folder });
  return tarball;
}

/** Renamed into place, so that nobody reads half of it. */
async function report(folder: string, outcome: PackageOutcome): Promise<void> {
  await writeFile(join(folder, "outcome.tmp"), JSON.stringify(outcome));
  await rename(join(folder, "outcome.tmp"), join(folder, "outcome.json"));
}
