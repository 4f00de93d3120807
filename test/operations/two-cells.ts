/** Two cells with their own databases and processes, by the commands of docs/cells.md. */
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createTestDatabase, query } from "../support/database.ts";
import { readDocument } from "../support/document.ts";
import { freePort } from "../support/free-port.ts";
import { type Started, start } from "../support/shell.ts";

export type CellName = "a" | "b";
export type TwoCells = Awaited<ReturnType<typeof openTwoCells>>;

const names: readonly CellName[] = ["a", "b"];
const page = readDocument("docs/cells.md");

/** The command of the page that has these words. */
export function command(...words: string[]): string {
  const found = page.commands.find((line) => words.every((word) => line.includes(word)));
  if (found === undefined) throw new Error(`docs/cells.md has no command with ${words.join(" and ")}`);
  return found;
}

/** Starts both, each with the role api. @param folder gets what belongs to /etc */
export async function openTwoCells(folder: string) {
  const databases = { a: await createTestDatabase(), b: await createTestDatabase() };
  const ports = { a: await freePort(), b: await freePort(), dead: await freePort() };
  const started = new Map<CellName, Started>();
  const environment = { CELL_A: databases.a.url, CELL_B: databases.b.url, NO_COLOR: "1" };

  async function startCell(name: CellName): Promise<void> {
    const line = command(`CELL=${name} `, "npm start")
      .replace(/HOST=\S+ TRUST_PROXY=\S+/, "HOST=127.0.0.1 TRUST_PROXY=loopback")
      .replace("npm start", "exec npm start");
    const CHAINS = JSON.stringify([{ chainId: "43114", rpcUrls: ["http://127.0.0.1:1"] }]);
    const env = { ...environment, CHAINS, ROLES: "api", PORT: String(ports[name]), RATE_LIMIT_ADDRESS: "0" };
    started.set(name, await start("sh", ["-c", line], /"started"/, env));
  }

  /** Runs a command of the page. @returns all that it printed */
  async function sh(line: string): Promise<string> {
    const ours = line
      .replace("/etc/chain-webhooks", folder)
      .replace("/etc/haproxy", folder)
      .replace("/etc/nginx/cells.map", join(folder, "nginx.map"));
    const env = { ...process.env, ...environment };
    const { stdout, stderr } = await promisify(execFile)("sh", ["-c", ours], { env });
    return stdout + stderr;
  }

  async function createKey(cell: CellName, account: string): Promise<string> {
    const line = command("keys", "create")
      .replace("CELL=a", `CELL=${cell}`)
      .replace("$CELL_A", `$CELL_${cell.toUpperCase()}`)
      .replace("acme", `'${account}'`);
    return /cwk_\w+/.exec(await sh(line))?.[0] ?? "";
  }

  const change = (cell: CellName, statement: string) => query(databases[cell].url, statement);

  /** A key of the form that keys had before there were tags. */
  async function createOldKey(cell: CellName): Promise<string> {
    const made = await createKey(cell, "an old account");
    const old = `cwk_${randomBytes(32).toString("hex")}`;
    const hash = createHash("sha256").update(old).digest("hex");
    const columns = `hash = '\\x${hash}', prefix = '${old.slice(0, 12)}'`;
    await change(cell, `UPDATE api_keys SET ${columns} WHERE prefix = '${made.slice(0, 25)}'`);
    return old;
  }

  const places = names.map((name) => ({ name, databaseUrl: databases[name].url }));
  await writeFile(join(folder, "cells.json"), JSON.stringify(places));
  await Promise.all(names.map(startCell));
  // One process of each cell is away all the time.
  const hosts = { "10.0.1.11": ports.a, "10.0.1.12": ports.dead, "10.0.2.11": ports.b, "10.0.2.12": ports.dead };
  return {
    sh,
    createKey,
    createOldKey,
    change,
    startCell,
    /** Ends its processes by SIGKILL. */
    kill(name: CellName): void {
      const pid = started.get(name)?.child.pid;
      if (pid !== undefined) process.kill(-pid, "SIGKILL");
    },
    dropDatabase: (name: CellName) => databases[name].drop(),
    writeMap: () => sh(command("cells", "map")),
    /** Our addresses for those in the proxies' configurations. */
    addresses: Object.fromEntries(Object.entries(hosts).map(([host, port]) => [`${host}:3000`, `127.0.0.1:${port}`])),
  };
}
