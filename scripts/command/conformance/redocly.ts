/** Runs Redocly's `respect`, a program of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { requirePeer } from "../../../server/base/optional-peers.ts";

const options = [
  // Masked, every text that equals a key would be unreadable, names of steps too. The file is gone in a moment.
  "--no-secrets-masking",
  // How long to wait for an answer is decided where requests are sent.
  ...["--max-fetch-timeout", "7200000", "--execution-timeout", "43200000"],
];

/** Redocly's command line tool. @throws {ServiceError} `package_missing` */
export function redoclyPath(): string {
  const found = requirePeer("@redocly/cli", "The workflows need Redocly CLI");
  return join(dirname(found.resolve("@redocly/cli/package.json")), "bin/cli.js");
}

/** Runs `respect` to its end, whatever its exit code. @param inputs of the workflows @returns what it printed */
export async function runRespect(
  args: readonly string[],
  inputs: object,
  { cwd, signal }: { cwd: string; signal: AbortSignal },
): Promise<string> {
  const child = spawn(process.execPath, [redoclyPath(), "respect", ...args, ...options], {
    cwd,
    // A process group of its own: at Ctrl-C it is we who end it, and then clean up.
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      NO_COLOR: "1",
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      // Not as arguments, which other users of the machine can read.
      REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
    },
  });
  const end = () => void child.kill("SIGKILL");
  signal.addEventListener("abort", end);
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += chunk;
    });
  try {
    await once(child, "close");
    signal.throwIfAborted();
    return said;
  } finally {
    signal.removeEventListener("abort", end);
  }
}
