/** Makes filters of conditions, and checks their types while doing so. */
import type { CompiledAbi } from "../abi.ts";
import type { WebhookOptions } from "../new-webhook.ts";
import { compare, type Op, type Prepare, type Watching } from "./comparison.ts";
import { type Field, fieldNamed, type Kind } from "./fields.ts";

export type Condition = NonNullable<WebhookOptions["conditions"]>;

/** Bounds in the contract's words; a hundred times what people write. */
export const conditionLimits = { comparisons: 50, depth: 8, characters: 8_000 };

/** Conditions that cannot be used. */
export class ConditionError extends Error {
  override readonly name = "ConditionError";
  /** Of what is wrong, such as `all.1.value`; empty for the whole. */
  readonly path: string;
  /** A clause that completes a sentence which begins with the path. */
  readonly reason: string;

  constructor(path: string, reason: string) {
    super(`${path || "conditions"} ${reason}`);
    this.path = path;
    this.reason = reason;
  }
}

export type Comparison = { kind: "comparison"; field: string; op: Op; value: string | readonly string[]; read: Field };

/** A condition, ready to be evaluated. */
export type FilterNode = { path: string; prepare: Prepare } & (
  | { kind: "all" | "any" | "not"; of: readonly FilterNode[] }
  | Comparison
);

/** @throws ConditionError for the first fault */
export function compileTree(condition: Condition, abi: CompiledAbi | undefined): FilterNode {
  let comparisons = 0;

  function compile(condition: Condition, path: string, depth: number): FilterNode {
    if (depth > conditionLimits.depth)
      throw new ConditionError(path, `must be at most ${conditionLimits.depth} levels deep`);
    const { all, any, not, field, op, value } = condition;
    const isComparison = field !== undefined || op !== undefined || value !== undefined;
    const given = [all, any, not, isComparison || undefined].filter((one) => one !== undefined);
    if (given.length !== 1) throw new ConditionError(path, "must have one of all, any and not, or field, op and value");
    const at = (...names: (string | number)[]) => [path, ...names].filter((name) => name !== "").join(".");
    if (isComparison) {
      comparisons += 1;
      if (comparisons > conditionLimits.comparisons)
        throw new ConditionError("", `must have at most ${conditionLimits.comparisons} comparisons`);
      return compileComparison(condition, abi, at);
    }
    if (not) {
      const of = compile(not, at("not"), depth + 1);
      return { path, kind: "not", of: [of], prepare: prepareNot(of) };
    }
    const kind = all ? "all" : "any";
    const of = (all ?? any ?? []).map((one, index) => compile(one, at(kind, index), depth + 1));
    // What is already at hand first: then fewer logs are decoded.
    const inTurn = of.toSorted((a, b) => Number(readsArguments(a)) - Number(readsArguments(b)));
    return { path, kind, of, prepare: prepareSeveral(inTurn, kind === "any") };
  }

  return compile(condition, "", 1);
}

function compileComparison(
  { field, op, value }: Condition,
  abi: CompiledAbi | undefined,
  at: (...names: (string | number)[]) => string,
): FilterNode {
  if (field === undefined) throw new ConditionError(at("field"), "is required");
  if (op === undefined) throw new ConditionError(at("op"), "is required");
  if (value === undefined) throw new ConditionError(at("value"), "is required");
  const read = fieldNamed(field, abi);
  if ("reason" in read) throw new ConditionError(at("field"), read.reason);
  if (read.kind.of !== "integer" && ["gt", "gte", "lt", "lte"].includes(op))
    throw new ConditionError(at("op"), `must be eq, ne or in for ${field}, which has no order`);
  if (op === "in" && typeof value === "string") throw new ConditionError(at("value"), "must be an array with in");
  if (op !== "in" && typeof value !== "string") throw new ConditionError(at("value"), `must be a string with ${op}`);
  const values = [value].flat().map((one, index) => {
    const known = readValue(read.kind, one);
    if (known === undefined)
      throw new ConditionError(op === "in" ? at("value", index) : at("value"), `must be ${kindPhrase(read.kind)}`);
    return known;
  });
  return { path: at(), kind: "comparison", field, op, value, read, prepare: compare(read, op, values) };
}

const readsArguments = (node: FilterNode): boolean =>
  node.kind === "comparison" ? node.read.of === "args" : node.of.some(readsArguments);

const prepareNot =
  (of: FilterNode): Prepare =>
  (watching) => {
    const keep = of.prepare(watching);
    return (places, holding) => keep(places, !holding);
  };

/** @param decided what one of them must be so that the others do not matter: true for `any` */
function prepareSeveral(of: readonly FilterNode[], decided: boolean): Prepare {
  return (watching) => {
    const keeps = of.map(({ prepare }) => prepare(watching));
    /** Those that none of them decides. */
    const keepUndecided = (places: Int32Array) => {
      let left = places;
      for (const keep of keeps) {
        if (left.length === 0) break;
        left = keep(left, !decided);
      }
      return left;
    };
    return (places, holding) =>
      holding === decided ? without(places, keepUndecided(places.slice())) : keepUndecided(places);
  };
}

/** Keeps those that are not among the others. Both are in the same order. */
function without(places: Int32Array, others: Int32Array): Int32Array {
  if (others.length === 0) return places;
  let [kept, next] = [0, 0];
  for (const at of places) {
    if (others[next] === at) next += 1;
    else places[kept++] = at;
  }
  return places.subarray(0, kept);
}

/** Of some places, those for which a condition holds. */
export function keepHolding(node: FilterNode, places: readonly number[], watching: Watching): Int32Array {
  return node.prepare(watching)(Int32Array.from(places), true);
}

const decimal = /^-?(0|[1-9]\d{0,77})$/;
const hex = /^0x[0-9a-fA-F]{1,64}$/;
const address = /^0x[0-9a-fA-F]{40}$/;
const bytes = /^0x([0-9a-fA-F]{2})*$/;

/** @returns the value as candidates have it; undefined if it is none of this kind */
function readValue(kind: Kind, value: string): string | undefined {
  switch (kind.of) {
    case "integer":
      return readInteger(value, kind.signed);
    case "address":
      return address.test(value) ? value.toLowerCase() : undefined;
    case "boolean":
      return value === "true" || value === "false" ? value : undefined;
    case "bytes":
      return bytes.test(value) && (kind.length === undefined || value.length === 2 + 2 * kind.length)
        ? value.toLowerCase()
        : undefined;
    case "choice":
      return kind.values.includes(value) ? value : undefined;
    case "text":
      return value;
  }
}

function readInteger(value: string, signed: boolean): string | undefined {
  if (!decimal.test(value) && !hex.test(value)) return undefined;
  const number = BigInt(value);
  const [least, most] = signed ? [-(1n << 255n), (1n << 255n) - 1n] : [0n, (1n << 256n) - 1n];
  return number >= least && number <= most ? number.toString() : undefined;
}

/** What a value must be, in words. */
function kindPhrase(kind: Kind): string {
  switch (kind.of) {
    case "integer":
      return `an integer of 256 bits${kind.signed ? "" : " and not negative"}, in decimal digits without leading zeros, or as 0x and up to 64 hex digits`;
    case "address":
      return "an address, 0x and 40 hex digits";
    case "boolean":
      return "true or false, as a text";
    case "bytes":
      return kind.length === undefined ? "0x and an even number of hex digits" : `0x and ${2 * kind.length} hex digits`;
    case "choice":
      return `one of ${kind.values.join(", ")}`;
    case "text":
      return "a text";
  }
}
