/** Fetches the next blocks while the last ones are recorded, so that catching up waits for the slower of the two and not for both. */
import type { BlockBundle } from "../matching/wire.ts";
import { fetchRun, type Source } from "./run.ts";

/** The blocks that are being fetched ahead: one run at most, so that memory stays bounded. */
export type Ahead = {
  begin(source: Source, from: number, to: number): void;
  /** @returns the run from `from` on, if it was begun with this node and as complete; nothing is ahead any more then */
  take(source: Source, from: number): Run | undefined;
};

/** A run under way, and the block up to which it was asked for. */
export type Run = { to: number; blocks: Promise<BlockBundle[]> };

export function fetchAhead(): Ahead {
  let next: (Run & { source: Source; from: number }) | undefined;
  return {
    begin(source, from, to) {
      const blocks = fetchRun(source, from, to);
      // Whoever takes it is told of its failure; nobody may.
      blocks.catch(() => undefined);
      next = { source, from, to, blocks };
    },
    take(source, from) {
      const begun = next;
      next = undefined;
      const fits = begun?.from === from && begun.source.node === source.node && begun.source.traces === source.traces;
      return fits ? begun : undefined;
    },
  };
}
