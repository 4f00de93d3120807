/** The account that the embedded server runs as when root starts it, since PostgreSQL refuses to run as root. */
import { lchown, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** A user of this machine other than ours. */
export type SystemUser = { name: string; uid: number; gid: number };

/**
 * Picks the account that the server must run as. If the database files exist, PostgreSQL accepts only their owner.
 *
 * @param cluster the folder of the database files
 * @param dataDir the folder around it
 * @returns undefined unless we are root; the server then runs as our own user
 * @throws when root finds no account to use
 */
export async function chooseAccount(cluster: string, dataDir: string): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = parsePasswd(await readFile("/etc/passwd", "utf8").catch(() => ""));
  const owner = await ownerOf(cluster);
  if (owner) return accounts.find(({ uid }) => uid === owner.uid) ?? { name: `user ${owner.uid}`, ...owner };

  // initdb looks up its own user, so only an account with an entry will do.
  const folderOwner = await ownerOf(dataDir);
  const found =
    accounts.find(({ uid }) => uid === folderOwner?.uid) ??
    ["postgres", "_postgres", "nobody"].flatMap((name) => accounts.find((account) => account.name === name) ?? [])[0];
  if (found) return found;
  throw new Error(
    "PostgreSQL cannot run as root, and /etc/passwd has no user postgres or nobody to run it as. " +
      "Start as an ordinary user, or set DATABASE_URL.",
  );
}

/** The `uid` and `gid` for `spawn`; empty when the child runs as us. */
export function runAs(account: SystemUser | undefined): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

/** Makes the account the owner of a path, if there is one. Does not follow symbolic links. */
export async function give(path: string, account: SystemUser | undefined): Promise<void> {
  if (account) await lchown(path, account.uid, account.gid);
}

/** Does the same for everything in a folder, for example after root restored a backup. */
export async function giveTree(folder: string, account: SystemUser | undefined): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true })) await give(join(folder, entry), account);
  await give(folder, account);
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
}

function parsePasswd(text: string): SystemUser[] {
  return text.split("\n").flatMap((line) => {
    const [name = "", , uid, gid] = line.split(":");
    const account = { name, uid: Number(uid), gid: Number(gid) };
    return account.uid > 0 && account.gid >= 0 ? [account] : [];
  });
}
