/** Reads the next blocks while the last ones are recorded, so that catching up takes as long as the slower of the two, not both. */

import type { BlockReader, ReadRun } from "../read/reader.ts";
import type { AnnouncedHead } from "../sources/heads.ts";
import type { FinalNumber } from "../sources/source.ts";

/** Where a lane's blocks come from: a reader, with or without traces. */
export type LaneSource = { reader: BlockReader; traces: boolean };

/** The runs being read ahead: at most two, to bound memory. */
export type ReadAhead = {
  /** Starts to read on from a block, up to the head, in runs of the given length. @param options.finality as of now */
  fill(source: LaneSource, from: number, options: { head: number; length: number; finality: FinalNumber }): void;
  /** Starts to read the head that was announced, unless other blocks are being read. @returns whether it did */
  expect(source: LaneSource, head: AnnouncedHead, finality: FinalNumber): boolean;
  /** @returns the run that starts at `from`, if it is from this source; otherwise every run is dropped */
  take(source: LaneSource, from: number): PendingRun | undefined;
  drop(): void;
};

/** A run being read, the last block that was requested, and finality as it was then. Whoever takes it releases it. */
type PendingRun = { to: number; read: Promise<ReadRun>; finality: FinalNumber };

/** While one run is recorded, one waits and one is read: neither the node nor the database waits for the other. */
const maxRuns = 2;

const nothingRead: ReadRun = { blocks: [], release: () => undefined };

export function createReadAhead(): ReadAhead {
  let pending: (PendingRun & { source: LaneSource; from: number })[] = [];
  const drop = () => {
    for (const { read } of pending) read.then(({ release }) => release()).catch(() => undefined);
    pending = [];
  };
  const dropUnless = (source: LaneSource, from: number) => {
    const next = pending[0];
    const fits = next?.from === from && next.source.reader === source.reader && next.source.traces === source.traces;
    if (!fits) drop();
  };
  return {
    drop,
    fill(source, from, { head, length, finality }) {
      dropUnless(source, from);
      let next = (pending.at(-1)?.to ?? from - 1) + 1;
      for (; pending.length < maxRuns && next <= head; next += length) {
        const to = Math.min(head, next + length - 1);
        const read = source.reader.read({ from: next, to, traces: source.traces });
        // Whoever takes the run handles its failure, but it may be dropped.
        read.catch(() => undefined);
        pending.push({ source, from: next, to, read, finality });
      }
    },
    expect(source, head, finality) {
      if (pending.length > 0) return false;
      const { number } = head;
      const selection = { from: number, to: number, head, traces: source.traces };
      // Nodes behind one address may lack what another announced. It is read again once the source has it as its head.
      const read = source.reader.read(selection).catch(() => nothingRead);
      pending.push({ source, from: number, to: number, read, finality });
      return true;
    },
    take(source, from) {
      dropUnless(source, from);
      return pending.shift();
    },
  };
}
