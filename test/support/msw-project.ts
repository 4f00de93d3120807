/** A project of a front end: the installed client, and MSW. That has an install script, so it is installed for these tests alone. */
import { execFile } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { receiverProject, tarballs } from "./installed-package.ts";

const quick = ["--ignore-scripts", "--prefer-offline", "--no-package-lock", "--no-audit", "--no-fund", "--silent"];

export const mswProject = join(dirname(receiverProject), "msw");

export async function installMsw(): Promise<void> {
  await mkdir(mswProject);
  const manifest = { name: "stranger", private: true, type: "module" };
  await writeFile(join(mswProject, "package.json"), JSON.stringify(manifest));
  const files = (await readdir(tarballs)).filter((name) => /^chain-webhooks-\d/.test(name));
  const wanted = [...files.map((name) => join(tarballs, name)), "msw@2.15.0", "@types/node@20.19.43"];
  await promisify(execFile)("npm", ["install", ...quick, ...wanted], { cwd: mswProject });
}
