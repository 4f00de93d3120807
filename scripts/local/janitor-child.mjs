/**
 * The janitor's own process. It hears from its parent, on standard input, what will have to be cleaned up, and does so
 * when the parent ends that input or dies. Plain JavaScript without a loader, so that it is listening within 50 ms.
 */
import { readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { sep } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const patienceMs = 3_000;
const wording = /^(watch|forget) (pid|group|dir) (.+?)(?: (SIG[A-Z]+))?$/;
/** As in `janitor.ts`, which this file stands apart from so that it loads at once. */
const roots = [realpathSync(tmpdir()), "/dev/shm"].map((folder) => folder + sep);
/** @type {Map<number, {signal: NodeJS.Signals, born: string | undefined, group: boolean}>} */
const processes = new Map();
/** @type {Set<string>} */
const folders = new Set();

// Whatever ends the parent must not end its janitor.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);

for await (const line of createInterface({ input: process.stdin })) {
  const [, verb, kind, subject = "", signal = "SIGKILL"] = wording.exec(line) ?? [];
  const pid = kind === "dir" ? 0 : Number(subject);
  // 0 and 1 would be our own group and the machine's first process.
  if (pid > 1 && verb === "watch") processes.set(pid, { signal, born: bornAt(pid), group: kind === "group" });
  if (pid > 1 && verb === "forget") processes.delete(pid);
  if (kind === "dir" && verb === "watch" && roots.some((root) => subject.startsWith(root))) folders.add(subject);
  if (kind === "dir" && verb === "forget") folders.delete(subject);
}

for (const [pid, { signal, group }] of processes) if (isSame(pid)) send(group ? -pid : pid, signal);
for (const until = Date.now() + patienceMs; Date.now() < until && [...processes.keys()].some(isSame); ) await sleep(20);
for (const pid of processes.keys()) if (isSame(pid)) send(pid, "SIGKILL");
for (let attempt = 0; folders.size > 0 && attempt < 50; attempt++) {
  if (attempt > 0) await sleep(100);
  for (const folder of folders) if (removed(folder)) folders.delete(folder);
}

/** Tells a process from a later one of the same id: the 22nd field of its stat, counted from behind its name. */
function bornAt(pid) {
  try {
    const [state, ...rest] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1).split(" ");
    return state === "Z" ? undefined : rest[18];
  } catch {
    return undefined;
  }
}

function isSame(pid) {
  if (process.platform === "linux") return bornAt(pid) !== undefined && bornAt(pid) === processes.get(pid)?.born;
  return send(pid, 0);
}

function send(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** A dying process may still be writing there, so that one attempt is not always enough. */
function removed(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}
