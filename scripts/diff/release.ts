/** Which contract was released last, read from git. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { isObject, type Json, type JsonObject } from "../document/json.ts";

const run = promisify(execFile);
const contractPath = "generated/openapi.json";

/** A contract as it was at a commit. `name` says in words which that is. */
export type Released = { name: string; contract: JsonObject };

/**
 * The contract at a git reference; without one at the newest `v*` tag behind HEAD, and as long as there is none at the first
 * commit that has a contract.
 *
 * @param folder a folder of the git working tree.
 * @throws when git, the reference or the contract in it is not there.
 */
export async function releasedContract(folder: string, reference?: string): Promise<Released> {
  const { ref, name } = reference ? { ref: reference, name: reference } : await lastRelease(folder);
  if (ref.startsWith("-")) throw new Error(`${ref} is not a git reference.`);
  const contract: Json = JSON.parse(await git(folder, "show", `${ref}:${contractPath}`));
  if (!isObject(contract)) throw new Error(`${contractPath} at ${name} is not an object.`);
  return { name, contract };
}

async function lastRelease(folder: string): Promise<{ ref: string; name: string }> {
  // The suffix makes a release candidate older than its release.
  const tags = ["-c", "versionsort.suffix=-", "tag", "--list", "v*", "--merged", "HEAD", "--sort=-version:refname"];
  const [tag] = lines(await git(folder, ...tags));
  if (tag) return { ref: `refs/tags/${tag}`, name: `the release ${tag}` };
  const added = ["log", "--diff-filter=A", "--reverse", "--format=%H", "--", contractPath];
  const [commit] = lines(await git(folder, ...added));
  if (!commit) throw new Error(`No v* tag, and no commit that has ${contractPath}: there is nothing to compare with.`);
  return { ref: commit, name: `${commit.slice(0, 7)}, the first commit with a contract, since there is no v* tag yet` };
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
