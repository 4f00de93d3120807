/** The folder that DATA_DIR names: created if missing, and accessible to the account that the server runs as. */
import { execFile } from "node:child_process";
import { mkdir, readdir, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { chooseAccount, give, runAs, type SystemUser } from "./account.ts";
import { clusterFolder } from "./cluster.ts";

const run = promisify(execFile);

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
