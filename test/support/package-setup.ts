/**
 * Packs the package and installs it into an empty project, as a stranger would, without its optional peers. Once for the whole
 * run; tests get the project's folder.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { sharedJanitor } from "../../scripts/local/janitor.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of a project in which the packed package is installed, and nothing else. */
    packageProject: string;
    /** The tarball that is installed there. */
    packageTarball: string;
  }
}

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Called by vitest before the first test. @returns what vitest calls after the last one, failed or not. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "chain-webhooks-package-"));
  const janitor = await sharedJanitor();
  janitor.watchFolder(folder);
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root });
  const tarball = join(folder, stdout.trim().split("\n").pop() ?? "");
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
  // Nothing that users get needs a script to be run when it is installed.
  const quick = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--silent"];
  await run("npm", ["install", tarball, "--omit=optional", "--omit=peer", ...quick], { cwd: folder });
  project.provide("packageProject", folder);
  project.provide("packageTarball", tarball);
  return async () => {
    await rm(folder, { recursive: true, force: true });
    janitor.forgetFolder(folder);
  };
}
