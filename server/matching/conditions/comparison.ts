/** Compares one field of many candidates with a value. */
import { absent, type Candidates, type Column, unread, unrounded } from "./candidates.ts";
import { type Field, fieldsOfParties } from "./fields.ts";

export type Op = "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in";

/** What candidates are held against, besides the block: who watches. */
export type Watching = {
  candidates: Candidates;
  /** The addresses that the webhook watches. */
  watched(): WatchedParties;
};

export type WatchedParties = {
  /** @param id the number of the address's text @param at the candidate: what a log created is watched only after it */
  has(id: number, at: number): boolean;
};

/**
 * Of some places, moves those to the front, in their order, for which a condition holds, or does not. The rest is overwritten.
 *
 * @returns the front, a part of the same list
 */
type Keep = (places: Int32Array, holding: boolean) => Int32Array;

/** Makes a condition ready for all candidates that there are by now. */
export type Prepare = (watching: Watching) => Keep;

/**
 * A comparison of what a candidate lacks does not hold, whatever it is.
 *
 * @param values as candidates have them; one, unless `op` is `in`
 */
export function compare(field: Field, op: Op, values: readonly string[]): Prepare {
  const [value = ""] = values;
  if (field.isDirection) return compareDirection(op, new Set(values));
  if (op === "in" || op === "eq" || op === "ne")
    return ({ candidates }) => {
      const columns = columnsOf(field, candidates);
      const ids = values.map((one) => candidates.idOf(one));
      if (op === "in") return (...of) => keepAmong(...of, { columns, wanted: new Set(ids) });
      return (...of) => keepEqual(...of, { columns, id: ids[0] ?? absent, equal: op === "eq" });
    };
  const limit: Limit = {
    ...{ exact: BigInt(value), rounded: Number(value) },
    ...{ orEqual: op === "gte" || op === "lte", sign: op === "gt" || op === "gte" ? 1 : -1 },
  };
  return ({ candidates }) => {
    const columns = columnsOf(field, candidates);
    return (...of) => keepInOrder(...of, { columns, ...limit });
  };
}

// Loops that are closures would be compiled again for each comparison, and took ten times as long.

function keepEqual(
  places: Int32Array,
  holding: boolean,
  { columns, id, equal }: { columns: Columns; id: number; equal: boolean },
): Int32Array {
  let kept = 0;
  for (const at of places) {
    const own = idAt(columns, at);
    if ((equal ? own === id : own !== id && own !== absent) === holding) places[kept++] = at;
  }
  return places.subarray(0, kept);
}

function keepAmong(
  places: Int32Array,
  holding: boolean,
  { columns, wanted }: { columns: Columns; wanted: ReadonlySet<number> },
): Int32Array {
  let kept = 0;
  for (const at of places) {
    if (wanted.has(idAt(columns, at)) === holding) places[kept++] = at;
  }
  return places.subarray(0, kept);
}

type Limit = { exact: bigint; rounded: number; orEqual: boolean; sign: 1 | -1 };

function keepInOrder(
  places: Int32Array,
  holding: boolean,
  { columns, exact, rounded: limit, orEqual, sign }: Limit & { columns: Columns },
): Int32Array {
  let kept = 0;
  for (const at of places) {
    const column = columnAt(columns, at);
    const known = column.rounded[at] ?? unrounded;
    const difference = ((known === unrounded ? column.roundAt(at) : known) - limit) * sign;
    let holds = difference > 0;
    if (difference === 0) {
      // Rounding keeps the order, so only what is equal then needs all bits.
      const own = column.exactAt(at);
      holds = own === exact ? orEqual : own > exact === (sign === 1);
    }
    if (holds === holding) places[kept++] = at;
  }
  return places.subarray(0, kept);
}

/** A transfer between two watched addresses goes both in and out. */
function compareDirection(op: Op, wanted: ReadonlySet<string>): Prepare {
  const directions = { isNot: op === "ne", wantsIn: wanted.has("in"), wantsOut: wanted.has("out") };
  return ({ candidates, watched }) => {
    const [from, to] = [columnsOf(fieldsOfParties.from, candidates), columnsOf(fieldsOfParties.to, candidates)];
    return (...of) => keepDirections(...of, { from, to, watched: watched(), ...directions });
  };
}

type Directions = { isNot: boolean; wantsIn: boolean; wantsOut: boolean };

function keepDirections(
  places: Int32Array,
  holding: boolean,
  { from, to, watched, isNot, wantsIn, wantsOut }: Directions & { from: Columns; to: Columns; watched: WatchedParties },
): Int32Array {
  let kept = 0;
  for (const at of places) {
    const isIn = watched.has(idAt(to, at), at);
    const isOut = watched.has(idAt(from, at), at);
    const isWanted = (wantsIn && isIn) || (wantsOut && isOut);
    if ((isNot ? (isIn || isOut) && !isWanted : isWanted) === holding) places[kept++] = at;
  }
  return places.subarray(0, kept);
}

/** A field of a transaction or a transfer is in one column, an argument in one for each event. */
type Columns = {
  field: Field;
  candidates: Candidates;
  only: Column | undefined;
  topics: readonly number[];
  byTopic: (Column | undefined)[];
};

function columnsOf(field: Field, candidates: Candidates): Columns {
  const only = field.of === "args" ? undefined : findColumn(field, candidates, 0);
  return { field, candidates, only, topics: candidates.topics, byTopic: [] };
}

function columnAt(columns: Columns, at: number): Column {
  if (columns.only) return columns.only;
  const { topics, byTopic, field, candidates } = columns;
  const topic = topics[at];
  if (topic === undefined) throw new Error(`There is no candidate ${at}.`);
  const column = byTopic[topic] ?? findColumn(field, candidates, at);
  byTopic[topic] = column;
  return column;
}

function findColumn(field: Field, candidates: Candidates, at: number): Column {
  const candidate = candidates.all[at];
  const column = candidates.column((candidate && field.columnOf(candidate)) ?? lacking);
  column.grow();
  return column;
}

/** Of events without the argument. */
const lacking = { key: "", read: () => undefined };

/** The number of a text. */
function idAt(columns: Columns, at: number): number {
  const column = columnAt(columns, at);
  const own = column.ids[at] ?? unread;
  return own === unread ? column.readAt(at) : own;
}
