/** `chain-webhooks` as an operator runs it, killed or not. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { commandArguments } from "../support/programs.ts";

export type Ran = { code: number | null; signal: NodeJS.Signals | null; output: string };

/** @param options.killedAt ends it by SIGKILL as soon as it has printed that @returns how it ended, and all that it printed */
export async function runUntil(
  args: readonly string[],
  env: Record<string, string>,
  { killedAt }: { killedAt?: RegExp | undefined } = {},
): Promise<Ran> {
  const janitor = await sharedJanitor();
  const child = spawn(process.execPath, commandArguments(...args), {
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  janitor.watchProcess(child.pid ?? 0);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
      if (killedAt?.test(output)) child.kill("SIGKILL");
    });
  const [code, signal] = await ended;
  janitor.forgetProcess(child.pid ?? 0);
  return { code, signal, output };
}

/** @returns what it printed @throws unless it succeeded */
export async function run(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, signal, output } = await runUntil(args, env);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code ?? signal}: ${output}`);
  return output;
}
