/**
 * A Node process of its own, for tests of what is left when it is killed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A process that runs until it is killed. */
export type Child<Result> = {
  /** What the code gave to `report`. */
  result: Result;
  /** Kills it without warning (SIGKILL) and waits for its end. */
  kill(): Promise<void>;
};

/**
 * Runs code in another process. @param code the text of a module, seen from the project's root; it may import
 * `./server/….ts` and calls `report(value)` once, with something that JSON can hold.
 * @param env variables of its environment besides ours
 * @throws with what it wrote to standard error when it ends before that.
 */
export async function runChild<Result>(code: string, env: Record<string, string> = {}): Promise<Child<Result>> {
  const report = "const report = (value) => console.log(JSON.stringify(value)); setInterval(() => {}, 1000);";
  const args = ["--import", "tsx", "--input-type=module", "--eval", `${report}\n${code}`];
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const ended = once(child, "exit");
  let complaint = "";
  child.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const kill = async () => {
      child.kill("SIGKILL");
      await ended;
    };
    return { result: JSON.parse(line) as Result, kill };
  }
  throw new Error(`The child ended without a report. ${complaint}`);
}
