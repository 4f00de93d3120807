/**
 * What a release is made from, and what it becomes: the commit, a copy of that commit's files with the packages that are installed, and the
 * commit and tag of the release.
 */
import { execFile } from "node:child_process";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { git } from "../diff/release.ts";
import { ReleaseRefusal } from "./version.ts";

/** @param root the project's folder @returns the commit that is checked out @throws when a file differs from it, or is new */
export async function cleanCommit(root: string): Promise<string> {
  const changed = (await git(root, "status", "--porcelain")).trimEnd().split("\n").filter(Boolean);
  if (changed.length > 0) {
    const more = changed.length > 10 ? `\n… and ${changed.length - 10} more` : "";
    throw new ReleaseRefusal(
      `The working tree has changes, and a release has only what is committed. Commit, stash or remove them:\n\n${changed.slice(0, 10).join("\n")}${more}`,
    );
  }
  return (await git(root, "rev-parse", "HEAD")).trim();
}

/** Writes the files of the commit that is checked out into a folder, with the packages that are installed here. */
export async function copyCommit(root: string, folder: string): Promise<void> {
  // The bytes of the commit, whatever line ends somebody has git write here.
  await git(root, "-c", "core.autocrlf=false", "-c", "core.eol=lf", "checkout-index", "--all", `--prefix=${folder}/`);
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
}

/**
 * What is bundled comes from node_modules, and the bill of materials from the lockfile, so one must be of the other.
 *
 * @param folder a copy of the commit @throws for an older installation, naming what differs
 */
export async function assertInstalled(folder: string): Promise<void> {
  type Packages = Record<string, { version?: string; optional?: boolean; link?: boolean }>;
  const read = async (path: string): Promise<Packages> =>
    JSON.parse(await readFile(join(folder, path), "utf8").catch(() => '{"packages":{}}')).packages;
  const [locked, installed] = [await read("package-lock.json"), await read("node_modules/.package-lock.json")];
  const wrong = Object.entries(locked).flatMap(([path, { version, optional, link }]) => {
    const there = installed[path]?.version;
    if (!path.startsWith("node_modules/") || link || there === version || (optional && there === undefined)) return [];
    return [`${path.slice("node_modules/".length)} ${version}, and not ${there ?? "installed"}`];
  });
  if (wrong.length > 0)
    throw new ReleaseRefusal(
      `node_modules is not what package-lock.json says, and parts of it get into the packages. Run npm ci. It must be:\n\n${wrong.slice(0, 10).join("\n")}`,
    );
}

/** @returns the commit of a tag; undefined without one */
export async function taggedCommit(root: string, tag: string): Promise<string | undefined> {
  const found = await git(root, "for-each-ref", "--format=%(objectname) %(*objectname)", `refs/tags/${tag}`);
  // An annotated tag is an object of its own.
  return found.trim().split(" ").at(-1) || undefined;
}

/** Puts a folder's files into git as a commit that nothing leads to yet. @returns the commit */
export async function writeCommit(
  root: string,
  folder: string,
  { parent, message }: { parent: string; message: string },
) {
  const own = (await git(root, "rev-parse", "--absolute-git-dir")).trim();
  const env = { ...process.env, GIT_DIR: own, GIT_WORK_TREE: folder, GIT_INDEX_FILE: `${folder}.index` };
  const inFolder = async (...args: string[]) =>
    (await promisify(execFile)("git", args, { cwd: folder, env })).stdout.trim();
  await inFolder("read-tree", parent);
  await inFolder("add", "--all", ".");
  return inFolder("commit-tree", await inFolder("write-tree"), "-p", parent, "-m", message);
}

/** Moves the branch to the commit of a release, and tags it. */
export async function adoptCommit(root: string, commit: string, tag: string): Promise<void> {
  await git(root, "merge", "--ff-only", "--quiet", commit);
  await git(root, "tag", "--annotate", "--message", tag, tag, commit);
}

/** @returns the branch that is checked out; undefined where HEAD is detached */
export const branchOf = async (root: string): Promise<string | undefined> =>
  (await git(root, "branch", "--show-current")).trim() || undefined;

/** @returns the URL of the repository that publishes: that of the workflow, or of the remote `origin`; undefined when there is none */
export async function repositoryUrl(root: string): Promise<string | undefined> {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  if (GITHUB_SERVER_URL && GITHUB_REPOSITORY) return `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`;
  const origin = (await git(root, "remote", "get-url", "origin").catch(() => "")).trim();
  const [, host, path] = /^(?:https:\/\/|(?:ssh:\/\/)?git@)([\w.-]+)[:/]([\w./-]+?)(?:\.git)?$/.exec(origin) ?? [];
  return host && path && `git+https://${host}/${path}.git`;
}
