/** Starts and ends the process with the hostile account, the hostile client and the costly account. */
import { startChild } from "../child.ts";
import type { CostlyOrder, HostileOrder } from "./process.ts";

export type Hostile = {
  /** Has the costly account begin. */
  beginCostly(order: CostlyOrder): void;
  /** Ends it. @returns how often each thing was done */
  end(): Promise<Record<string, number>>;
};

/** Starts it; the process is gone with this one at the latest. */
export async function startHostile(order: HostileOrder): Promise<Hostile> {
  const child = await startChild("hostile/process.ts", [JSON.stringify(order)]);
  return {
    beginCostly: (costly) => child.say(JSON.stringify(costly)),
    async end() {
      const counts = child.line().catch(() => "{}");
      await child.end();
      return JSON.parse(await counts) as Record<string, number>;
    },
  };
}
