/** Compares one field of candidates with a value. */
import type { Candidates } from "./candidates.ts";
import { absent, type Column, unread, unrounded } from "./columns.ts";
import { type Field, parties } from "./fields.ts";

export type Op = "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in";

/** What candidates are held against, beside the block: who watches. */
export type Watching = {
  candidates: Candidates;
  /** Whether the webhook watches an address, by the number of its text. */
  watches(addressId: number): boolean;
};

/** Whether a candidate, by its place, is as it must be. */
export type Test = (at: number) => boolean;

/** Makes a test of all candidates that there are by now. */
export type Prepare = (watching: Watching) => Test;

/**
 * A comparison of what a candidate lacks does not hold, whatever it is.
 *
 * @param values as candidates have them; one, unless `op` is `in`
 */
export function compare(field: Field, op: Op, values: readonly string[]): Prepare {
  if (field.isDirection) return compareDirection(op, new Set(values));
  const test = op === "eq" || op === "ne" || op === "in" ? compareText(op, values) : compareOrder(op, values);
  return ({ candidates }) => byColumn(field, candidates, (column) => test(column, candidates));
}

/** Tests candidates whose values are in one column. */
type ColumnTest = (column: Column, candidates: Candidates) => Test;

function compareText(op: "eq" | "ne" | "in", values: readonly string[]): ColumnTest {
  return (column, candidates) => {
    const idAt = reader(column);
    const [id = absent, ...others] = values.map((value) => candidates.idOf(value));
    if (op === "ne")
      return (at) => {
        const own = idAt(at);
        return own !== id && own !== absent;
      };
    const isWanted = among(new Set([id, ...others]));
    return (at) => isWanted(idAt(at));
  };
}

function reader(column: Column): (at: number) => number {
  const ids = column.ids();
  return (at) => {
    const own = ids[at] ?? absent;
    return own === unread ? column.readAt(at) : own;
  };
}

/** Most webhooks watch one address of a block, and compare with one value: that takes a tenth of the time. */
export function among(ids: ReadonlySet<number>): (id: number) => boolean {
  const [only] = ids;
  return ids.size === 1 ? (id) => id === only : (id) => ids.has(id);
}

function compareOrder(op: "gt" | "gte" | "lt" | "lte", [value = ""]: readonly string[]): ColumnTest {
  const exact = BigInt(value);
  const limit = Number(exact);
  const orEqual = op === "gte" || op === "lte";
  const sign = op === "gt" || op === "gte" ? 1 : -1;
  return (column) => {
    const rounded = column.rounded();
    return (at) => {
      const known = rounded[at] ?? unrounded;
      const difference = ((known === unrounded ? column.roundAt(at) : known) - limit) * sign;
      if (difference !== 0) return difference > 0;
      // Rounding keeps the order, so only what is equal then needs all bits.
      const own = column.exactAt(at);
      return own === exact ? orEqual : own > exact === (sign === 1);
    };
  };
}

/** A transfer between two watched addresses goes both in and out. */
function compareDirection(op: Op, wanted: ReadonlySet<string>): Prepare {
  const [wantsIn, wantsOut] = [wanted.has("in"), wanted.has("out")];
  return ({ candidates, watches }) => {
    const [fromAt, toAt] = [reader(candidates.column(parties.from)), reader(candidates.column(parties.to))];
    return (at) => {
      const [isIn, isOut] = [watches(toAt(at)), watches(fromAt(at))];
      const isWanted = (wantsIn && isIn) || (wantsOut && isOut);
      return op === "ne" ? (isIn || isOut) && !isWanted : isWanted;
    };
  };
}

/** A field of a transaction or a transfer is in one column, an argument in one for each event. */
function byColumn(field: Field, candidates: Candidates, testOf: (column: Column) => Test): Test {
  const testAt = (at: number): Test => {
    const candidate = candidates.all[at];
    const source = candidate && field.columnOf(candidate);
    return source ? testOf(candidates.column(source)) : never;
  };
  const { topics } = candidates;
  const ofTopic: (Test | undefined)[] = [];
  if (field.of !== "args") return testAt(0);
  return (at) => {
    const topic = topics[at] ?? 0;
    const test = ofTopic[topic] ?? testAt(at);
    ofTopic[topic] = test;
    return test(at);
  };
}

const never: Test = () => false;
