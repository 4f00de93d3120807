/** Commands as a reader types them: in the repository's folder, in a shell or not, each with all that it starts. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const running = new Set<ChildProcess>();

/** What it said until it was ready, as the pattern has it. */
export type Started = RegExpExecArray & { child: ChildProcess; output(): string };

/** @param ready what it says when it is. @throws when it ends before that */
export async function start(
  command: string,
  args: string[],
  ready: RegExp,
  more: Record<string, string> = {},
): Promise<Started> {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...more },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  endLater(child);
  let output = "";
  const match = await new Promise<RegExpExecArray>((resolve, reject) => {
    const look = (chunk: Buffer) => {
      output += chunk;
      const found = ready.exec(output);
      if (found) resolve(found);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("exit", (code) => reject(new Error(`${command} ${args.join(" ")} ended with ${code}. ${output}`)));
  });
  return Object.assign(match, { child, output: () => output });
}

/** Has `endAll` end it. */
export function endLater(child: ChildProcess): void {
  running.add(child);
}

export async function endAll(): Promise<void> {
  await Promise.all([...running].map(end));
}

/** Ends a command and all that it started, as a terminal would, and waits until the last of them has closed its output. */
export async function end(child: ChildProcess): Promise<void> {
  running.delete(child);
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const closed = once(child, "close");
  process.kill(-child.pid, "SIGTERM");
  await closed;
}
