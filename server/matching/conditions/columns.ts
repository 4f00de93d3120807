/**
 * The candidates' values, each read once, when it is first compared. Each text has a number, and integers a rounded double, so that one
 * comparison takes few nanoseconds: an account may have thousands for every log of a block.
 */
import type { Candidate } from "./candidates.ts";

/** How a value is read. Those with the same key share a column. */
export type ColumnSource = { key: string; read(candidate: Candidate): string | undefined };

export type Column = {
  /** By place, for all candidates that there are by now: the numbers of texts, `absent` where one lacks the field, `unread` before `readAt`. */
  ids(): Int32Array;
  /** @returns the number of the text */
  readAt(at: number): number;
  /** By place: integers rounded to 53 bits, which keeps their order; NaN where a candidate lacks the field, `unrounded` before `roundAt`. */
  rounded(): Float64Array;
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

  /** Room for the candidates that there are, and then some, since a block's come one transaction after the other. */
  function grown<Values extends Int32Array | Float64Array>(values: Values, make: (length: number) => Values): Values {
    if (values.length >= candidates.length) return values;
    const longer = make(Math.max(candidates.length, 2 * values.length));
    longer.set(values);
    return longer;
  }

  function createColumn({ read }: ColumnSource): Column {
    let ids = new Int32Array(0);
    let rounded = new Float64Array(0);

    function readAt(at: number): number {
      const candidate = candidates[at];
      const text = candidate && read(candidate);
      const id = text === undefined ? absent : idOf(text);
      ids[at] = id;
      return id;
    }

    const idAt = (at: number) => (ids[at] === unread ? readAt(at) : (ids[at] ?? absent));

    return {
      ids() {
        ids = grown(ids, (length) => new Int32Array(length).fill(unread));
        return ids;
      },
      readAt,
      rounded() {
        this.ids();
        rounded = grown(rounded, (length) => new Float64Array(length).fill(unrounded));
        return rounded;
      },
      roundAt(at) {
        const id = idAt(at);
        const number = id === absent ? Number.NaN : Number(integerOf(id));
        rounded[at] = number;
        return number;
      },
      exactAt: (at) => integerOf(idAt(at)),
    };
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
