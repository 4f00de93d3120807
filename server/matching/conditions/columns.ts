/**
 * The candidates' values, each read once, when it is first compared. Each text has a number, and integers a rounded double, so that one
 * comparison takes 2 ns: 10,000 webhooks may have 50 comparisons each for every log of a block.
 */
import type { Candidate } from "./candidates.ts";

/** How a value is read. Those with the same key share a column. */
export type ColumnSource = { key: string; read(candidate: Candidate): string | undefined };

export type Column = {
  /** The number of its text; -1 where the candidate lacks it. */
  idAt(at: number): number;
  textAt(at: number): string | undefined;
  /** An integer, rounded to 53 bits, which keeps its order; NaN where the candidate lacks it. */
  roundedAt(at: number): number;
  /** An integer that the candidate has. */
  exactAt(at: number): bigint;
};

const [unread, absent] = [-3, -1];

export function createColumns(candidates: readonly Candidate[]): {
  column(source: ColumnSource): Column;
  idOf(text: string): number;
} {
  const texts: string[] = [];
  const ids = new Map<string, number>();
  const columns = new Map<string, Column>();
  const numbers: (bigint | undefined)[] = [];

  function idOf(text: string): number {
    const known = ids.get(text);
    if (known !== undefined) return known;
    ids.set(text, texts.length);
    return texts.push(text) - 1;
  }

  function numberOf(id: number): bigint {
    const known = numbers[id] ?? BigInt(texts[id] ?? "");
    numbers[id] = known;
    return known;
  }

  function createColumn({ read }: ColumnSource): Column {
    let found = new Int32Array(candidates.length).fill(unread);
    let rounded: Float64Array | undefined;

    function idAt(at: number): number {
      if (at >= found.length) found = longer(found);
      const known = found[at] ?? unread;
      if (known !== unread) return known;
      const candidate = candidates[at];
      const text = candidate && read(candidate);
      const id = text === undefined ? absent : idOf(text);
      found[at] = id;
      return id;
    }

    function longer(before: Int32Array): Int32Array<ArrayBuffer> {
      rounded = undefined;
      const after = new Int32Array(Math.max(candidates.length, 2 * before.length)).fill(unread);
      after.set(before);
      return after;
    }

    return {
      idAt,
      textAt: (at) => texts[idAt(at)],
      roundedAt(at) {
        const id = idAt(at);
        if (id === absent) return Number.NaN;
        rounded ??= new Float64Array(found.length).fill(Number.NaN);
        const known = rounded[at] ?? Number.NaN;
        if (!Number.isNaN(known)) return known;
        const value = Number(numberOf(id));
        rounded[at] = value;
        return value;
      },
      exactAt: (at) => numberOf(idAt(at)),
    };
  }

  return {
    idOf: (text) => ids.get(text) ?? -2,
    column(source) {
      const known = columns.get(source.key) ?? createColumn(source);
      columns.set(source.key, known);
      return known;
    },
  };
}
