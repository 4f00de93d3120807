/** What git says has changed: since the branch left main, and what is not committed yet. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** @returns paths from the root, those of deleted files too. @throws outside of a git repository */
export async function changedFiles(root: string): Promise<string[]> {
  const git = async (...args: string[]) => (await run("git", args, { cwd: root })).stdout;
  const left = async (main: string) => (await git("merge-base", main, "HEAD").catch(() => "")).trim();
  const since = (await left("origin/main")) || (await left("main")) || "HEAD";
  const [tracked, added] = await Promise.all([
    git("diff", "--name-only", "--no-renames", since),
    git("ls-files", "--others", "--exclude-standard"),
  ]);
  return [...new Set(`${tracked}${added}`.split("\n").filter((path) => path !== ""))].sort();
}
