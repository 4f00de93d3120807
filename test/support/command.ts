/** Runs command line tools: within the test, or as processes of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished, vi } from "vitest";

/** What a command said, and how it ended. */
export type CommandResult = { code: number; stdout: string; stderr: string };

/** Runs a command's function to its end and gives what it printed. */
export async function runHere(run: (args: string[]) => Promise<number>, args: string[]): Promise<CommandResult> {
  const lines = { log: "", error: "" };
  const spies = (["log", "error"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((line: unknown) => {
      lines[name] += `${String(line)}\n`;
    }),
  );
  try {
    return { code: await run(args), stdout: lines.log, stderr: lines.error };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** A command that runs until it is stopped. */
export type Running = {
  child: ChildProcess;
  /** The base address at which it says to listen. */
  url: string;
  stdout(): string;
  stderr(): string;
  /** Sends a signal and waits. @returns the exit code; null when the signal itself ended it */
  end(signal: NodeJS.Signals): Promise<number | null>;
};

/** Starts `chain-webhooks COMMAND` from the sources as a process. @throws when it ends before it listens */
export function startChainWebhooks(name: string, args: string[]): Promise<Running> {
  return startCommand(process.execPath, ["--import", "tsx", "scripts/command/cli.ts", name, ...args]);
}

/** Where a command is run, unless it is here, and variables of its environment besides ours. */
export type Surroundings = { cwd?: string; env?: Record<string, string> };

/** Starts a command as a process, which is gone when the test ends. @throws when it ends before it listens */
export async function startCommand(
  command: string,
  args: string[],
  { cwd = process.cwd(), env = {} }: Surroundings = {},
): Promise<Running> {
  const options = { cwd, env: { ...process.env, ...env }, detached: true };
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => killGroup(child));
  const said = { stdout: "", stderr: "" };
  const url = await new Promise<string>((resolve, reject) => {
    for (const name of ["stdout", "stderr"] as const)
      child[name].on("data", (chunk) => {
        said[name] += chunk;
        const found = /(?:istening at |served at |"url":")(http:[^\s"]+?)[;,.]?(?:["\s]|$)/.exec(said[name]);
        if (found?.[1]) resolve(found[1]);
      });
    child.once("exit", (code) => reject(new Error(`${command} ${args.join(" ")} ended with ${code}. ${said.stderr}`)));
  });
  return {
    child,
    url,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    async end(signal) {
      const ended = once(child, "exit");
      child.kill(signal);
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}

/** Ends what is left of a command and of all that it started. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing is left.
  }
}
