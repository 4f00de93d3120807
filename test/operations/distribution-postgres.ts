/** A throw-away server of the PostgreSQL that the system has, whose dump programs fit it; npm brings none. */
import { execFile } from "node:child_process";
import { chown, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { query } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;

export type DistributionPostgres = {
  /** Of the database `chain_webhooks`, which is empty. */
  url: string;
  /** Such as 15. */
  major: number;
  stop(): Promise<void>;
};

/** @throws when the system has none */
export async function startDistributionPostgres(): Promise<DistributionPostgres> {
  const versions = await readdir("/usr/lib/postgresql").catch(() => []);
  const major = Math.max(0, ...versions.map(Number));
  if (major === 0) throw new Error("There is no PostgreSQL in /usr/lib/postgresql; install the system's package.");
  const bin = `/usr/lib/postgresql/${major}/bin`;
  const folder = await mkdtemp(join(tmpdir(), "chain-webhooks-operations-"));
  const password = join(folder, "password");
  await writeFile(password, "postgres");
  if (isRoot) {
    const [uid, gid] = await Promise.all(
      ["-u", "-g"].map(async (which) => Number((await run("id", [which, "postgres"])).stdout)),
    );
    for (const path of [folder, password]) await chown(path, uid ?? 0, gid ?? 0);
  }
  const as = (program: string, args: string[]) =>
    isRoot
      ? run("runuser", ["-u", "postgres", "--", join(bin, program), ...args], { cwd: folder })
      : run(join(bin, program), args);
  const data = join(folder, "data");
  await as("initdb", [
    "-D",
    data,
    "-U",
    "postgres",
    "--auth=scram-sha-256",
    `--pwfile=${password}`,
    "--no-sync",
    "-E",
    "UTF8",
  ]);
  const port = await freePort();
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories= -c fsync=off`;
  await as("pg_ctl", ["-D", data, "-w", "-l", join(folder, "log"), "-o", options, "start"]);
  const server = `postgres://postgres:postgres@127.0.0.1:${port}`;
  await query(`${server}/postgres`, "CREATE DATABASE chain_webhooks");
  return {
    url: `${server}/chain_webhooks`,
    major,
    async stop() {
      await as("pg_ctl", ["-D", data, "-m", "immediate", "stop"]);
      await rm(folder, { recursive: true });
    },
  };
}
