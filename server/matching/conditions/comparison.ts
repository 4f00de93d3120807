/** Compares one field of many candidates with a value. */
import type { Candidates } from "./candidates.ts";
import type { Column } from "./columns.ts";
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
  switch (op) {
    case "eq":
    case "ne":
      return (places, { candidates }) => {
        const columnAt = columnsOf(field, candidates);
        const ids = places.map((at) => columnAt(at)?.idAt(at) ?? -1);
        // Its number is known once the candidates are read.
        const id = candidates.idOf(value);
        return places.filter((_, index) => (op === "eq" ? ids[index] === id : ids[index] !== id && ids[index] !== -1));
      };
    case "in": {
      const set = new Set(values);
      return (places, { candidates }) => {
        const columnAt = columnsOf(field, candidates);
        return places.filter((at) => {
          const text = columnAt(at)?.textAt(at);
          return text !== undefined && set.has(text);
        });
      };
    }
    default:
      return compareOrder(field, op, BigInt(value));
  }
}

function compareOrder(field: Field, op: "gt" | "gte" | "lt" | "lte", exact: bigint): Filter {
  const rounded = Number(exact);
  const orEqual = op === "gte" || op === "lte";
  const sign = op === "gt" || op === "gte" ? 1 : -1;
  return (places, { candidates }) => {
    const columnAt = columnsOf(field, candidates);
    return places.filter((at) => {
      const column = columnAt(at);
      const difference = ((column?.roundedAt(at) ?? Number.NaN) - rounded) * sign;
      if (difference !== 0) return difference > 0;
      // Rounding keeps the order, so only what is equal then needs all bits.
      const own = column?.exactAt(at) ?? exact;
      return own === exact ? orEqual : own > exact === (sign === 1);
    });
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
function columnsOf(field: Field, candidates: Candidates): (at: number) => Column | undefined {
  if (field.of !== "args") {
    let only: Column | undefined;
    return (at) => {
      only ??= columnAt(field, candidates, at);
      return only;
    };
  }
  const byTopic = new Map<string | null, Column | undefined>();
  return (at) => {
    const topic0 = candidates.all[at]?.topic0 ?? null;
    if (!byTopic.has(topic0)) byTopic.set(topic0, columnAt(field, candidates, at));
    return byTopic.get(topic0);
  };
}

function columnAt(field: Field, candidates: Candidates, at: number): Column | undefined {
  const candidate = candidates.all[at];
  const source = candidate && field.columnOf(candidate);
  return source && candidates.column(source);
}
