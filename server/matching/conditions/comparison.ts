/** Compares one field of many candidates with a value. */
import type { Candidates } from "./candidates.ts";
import { absent, type Column } from "./columns.ts";
import type { Field } from "./fields.ts";

export type Op = "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in";

/** What candidates are held against, beside the block: who watches. */
export type Watching = {
  candidates: Candidates;
  /** Whether the webhook watches an address. */
  watches(address: string): boolean;
};

/** Some of the candidates, in their order, by their place. */
export type Filter = (places: readonly number[], watching: Watching) => readonly number[];

/**
 * A comparison of what a candidate lacks does not hold, whatever it is.
 *
 * @param values as candidates have them; one, unless `op` is `in`
 */
export function compare(field: Field, op: Op, values: readonly string[]): Filter {
  const [value = ""] = values;
  if (field.isDirection) return compareDirection(op, new Set(values));
  const filter = filterOf(op, value, new Set(values));
  return (places, { candidates }) => byColumn(field, candidates, places, filter);
}

/** Compares candidates whose values are in one column. Loops of numbers: an array's own `filter` takes five times as long. */
type ColumnFilter = (column: Column, places: readonly number[], candidates: Candidates) => number[];

function filterOf(op: Op, value: string, set: ReadonlySet<string>): ColumnFilter {
  if (op === "in")
    return (column, places) => {
      const { ids, texts } = column.read(places);
      return places.filter((at) => set.has(texts[ids[at] ?? -1] ?? absentText));
    };
  if (op === "eq" || op === "ne") return compareEquality(op === "eq", value);
  return compareOrder(op, BigInt(value));
}

/** No value has a NUL. */
const absentText = "\u0000";

function compareEquality(equal: boolean, value: string): ColumnFilter {
  return (column, places, candidates) => {
    const { ids } = column.read(places);
    // Its number is known once the candidates are read.
    const id = candidates.idOf(value);
    const held: number[] = [];
    for (const at of places) {
      const own = ids[at];
      if (equal ? own === id : own !== id && own !== absent) held.push(at);
    }
    return held;
  };
}

function compareOrder(op: "gt" | "gte" | "lt" | "lte", exact: bigint): ColumnFilter {
  const rounded = Number(exact);
  const orEqual = op === "gte" || op === "lte";
  const sign = op === "gt" || op === "gte" ? 1 : -1;
  return (column, places) => {
    const numbers = column.round(places);
    const held: number[] = [];
    for (const at of places) {
      const difference = ((numbers[at] ?? Number.NaN) - rounded) * sign;
      if (difference > 0) held.push(at);
      else if (difference === 0) {
        // Rounding keeps the order, so only what is equal then needs all bits.
        const own = column.exactAt(at);
        if (own === exact ? orEqual : own > exact === (sign === 1)) held.push(at);
      }
    }
    return held;
  };
}

/** A transfer between two watched addresses goes both in and out. */
function compareDirection(op: Op, wanted: ReadonlySet<string>): Filter {
  return (places, { candidates, watches }) =>
    places.filter((at) => {
      const transfer = candidates.all[at]?.transfer;
      const isIn = transfer !== undefined && watches(transfer.to);
      const isOut = transfer !== undefined && watches(transfer.from);
      const isWanted = (isIn && wanted.has("in")) || (isOut && wanted.has("out"));
      return op === "ne" ? (isIn || isOut) && !isWanted : isWanted;
    });
}

/** A field of a transaction or a transfer is in one column, an argument in one for each event. */
function byColumn(
  field: Field,
  candidates: Candidates,
  places: readonly number[],
  filter: ColumnFilter,
): readonly number[] {
  const [first] = places;
  if (first === undefined) return places;
  if (field.of !== "args") {
    const column = columnAt(field, candidates, first);
    return column ? filter(column, places, candidates) : [];
  }
  const held = candidates.byTopic(places).map((ofTopic) => {
    const column = columnAt(field, candidates, ofTopic[0] ?? 0);
    return column ? filter(column, ofTopic, candidates) : [];
  });
  const found = held.filter(({ length }) => length > 0);
  return found.length > 1 ? found.flat().sort((a, b) => a - b) : (found[0] ?? []);
}

function columnAt(field: Field, candidates: Candidates, at: number): Column | undefined {
  const candidate = candidates.all[at];
  const source = candidate && field.columnOf(candidate);
  return source && candidates.column(source);
}
