/** The entry points that need an optional peer, with the peer installed: at the version that is tested here, and at the oldest that is allowed. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { receiverProject, tarballs } from "../support/installed-package.ts";
import { strict, tsc } from "./stranger-project.ts";

const run = promisify(execFile);
const quick = ["--ignore-scripts", "--prefer-offline", "--no-package-lock", "--no-audit", "--no-fund", "--silent"];

test.each(["4.6.7", "4.3.0"])("a project with zod %s type-checks and runs", { timeout: 300_000 }, async (version) => {
  const project = join(dirname(receiverProject), `peers-${version}`);
  await mkdir(project);
  const manifest = { name: "stranger", private: true, type: "module" };
  await writeFile(join(project, "package.json"), JSON.stringify(manifest));
  const files = (await readdir(tarballs)).filter((name) => /^chain-webhooks-\d/.test(name));
  const wanted = [...files.map((name) => join(tarballs, name)), `zod@${version}`, "@types/node@20.19.43"];
  await run("npm", ["install", ...quick, ...wanted], { cwd: project });
  await copyFile(new URL("peers.ts", import.meta.url), join(project, "peers.ts"));
  const args = [tsc, "peers.ts", ...strict, "--resolveJsonModule", "--module", "nodenext"];
  const compiled = await run(process.execPath, args, { cwd: project }).catch(({ stdout }: { stdout: string }) => ({
    stdout,
  }));
  expect(compiled.stdout).toBe("");
  const { stdout } = await run(process.execPath, ["peers.js"], { cwd: project });
  expect(stdout).toBe("the optional peers work\n");
});
