/**
 * The candidates' values, each read once, when it is first compared. Each text has a number, and integers a rounded double, so that one
 * comparison takes 2 ns: 10,000 webhooks may have 50 comparisons each for every log of a block.
 */
import type { Candidate } from "./candidates.ts";

/** How a value is read. Those with the same key share a column. */
export type ColumnSource = { key: string; read(candidate: Candidate): string | undefined };

export type Column = {
  /** Reads the values of some candidates. @returns by their places, the numbers of texts, `absent` where a candidate lacks the field */
  read(places: readonly number[]): { ids: Int32Array; texts: readonly string[] };
  /** Reads integers. @returns by their places, rounded to 53 bits, which keeps their order; NaN where a candidate lacks the field */
  round(places: readonly number[]): Float64Array;
  /** An integer that was read. */
  exactAt(at: number): bigint;
};

/** The number of no text. */
export const absent = -1;
const unread = -3;

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
    let ids = new Int32Array(candidates.length).fill(unread);
    let rounded = new Float64Array(0);
    // The comparisons of one webhook mostly have the same candidates, as long as none of them decides.
    let lastRead: readonly number[] | undefined;
    let lastRounded: readonly number[] | undefined;

    function readAll(places: readonly number[]): void {
      if (places === lastRead) return;
      lastRead = places;
      if (ids.length < candidates.length) {
        const before = ids;
        ids = new Int32Array(Math.max(candidates.length, 2 * before.length)).fill(unread);
        ids.set(before);
      }
      for (const at of places) {
        if (ids[at] !== unread) continue;
        const candidate = candidates[at];
        const text = candidate && read(candidate);
        ids[at] = text === undefined ? absent : idOf(text);
      }
    }

    return {
      read(places) {
        readAll(places);
        return { ids, texts };
      },
      round(places) {
        if (places === lastRounded) return rounded;
        readAll(places);
        lastRounded = places;
        // Infinity is no integer: not rounded yet.
        if (rounded.length < ids.length) rounded = new Float64Array(ids.length).fill(Number.POSITIVE_INFINITY);
        for (const at of places) {
          if (rounded[at] !== Number.POSITIVE_INFINITY) continue;
          const id = ids[at] ?? absent;
          rounded[at] = id === absent ? Number.NaN : Number(numberOf(id));
        }
        return rounded;
      },
      exactAt: (at) => numberOf(ids[at] ?? absent),
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
