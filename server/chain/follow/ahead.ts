/** Fetches the next blocks while the last ones are recorded, so that catching up waits for the slower of the two and not for both. */
import type { BlockReader, ReadRun } from "../read/reader.ts";

/** From where blocks are read, and whether with their traces. */
export type Source = { reader: BlockReader; traces: boolean };

/** The runs of blocks that are being fetched ahead: two at most, so that memory stays bounded. */
export type Ahead = {
  /** Fetches on from a block, up to the head, in runs of so many blocks. */
  fill(source: Source, from: number, options: { head: number; length: number }): void;
  /** @returns the run from `from` on, if it was begun with this node and as complete; otherwise nothing is ahead any more */
  take(source: Source, from: number): Run | undefined;
  /** Nothing of it is wanted any more. */
  drop(): void;
};

/** A run under way, and the block up to which it was asked for. Who takes it releases it. */
export type Run = { to: number; read: Promise<ReadRun> };

/** While one is recorded, one waits and one is fetched: neither the node nor the database waits for the other. */
const mostRuns = 2;

export function fetchAhead(): Ahead {
  let begun: (Run & { source: Source; from: number })[] = [];
  const drop = () => {
    for (const { read } of begun) read.then(({ release }) => release()).catch(() => undefined);
    begun = [];
  };
  const keepIf = (source: Source, from: number) => {
    const next = begun[0];
    const fits = next?.from === from && next.source.reader === source.reader && next.source.traces === source.traces;
    if (!fits) drop();
  };
  return {
    drop,
    fill(source, from, { head, length }) {
      keepIf(source, from);
      let next = (begun.at(-1)?.to ?? from - 1) + 1;
      for (; begun.length < mostRuns && next <= head; next += length) {
        const to = Math.min(head, next + length - 1);
        const read = source.reader.read({ from: next, to, traces: source.traces });
        // Whoever takes it is told of its failure; nobody may.
        read.catch(() => undefined);
        begun.push({ source, from: next, to, read });
      }
    },
    take(source, from) {
      keepIf(source, from);
      return begun.shift();
    },
  };
}
