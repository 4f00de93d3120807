/** The project in a git repository of its own, in which a test may release, break and commit. */
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { CommandResult } from "./command.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

export type ProjectCopy = {
  folder: string;
  read(path: string): Promise<string>;
  /** Makes missing folders. */
  write(path: string, text: string): Promise<void>;
  git(...args: string[]): Promise<string>;
  /** Commits whatever has changed. */
  commit(): Promise<void>;
  /** Runs `npm run release`. */
  release(args: readonly string[], env?: Record<string, string>): Promise<CommandResult>;
};

/** @param folder of the copy, which must not be there */
export async function copyProject(folder: string): Promise<ProjectCopy> {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const listed = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    ...options,
  });
  const files = listed.stdout.split("\0").filter((path) => path !== "");
  const verbatimSymlinks = true;
  for (const path of files) await cp(join(root, path), join(folder, path), { verbatimSymlinks });
  const copy: ProjectCopy = {
    folder,
    read: (path) => readFile(join(folder, path), "utf8"),
    write: async (path, text) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    },
    git: async (...args) => (await run("git", args, { cwd: folder, ...options })).stdout.trim(),
    commit: async () => {
      await copy.git("add", "--all", ".");
      await copy.git("commit", "--quiet", "--message", "Change");
    },
    release: (args, env = {}) =>
      new Promise((resolve) => {
        const command = ["--import", "tsx", "scripts/maintain/release.ts", ...args];
        const inherited = Object.entries(process.env).filter(([name]) => !/^(PACKAGE_TARBALLS|GITHUB_)/.test(name));
        const options = { cwd: folder, env: { ...Object.fromEntries(inherited), ...env }, maxBuffer: 64 * 1024 * 1024 };
        execFile(process.execPath, command, options, (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
        );
      }),
  };
  await copy.git("init", "--quiet", "--initial-branch", "main");
  for (const [name, value] of Object.entries({
    "user.name": "test",
    "user.email": "test@example.com",
    "commit.gpgsign": "false",
  }))
    await copy.git("config", name, value);
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await copy.commit();
  return copy;
}
