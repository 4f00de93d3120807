/** The service as its own process, as an operator starts it, to be stopped, killed and watched. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import type { ChainConfig } from "../../server/settings/chains.ts";
import { serviceArguments } from "./programs.ts";
import { unlimited } from "./service.ts";

export type ServiceProcess = {
  /** Where the API is. @throws when the process ended instead of starting */
  started: Promise<string>;
  /** Its exit code and the signal that ended it, when it is over. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  signal(signal: NodeJS.Signals): void;
  /** What it logged, one object a line. */
  logged: Record<string, unknown>[];
  pid: number;
};

export type ServiceProcessOptions = {
  /** Environment variables beside the defaults: all roles, leases of 2 s, any free port. */
  env?: Record<string, string>;
  /** Node's own options. */
  nodeArgs?: readonly string[];
  /** A file of `test/support/preload/` to be loaded first. */
  preload?: string;
};

/** Starts it; the process is gone with this one at the latest. */
export async function startServiceProcess(
  databaseUrl: string,
  chains: readonly ChainConfig[],
  { env = {}, nodeArgs = [], preload }: ServiceProcessOptions = {},
): Promise<ServiceProcess> {
  const janitor = await sharedJanitor();
  const preloads = preload ? ["--import", new URL(`preload/${preload}`, import.meta.url).href] : [];
  const child = spawn(process.execPath, [...nodeArgs, ...preloads, ...serviceArguments()], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      CHAINS: JSON.stringify(chains),
      PORT: "0",
      LEASE_SECONDS: "2",
      ALLOW_PRIVATE_TARGETS: "true",
      LOG_LEVEL: "debug",
      ...unlimited,
      ...env,
    },
  });
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  janitor.watchProcess(pid);
  const ended = once(child, "exit").then(([code, signal]) => {
    janitor.forgetProcess(pid);
    return { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });
  const logged: Record<string, unknown>[] = [];
  let complaint = "";
  child.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  const started = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const entry = JSON.parse(line) as Record<string, unknown>;
      logged.push(entry);
      if (entry.msg === "started") resolve(String(entry.url));
    });
    void ended.then(({ code, signal }) => reject(new Error(`it ended with ${code ?? signal} ${complaint}`)));
  });
  // It may be killed before it has started.
  started.catch(() => undefined);
  return { started, ended, logged, signal: (signal) => void child.kill(signal), pid };
}
