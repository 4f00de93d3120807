/** A throw-away server of the PostgreSQL that the system has, whose dump programs fit it; npm brings none. */
import { execFile } from "node:child_process";
import { appendFile, chown, copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import type { Certificate } from "../operations/certificates.ts";
import { freePort } from "./free-port.ts";

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;

export type DistributionPostgres = {
  /** Of the database `chain_webhooks`, which is empty. */
  url: string;
  /** Such as 15. */
  major: number;
  /** Serves another certificate, to connections from now on. */
  present(certificate: Certificate): Promise<void>;
  /** Runs a command in a shell as the server's user, in a folder that is that user's. */
  sh(command: string, env: Record<string, string>): Promise<string>;
  /** Starts another server on a folder in there; `stop` ends it, too. @returns the URL of its database */
  startOn(data: string): Promise<string>;
  stop(): Promise<void>;
};

/** What it takes to be let in by TLS only. */
export type ServerTls = {
  certificate: Certificate;
  /** The authority of client certificates; where it is given each client needs one, for the user's name. */
  clientCa?: string;
};

/** @throws when the system has none */
export async function startDistributionPostgres(tls?: ServerTls): Promise<DistributionPostgres> {
  const versions = await readdir("/usr/lib/postgresql").catch(() => []);
  const major = Math.max(0, ...versions.map(Number));
  if (major === 0) throw new Error("There is no PostgreSQL in /usr/lib/postgresql; install the system's package.");
  const bin = `/usr/lib/postgresql/${major}/bin`;
  const janitor = await sharedJanitor();
  const folder = janitor.makeFolder("chain-webhooks-operations-");
  const password = join(folder, "password");
  await writeFile(password, "postgres");
  const owned = async (...paths: string[]) => {
    if (!isRoot) return;
    const [uid, gid] = await Promise.all(
      ["-u", "-g"].map(async (which) => Number((await run("id", [which, "postgres"])).stdout)),
    );
    for (const path of paths) await chown(path, uid ?? 0, gid ?? 0);
  };
  await owned(folder, password);
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
  const install = async ({ cert, key }: Certificate) => {
    const [crt, pem] = [join(data, "server.crt"), join(data, "server.key")];
    await Promise.all([copyFile(cert, crt), writeFile(pem, await readFile(key), { mode: 0o600 })]);
    await owned(crt, pem);
  };
  if (tls) {
    await install(tls.certificate);
    const { clientCa } = tls;
    if (clientCa) await copyFile(clientCa, join(data, "clients.crt"));
    const settings = `ssl = on\n${clientCa ? "ssl_ca_file = 'clients.crt'\n" : ""}`;
    await appendFile(join(data, "postgresql.conf"), settings);
    // The superuser creates the database without TLS. Every other user needs it.
    const rule = `hostssl chain_webhooks all 127.0.0.1/32 scram-sha-256${clientCa ? " clientcert=verify-full" : ""}\n`;
    await writeFile(join(data, "pg_hba.conf"), `${rule}host postgres all 127.0.0.1/32 scram-sha-256\n`);
  }
  const running: { where: string; pid: number }[] = [];
  const startOn = async (where: string) => {
    const port = await freePort();
    const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories= -c fsync=off`;
    await as("pg_ctl", ["-D", where, "-w", "-l", `${where}.log`, "-o", options, "start"]);
    const [pid] = (await readFile(join(where, "postmaster.pid"), "utf8")).split("\n");
    janitor.watchProcess(Number(pid), "SIGQUIT");
    running.push({ where, pid: Number(pid) });
    return `postgres://postgres:postgres@127.0.0.1:${port}`;
  };
  const server = await startOn(data);
  const client = new Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query("CREATE DATABASE chain_webhooks").finally(() => client.end());
  return {
    url: `${server}/chain_webhooks`,
    major,
    async present(certificate) {
      await install(certificate);
      await as("pg_ctl", ["-D", data, "reload"]);
    },
    async sh(command, env) {
      const [program = "", ...args] = [...(isRoot ? ["runuser", "-u", "postgres", "--"] : []), "sh", "-c", command];
      return (await run(program, args, { cwd: folder, env: { ...process.env, ...env } })).stdout;
    },
    startOn: async (name) => `${await startOn(join(folder, name))}/chain_webhooks`,
    async stop() {
      for (const { where, pid } of running) {
        // A test may have stopped it.
        await as("pg_ctl", ["-D", where, "-m", "immediate", "stop"]).catch(() => undefined);
        janitor.forgetProcess(pid);
      }
      await rm(folder, { recursive: true });
      janitor.forgetFolder(folder);
    },
  };
}
