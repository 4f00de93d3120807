/** Starts and ends the process with the hostile account and the hostile client. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { sharedJanitor } from "../../../scripts/local/janitor.ts";
import type { HostileOrder } from "./process.ts";

export type Hostile = {
  /** Ends it. @returns how often each thing was done */
  end(): Promise<Record<string, number>>;
};

/** Starts it; the process is gone with this one at the latest. */
export async function startHostile(order: HostileOrder): Promise<Hostile> {
  const janitor = await sharedJanitor();
  const program = fileURLToPath(new URL("process.ts", import.meta.url));
  const args = ["--import", "tsx", program, JSON.stringify(order)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  janitor.watchProcess(pid);
  const ended = once(child, "exit").then(() => janitor.forgetProcess(pid));
  const lines = createInterface({ input: child.stdout });
  return {
    async end() {
      const said = once(lines, "line") as Promise<[string]>;
      child.kill("SIGTERM");
      const [counts] = await Promise.race([said, ended.then((): [string] => ["{}"])]);
      await ended;
      return JSON.parse(counts) as Record<string, number>;
    },
  };
}
