/**
 * The candidates' values, each read once, when it is first compared. Each text has a number, and integers a rounded double, so that one
 * comparison takes few nanoseconds: an account may have thousands for every log of a block.
 */
import type { Candidate } from "./candidates.ts";

/** How a value is read. Those with the same key share a column. */
export type ColumnSource = { key: string; read(candidate: Candidate): string | undefined };

export type Column = {
  /** Makes room for all candidates that there are by now. */
  grow(): void;
  /** By place: the numbers of texts, `absent` where one lacks the field, `unread` before `readAt`. */
  ids: Int32Array;
  /** @returns the number of the text */
  readAt(at: number): number;
  /** By place: integers rounded to 53 bits, which keeps their order; NaN where a candidate lacks the field, `unrounded` before `roundAt`. */
  rounded: Float64Array;
  roundAt(at: number): number;
  /** An integer that was rounded. */
  exactAt(at: number): bigint;
};

/** The number of no text. */
export const absent = -1;
export const unread = -2;
/** No integer. */
export const unrounded = Number.POSITIVE_INFINITY;

export function createColumns(candidates: readonly Candidate[]): {
  column(source: ColumnSource): Column;
  idOf(text: string): number;
} {
  const texts: string[] = [];
  const numberedTexts = new Map<string, number>();
  const columns = new Map<string, Column>();
  const integers: (bigint | undefined)[] = [];

  function idOf(text: string): number {
    const known = numberedTexts.get(text);
    if (known !== undefined) return known;
    numberedTexts.set(text, texts.length);
    return texts.push(text) - 1;
  }

  function integerOf(id: number): bigint {
    const known = integers[id] ?? BigInt(texts[id] ?? "");
    integers[id] = known;
    return known;
  }

  function createColumn({ read }: ColumnSource): Column {
    const idAt = (at: number) => {
      const known = column.ids[at] ?? unread;
      return known === unread ? column.readAt(at) : known;
    };
    const column: Column = {
      ids: new Int32Array(0),
      rounded: new Float64Array(0),
      grow() {
        const { ids, rounded } = column;
        if (ids.length >= candidates.length) return;
        // And then some, since a block's come one transaction after the other.
        const length = Math.max(candidates.length, 2 * ids.length);
        column.ids = new Int32Array(length).fill(unread);
        column.ids.set(ids);
        column.rounded = new Float64Array(length).fill(unrounded);
        column.rounded.set(rounded);
      },
      readAt(at) {
        const candidate = candidates[at];
        const text = candidate && read(candidate);
        const id = text === undefined ? absent : idOf(text);
        column.ids[at] = id;
        return id;
      },
      roundAt(at) {
        const id = idAt(at);
        const number = id === absent ? Number.NaN : Number(integerOf(id));
        column.rounded[at] = number;
        return number;
      },
      exactAt: (at) => integerOf(idAt(at)),
    };
    return column;
  }

  return {
    idOf,
    column(source) {
      const known = columns.get(source.key) ?? createColumn(source);
      columns.set(source.key, known);
      return known;
    },
  };
}
