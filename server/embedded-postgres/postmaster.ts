/** The server process: starts it, recognises a running one, and stops it. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, readFileSync } from "node:fs";
import { type FileHandle, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { createTcpServer } from "../base/servers.ts";
import { runAs, type SystemUser } from "./account.ts";
import type { Binaries } from "./binaries.ts";

const run = promisify(execFile);
const keepLogBytes = 10 * 1024 * 1024;

/** A server, as its `postmaster.pid` describes it. One that is stopping may wait for its clients for ever. */
export type Postmaster = { pid: number; port: number; isStopping: boolean };

/** A server that we started. `lastWords` returns its output, which says why it ended. */
export type StartedPostmaster = { process: ChildProcess; ended(): boolean; lastWords(): Promise<string> };

/** Where and how to run a server. `folder` is its data directory; `logFile` receives all its output. `port` is a free one by default. */
export type PostmasterOptions = {
  folder: string;
  logFile: string;
  account: SystemUser | undefined;
  durable: boolean;
  port?: number;
};

/** How to stop a server: `fast` disconnects its clients and writes all to disk; `immediate` leaves that to the next start. */
export type StopMode = "fast" | "immediate";

/** Starts a server on a free port of the loopback interface. It is not ready yet when this returns. */
export async function startPostmaster(binaries: Binaries, options: PostmasterOptions): Promise<StartedPostmaster> {
  const { folder, account } = options;
  const args = ["-D", folder, ...(await settings(options)).flatMap((setting) => ["-c", setting])];
  const log = await openLog(options);
  try {
    const start = (await log.stat()).size;
    // Its own session: Ctrl-C in the terminal must not reach it before the service has drained.
    const child = spawn(binaries.postgres, args, {
      cwd: folder,
      env: serverEnvironment(),
      stdio: ["ignore", log.fd, log.fd],
      detached: true,
      windowsHide: true,
      ...runAs(account),
    });
    await once(child, "spawn");
    child.unref();
    const ended = () => child.exitCode !== null || child.signalCode !== null;
    return {
      process: child,
      ended,
      lastWords: async () => (await readFile(options.logFile)).subarray(start).toString(),
    };
  } finally {
    await log.close();
  }
}

async function settings({ durable, port }: PostmasterOptions): Promise<string[]> {
  // A throw-away server keeps its shared memory in its folder. If killed while starting, it would otherwise leave it in /dev/shm.
  const care = durable
    ? ["fsync=on", "synchronous_commit=on", "full_page_writes=on"]
    : ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "dynamic_shared_memory_type=mmap"];
  return [
    `port=${port ?? (await freePort())}`,
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
    "shared_buffers=128MB",
    "timezone=UTC",
    "log_timezone=UTC",
    "log_min_messages=warning",
    "log_checkpoints=off",
    ...care,
  ];
}

/** Our environment without the variables that would configure PostgreSQL. In English, so that we recognise its messages. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(own), LC_ALL: "C" };
}

async function openLog({ logFile, account }: PostmasterOptions): Promise<FileHandle> {
  // Never through a symbolic link: as root we write into a folder that another account owns.
  const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_RDWR } = constants;
  const log = await open(logFile, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
  if (account) await log.chown(account.uid, account.gid);
  if ((await log.stat()).size > keepLogBytes) await log.truncate();
  return log;
}

async function freePort(): Promise<number> {
  const server = createTcpServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === "string") throw new Error("The system returned no free port.");
  return address.port;
}

/** Reads `postmaster.pid`, if it exists. The process may be gone. */
export async function readPostmaster(folder: string): Promise<Postmaster | undefined> {
  const lines = (await readFile(pidFile(folder), "utf8").catch(() => "")).split("\n");
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 ? { pid, port, isStopping: lines[7]?.trim() === "stopping" } : undefined;
}

/**
 * Removes a `postmaster.pid` whose process id now belongs to another program, or to a zombie. PostgreSQL would take either for a running
 * server. If no such process exists, PostgreSQL replaces the file itself, safely against concurrent starts.
 */
export async function forgetPostmaster(folder: string, pid: number): Promise<void> {
  if (hasEntry(pid) && (await readPostmaster(folder))?.pid === pid) await rm(pidFile(folder), { force: true });
}

function pidFile(folder: string): string {
  return join(folder, "postmaster.pid");
}

/** Whether a process of this id is running, whichever it is. */
export function isAlive(pid: number): boolean {
  if (process.platform !== "linux") return hasEntry(pid);
  try {
    // A zombie keeps its entry, in containers for ever. Its state is Z or X, after the name.
    return !/\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** The test that PostgreSQL applies to a `postmaster.pid`. It includes zombies. */
function hasEntry(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Whether the process is the server of this folder. Ids are reused, in containers within a second. */
export async function isPostmasterOf(pid: number, folder: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command = await commandLine(pid).catch(() => undefined);
  return command === undefined || (command.includes("postgres") && command.includes(folder));
}

async function commandLine(pid: number): Promise<string | undefined> {
  if (process.platform === "linux") return readFile(`/proc/${pid}/cmdline`, "utf8");
  if (process.platform === "win32") return undefined;
  return (await run("ps", ["-ww", "-o", "command=", "-p", String(pid)])).stdout;
}

/** Stops a server and waits until it is gone, with stronger and stronger signals. Does nothing if it has already ended. */
export async function stopPostmaster(binaries: Binaries, folder: string, pid: number, mode: StopMode): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ["SIGQUIT", 10_000],
    ["SIGKILL", 5_000],
  ];
  if (mode === "fast") steps.unshift(["SIGINT", 60_000]);
  for (const [signal, patienceMs] of steps) {
    if (!(await isPostmasterOf(pid, folder))) return;
    // Windows has no signals; use the server's own tool.
    if (process.platform === "win32")
      await run(binaries.pgCtl, ["stop", "-D", folder, "-m", mode]).catch(() => undefined);
    else send(pid, signal);
    if (await until(async () => !(await isPostmasterOf(pid, folder)), patienceMs)) {
      // Its command line goes first, with its memory; its files and port follow.
      await until(() => !isAlive(pid), 1_000);
      return;
    }
  }
  throw new Error(`The embedded PostgreSQL (process ${pid}) could not be stopped.`);
}

async function until(condition: () => boolean | Promise<boolean>, patienceMs: number): Promise<boolean> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(10)) {
    if (await condition()) return true;
  }
  return false;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
