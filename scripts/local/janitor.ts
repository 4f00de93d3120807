/**
 * Cleans up after demos and tests even when they are killed: a small detached process hears over a pipe which
 * processes and temporary folders belong to us, and ends and removes them once the pipe closes.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** How the janitor asks a process to end. After 3 s it uses SIGKILL. */
export type FirstSignal = "SIGKILL" | "SIGQUIT" | "SIGINT" | "SIGTERM";

/** Somebody who cleans up when this process is gone, however it went. */
export type Janitor = {
  /** @param firstSignal default SIGKILL; PostgreSQL wants SIGQUIT, or it leaves shared memory behind. */
  watchProcess(pid: number, firstSignal?: FirstSignal): void;
  forgetProcess(pid: number): void;
  /** A process that was started `detached`, with all of its descendants that are still in its group, as long as it lives. */
  watchGroup(pid: number): void;
  forgetGroup(pid: number): void;
  /**
   * Makes a folder that is gone when this process is, even if it is killed before it has heard of it.
   *
   * @param prefix of its name
   * @param parent default: the system's temporary folder
   * @returns its path @throws unless it lies below the system's temporary folder or in memory
   */
  makeFolder(prefix: string, parent?: string): string;
  forgetFolder(folder: string): void;
  /** Cleans up what is still watched, now, and waits for it. */
  close(): Promise<void>;
};

/**
 * Starts a janitor. It does not keep this process alive.
 *
 * @example
 * const janitor = await startJanitor();
 * const child = spawn("sleep", ["1000"], { detached: true });
 * if (child.pid) janitor.watchProcess(child.pid);
 * await janitor.close(); // and the sleeper is gone
 */
export async function startJanitor(): Promise<Janitor> {
  const script = fileURLToPath(new URL("janitor-child.mjs", import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ["pipe", "ignore", "ignore"], detached: true, cwd: "/" });
  const ended = once(child, "exit");
  await once(child, "spawn");
  child.unref();
  // Types call it a plain stream; it is a socket, which would keep this process alive.
  if ("unref" in child.stdin && typeof child.stdin.unref === "function") child.stdin.unref();
  child.stdin.on("error", () => undefined);

  const tell = (line: string) => child.stdin.write(`${line}\n`);
  return {
    watchProcess: (pid, firstSignal = "SIGKILL") => tell(`watch pid ${pid} ${firstSignal}`),
    forgetProcess: (pid) => tell(`forget pid ${pid}`),
    watchGroup: (pid) => tell(`watch group ${pid} SIGKILL`),
    forgetGroup: (pid) => tell(`forget group ${pid}`),
    makeFolder: (prefix, parent = tmpdir()) => {
      const folder = temporary(join(realpathSync(parent), prefix + randomBytes(6).toString("hex")));
      tell(`watch dir ${folder}`);
      mkdirSync(folder, { mode: 0o700 });
      return folder;
    },
    forgetFolder: (folder) => tell(`forget dir ${folder}`),
    close: async () => {
      child.ref();
      child.stdin.end();
      await ended;
    },
  };
}

/** Where Linux keeps files in memory. */
export const inMemory = "/dev/shm";

let shared: Promise<Janitor> | undefined;

/** The one janitor of this process, started on first use. Nobody has to close it. */
export function sharedJanitor(): Promise<Janitor> {
  shared ??= startJanitor();
  return shared;
}

function temporary(folder: string): string {
  const roots = [realpathSync(tmpdir()), inMemory];
  if (roots.some((root) => folder.startsWith(root + sep)) && !folder.includes("\n")) return folder;
  throw new Error(`The janitor removes only what lies below ${tmpdir()} or ${inMemory}, not ${folder}.`);
}
