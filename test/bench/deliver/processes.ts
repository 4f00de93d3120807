/** The processes of a bench: each a module of its own, run as this one is, and what they cost. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Tally } from "./receiver.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const children = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** Starts a module of the repository with a channel for messages. It ends with this process at the latest. */
export function start(module: string, args: string[] = [], env: Record<string, string> = {}): ChildProcess {
  const child = fork(module, args, {
    cwd: root,
    execArgv: ["--import", "tsx"],
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

/** @returns this field of the next message that has it */
export function message<T>(child: ChildProcess, field: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (said: Record<string, T>) => {
      if (!(field in said)) return;
      child.off("message", onMessage).off("exit", onExit);
      resolve(said[field] as T);
    };
    const onExit = (code: number | null) => reject(new Error(`${child.spawnargs.join(" ")} ended with ${code}`));
    child.on("message", onMessage).once("exit", onExit);
  });
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** The endpoint that everything is sent to. */
export type BenchReceiver = {
  url: string;
  pid: number;
  reset(): void;
  tally(): Promise<Tally>;
  stop(): Promise<void>;
};

export async function startBenchReceiver(): Promise<BenchReceiver> {
  const child = start("test/bench/deliver/receiver.ts");
  const port = await message<number>(child, "port");
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    reset: () => void child.send("reset"),
    tally() {
      const tally = message<Tally>(child, "tally");
      child.send("tally");
      return tally;
    },
    stop: () => end(child),
  };
}

/** Processor time so far, in ms, of a process and of those it has started; undefined where the system does not tell. */
export function cpuMs(pid: number): number | undefined {
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return undefined;
  const fields = readFileSync(stat, "latin1").split(") ")[1]?.split(" ") ?? [];
  // utime, stime, cutime, cstime in ticks of 10 ms.
  const own = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]) * 10, 0);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim();
  return children.split(" ").reduce((sum, child) => sum + (child ? (cpuMs(Number(child)) ?? 0) : 0), own);
}

/** Resident memory in MB; undefined where the system does not tell. */
export function residentMb(pid: number): number | undefined {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return undefined;
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(status, "latin1"))?.[1]) / 1024);
}

export const cores = availableParallelism();
