/** Runs a step of a generator's: a shell command with a time limit, whose output is kept for when it fails. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { sharedJanitor } from "../../../scripts/local/janitor.ts";

/** How much of the end of the output a failure shows. */
const shownCharacters = 12_000;

/** A command and where it runs. */
export type Step = {
  /** What it does, for messages. */
  name: string;
  command: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  limitMs: number;
};

/**
 * Runs a step to its end, with all the processes that it starts.
 *
 * @returns what it wrote to standard output
 * @throws with the command and the end of its output when it fails or takes longer than its limit
 */
export async function run({ name, command, cwd, env, limitMs }: Step): Promise<string> {
  const janitor = await sharedJanitor();
  // A group of its own, so that a compiler's children end with it.
  const child = spawn("sh", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
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
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  clearTimeout(limit);
  janitor.forgetGroup(pid);
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

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}
