/** Runs a step of a generator's: a shell command with a time limit, whose output is kept for when it fails. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { sharedJanitor } from "../../../scripts/local/janitor.ts";

/** How much of the end of the output a failure shows. */
const shownCharacters = 12_000;

/** A command and where it runs. */
export type Step = {
  /** Which generator it is for, or what several share: its processor time counts there, and messages name it. */
  of?: string;
  /** What it does, for messages. */
  name: string;
  command: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  limitMs: number;
};

const spent = new Map<string, number>();

/** The seconds of processor time of all steps so far, by what they were for. Steps ended at their limit are not counted. */
export function processorSeconds(): ReadonlyMap<string, number> {
  return spent;
}

/**
 * Runs a step to its end, with all the processes that it starts.
 *
 * @returns what it wrote to standard output
 * @throws with the command and the end of its output when it fails or takes longer than its limit
 */
export async function run({ of, name: step, command, cwd, env, limitMs }: Step): Promise<string> {
  const name = of === undefined ? step : `${of}: ${step}`;
  const janitor = await sharedJanitor();
  // The shell reports its processor time, and that of what it waited for, on a pipe of its own.
  const counted = `trap 'times >&3' EXIT\n${command}`;
  // A group of its own, so that a compiler's children end with it.
  const child = spawn("sh", ["-c", counted], { cwd, env, stdio: ["ignore", "pipe", "pipe", "pipe"], detached: true });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${name}: sh could not be started.`);
  janitor.watchGroup(pid);
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    endGroup(pid);
  }, limitMs);
  let stdout = "";
  let output = "";
  let times = "";
  child.stdout?.on("data", (chunk) => {
    stdout += chunk;
    output += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    output += chunk;
  });
  child.stdio[3]?.on("data", (chunk) => {
    times += chunk;
  });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  clearTimeout(limit);
  janitor.forgetGroup(pid);
  if (of !== undefined) spent.set(of, (spent.get(of) ?? 0) + secondsIn(times));
  if (code === 0) return stdout;
  const why = late ? `took longer than ${limitMs / 1000} s` : `ended with ${code ?? signal}`;
  throw new Error(`${name} ${why}.\n$ ${command}\n${output.slice(-shownCharacters)}`, { cause: { late } });
}

/** Whether a step ends well. @throws when it took too long, which says nothing of what it does */
export async function endsWell(step: Promise<unknown>): Promise<boolean> {
  try {
    await step;
    return true;
  } catch (error) {
    const { cause } = error as { cause?: { late?: boolean } };
    if (cause?.late !== false) throw error;
    return false;
  }
}

/** The sum of what `times` prints: minutes and seconds of the shell and of its children. */
function secondsIn(times: string): number {
  return [...times.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}
