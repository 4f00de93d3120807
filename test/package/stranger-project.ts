/** Compiles `stranger.ts`, which uses every entry point of the installed package, as a stranger's project would. */
import { execFile } from "node:child_process";
import { copyFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { implementerProject as project } from "../support/installed-package.ts";

export const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
export const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--target", "es2022"];

/**
 * Declarations of the package and of what it builds on are checked too.
 *
 * @param name of the copy. Test files run at the same time, so each has its own @returns what the compiler objects to
 */
export async function compileStranger(name: string, ...options: string[]): Promise<string> {
  await copyFile(new URL("stranger.ts", import.meta.url), join(project, name));
  const args = [tsc, name, ...strict, "--resolveJsonModule", ...options];
  return promisify(execFile)(process.execPath, args, { cwd: project }).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
}
