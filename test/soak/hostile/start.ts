/** Starts and ends the process with the hostile account, the hostile client and the costly account. */
import { startChild } from "../child.ts";
import type { HostileCommand, HostileOrder } from "./process.ts";

export type Hostile = {
  say(command: HostileCommand): void;
  /** Ends it. @returns how often each thing was done */
  end(): Promise<Record<string, number>>;
};

/** Starts it; the process is gone with this one at the latest. */
export async function startHostile(order: HostileOrder): Promise<Hostile> {
  const child = await startChild("hostile/process.ts", [JSON.stringify(order)]);
  return {
    say: (command) => child.say(command),
    async end() {
      const counts = child.line().catch(() => "{}");
      await child.end();
      return JSON.parse(await counts) as Record<string, number>;
    },
  };
}
