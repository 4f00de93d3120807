/** Starts and ends what stands before the run's node, and refuses batches and limits rates. */
import { startChild } from "./child.ts";

export type RefusingNode = {
  url: string;
  /** It starts to refuse these, or starts again from its first way. Until then it passes everything on. */
  begin(refused: "batches" | "all"): void;
  /** @returns how often it refused in which way */
  end(): Promise<Record<string, number>>;
};

/** @param cycleMs how long it takes to go through all ways of refusing once */
export async function startRefusingNode(rpcUrl: string, cycleMs: number, seed: number): Promise<RefusingNode> {
  const child = await startChild("node-process.ts", [rpcUrl, String(cycleMs), String(seed)]);
  const url = await child.line();
  return {
    url,
    begin: (refused) => child.say(refused),
    async end() {
      const counts = child.line();
      await child.end();
      return JSON.parse(await counts) as Record<string, number>;
    },
  };
}
