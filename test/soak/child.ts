/** Parts of a run that need a process of their own, whose memory can be watched and which does not disturb the run's clock. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { sharedJanitor } from "../../scripts/local/janitor.ts";

export type Child = {
  pid: number;
  /** The next line that it prints. It rejects if the process ends instead. */
  line(): Promise<string>;
  /** Writes a line to its standard input. */
  say(line: string): void;
  /** Asks it to end, and waits. */
  end(): Promise<void>;
};

/** Starts a program of this folder; it is gone with this process at the latest. */
export async function startChild(program: string, args: readonly string[]): Promise<Child> {
  const janitor = await sharedJanitor();
  const file = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", file, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  janitor.watchProcess(pid);
  // It may be gone when we write.
  child.stdin.on("error", () => undefined);
  const ended = once(child, "exit").then(() => janitor.forgetProcess(pid));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid,
    async line() {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${program} ended`);
      return value;
    },
    say: (line) => void child.stdin.write(`${line}\n`),
    async end() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
