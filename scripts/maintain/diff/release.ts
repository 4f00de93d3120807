/** Which contract was released last, read from git. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { isObject, type Json, type JsonObject } from "../../document/json.ts";

const run = promisify(execFile);
const contractPath = "generated/openapi.json";

/** A contract as it was at a commit. `name` says in words which that is; `released` that others may rely on it. */
export type Baseline = { name: string; contract: JsonObject; released: boolean };

/** That there is nothing to compare with, and why. */
export type NoBaseline = { missing: string };

/**
 * The contract to compare with: at a git reference; without one at the newest `v*` tag behind HEAD, and as long as there is
 * none at the first commit that has a contract, which binds nobody. Where git or its history is not at hand, as in an
 * unpacked archive or a shallow clone, it says so.
 *
 * @param folder a folder of the git working tree.
 * @throws when a reference was given and it, or the contract in it, is not there.
 */
export async function findBaseline(folder: string, reference?: string): Promise<Baseline | NoBaseline> {
  if (reference?.startsWith("-")) throw new Error(`${reference} is not a git reference.`);
  if (reference) return { name: reference, contract: await contractAt(folder, reference), released: true };
  try {
    return await lastRelease(folder);
  } catch (error) {
    return { missing: (error as Error).message };
  }
}

async function lastRelease(folder: string): Promise<Baseline | NoBaseline> {
  // The suffix makes a release candidate older than its release.
  const tags = ["-c", "versionsort.suffix=-", "tag", "--list", "v*", "--merged", "HEAD", "--sort=-version:refname"];
  const [tag] = lines(await git(folder, ...tags));
  if (tag)
    return { name: `the release ${tag}`, contract: await contractAt(folder, `refs/tags/${tag}`), released: true };
  if ((await git(folder, "rev-parse", "--is-shallow-repository")).trim() === "true")
    return {
      missing: "this clone is shallow, and no v* tag is in its history. `git fetch --unshallow --tags` gets it",
    };
  const added = ["log", "--diff-filter=A", "--reverse", "--format=%H", "--", contractPath];
  const [commit] = lines(await git(folder, ...added));
  if (!commit) return { missing: `there is no v* tag, and no commit that has ${contractPath}` };
  const name = `${commit.slice(0, 7)}, the first commit with a contract`;
  return { name, contract: await contractAt(folder, commit), released: false };
}

async function contractAt(folder: string, ref: string): Promise<JsonObject> {
  const contract: Json = JSON.parse(await git(folder, "show", `${ref}:${contractPath}`));
  if (!isObject(contract)) throw new Error(`${contractPath} at ${ref} is not an object.`);
  return contract;
}

const lines = (text: string) => text.split("\n").filter((line) => line !== "");

async function git(folder: string, ...args: string[]): Promise<string> {
  try {
    return (await run("git", args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    throw new Error(`git ${args.at(-1)}: ${stderr.trim() || (error as Error).message}`, { cause: error });
  }
}
