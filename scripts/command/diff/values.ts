/** Whether a schema allows a value: true, false, or undefined where that cannot be decided. What a list of values implies follows from it. */
import { createContext, Script } from "node:vm";
import { asArray, asObject, asStrings, isObject, type Json, type JsonObject, sameJson } from "../../document/json.ts";
import { canonical } from "./canonical.ts";
import { isProse } from "./comparison.ts";
import { constraintType, isMultiple, listedValues, typesOf } from "./constraint.ts";
import { type Document, named } from "./document.ts";
import { flatten } from "./flatten.ts";
import { type Search, search } from "./limits.ts";
import { limitOf } from "./range.ts";

export type Proof = boolean | undefined;

export const every = (answers: readonly Proof[]): Proof =>
  answers.includes(false) ? false : answers.includes(undefined) ? undefined : true;

const some = (answers: readonly Proof[]): Proof =>
  answers.includes(true) ? true : answers.includes(undefined) ? undefined : false;

const deepest = 40;

/** @param spent what all searches of the comparison have cost */
export function allows(document: Document, schema: Json | undefined, value: Json, spent: Search, depth = 0): Proof {
  if (depth > deepest || !search(spent)) return undefined;
  const flat = flatten(document, schema);
  const within = (part: Json | undefined, inner: Json) => allows(document, part, inner, spent, depth + 1);
  const answers = [ofItself(flat, value, spent)];
  if (answers[0] === false) return false;
  if (flat.anyOf !== undefined) answers.push(some(asArray(flat.anyOf).map((branch) => within(branch, value))));
  if (flat.oneOf !== undefined) answers.push(exactlyOne(asArray(flat.oneOf).map((branch) => within(branch, value))));
  for (const part of asArray(flat.allOf)) answers.push(within(part, value));
  if (flat.not !== undefined) {
    const excluded = within(flat.not, value);
    answers.push(excluded === undefined ? undefined : !excluded);
  }
  if (Array.isArray(value)) for (const item of value) answers.push(within(flat.items, item));
  if (isObject(value)) {
    const fields = named(flat.properties);
    for (const [name, inner] of named(value))
      answers.push(within(fields.get(name) ?? flat.additionalProperties ?? true, inner));
  }
  if (!Object.keys(flat).every((key) => judged.has(key) || isProse(key))) answers.push(undefined);
  return every(answers);
}

function exactlyOne(answers: readonly Proof[]): Proof {
  const [fits, unclear] = [true, undefined].map((one) => answers.filter((answer) => answer === one).length);
  if ((fits ?? 0) > 1) return false;
  return unclear ? undefined : fits === 1;
}

const judged = new Set([
  ...["type", "enum", "const", "format", "default", "deprecated", "discriminator", "readOnly", "writeOnly", "xml"],
  ...["$id", "$anchor", "$schema", "$defs", "definitions", "anyOf", "oneOf", "allOf", "not", "items", "properties"],
  ...["additionalProperties", "required", "minProperties", "maxProperties", "minItems", "maxItems", "uniqueItems"],
  ...["minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
]);

/** What a flattened schema says of a value by keywords that hold no other schema. */
export function ofItself(schema: JsonObject, value: Json, spent: Search): Proof {
  const listed = listedValues(schema);
  if (listed && !listed.some((one) => sameJson(one, value))) return false;
  if (!typesOf(schema).includes(constraintType(value))) return false;
  if (typeof value === "string") return ofText(schema, value, spent);
  if (typeof value === "number") return ofNumber(schema, value);
  if (Array.isArray(value)) {
    if (!isBetween(value.length, schema.minItems, schema.maxItems)) return false;
    return schema.uniqueItems !== true || new Set(value.map(canonical)).size === value.length;
  }
  if (!isObject(value)) return true;
  const names = Object.keys(value);
  if (!asStrings(schema.required).every((name) => names.includes(name))) return false;
  return isBetween(names.length, schema.minProperties, schema.maxProperties);
}

const isBetween = (length: number, min: Json | undefined, max: Json | undefined) =>
  !(typeof min === "number" && length < min) && !(typeof max === "number" && length > max);

function ofText(schema: JsonObject, value: string, spent: Search): Proof {
  if (!isBetween([...value].length, schema.minLength, schema.maxLength)) return false;
  const { format, pattern } = schema;
  return every([
    format === undefined ? true : formats[String(format)]?.test(value),
    pattern === undefined ? true : matches(String(pattern), value, spent),
    schema.contentEncoding === undefined && schema.contentMediaType === undefined ? true : undefined,
  ]);
}

/** Formats of texts that a pattern decides. */
const formats: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
};

function ofNumber(schema: JsonObject, value: number): Proof {
  const [max, min] = [limitOf(schema, "max"), limitOf(schema, "min")];
  if (max && (value > max.value || (max.open && value === max.value))) return false;
  if (min && (value < min.value || (min.open && value === min.value))) return false;
  if (schema.format === "int32" && !(Number.isInteger(value) && Math.abs(value + 0.5) < 2 ** 31)) return false;
  if (schema.format === "int64" && !Number.isInteger(value)) return false;
  return typeof schema.multipleOf !== "number" || isMultiple(value, schema.multipleOf);
}

const context: { pattern: string; value: string } & object = { pattern: "", value: "" };
const script = new Script('new RegExp(pattern, "u").test(value)');
const matched = new Map<string, Proof>();
const patienceMs = 250;
/** In steps of a search: five patterns that take too long use up a comparison's. */
const costOfWaiting = 100_000;

/** Without a repeated group, and with at most two parts of any length, a pattern takes at most the square of the text's length. */
const isQuick = (pattern: string, value: string) =>
  value.length <= 1_000 && !/\)[*+?{]|\(\?|\\[1-9k]/.test(pattern) && (pattern.match(/[*+]|,\}/g) ?? []).length <= 2;

/** A document's pattern may take for ever. Only within a context of its own can it be ended. */
function matches(pattern: string, value: string, spent: Search): Proof {
  const key = JSON.stringify([pattern, value]);
  if (matched.has(key)) return matched.get(key);
  if (spent.steps >= spent.most || value.length > 10_000) return undefined;
  let answer: Proof;
  try {
    Object.assign(context, { pattern, value });
    if (isQuick(pattern, value)) answer = new RegExp(pattern, "u").test(value);
    else answer = runPatiently();
  } catch (error) {
    if (!(error instanceof SyntaxError)) search(spent, costOfWaiting);
  }
  if (matched.size > 10_000) matched.clear();
  matched.set(key, answer);
  return answer;
}

/** On a busy machine time passes without a step. A pattern has had its time once it used that of the processor. */
function runPatiently(): boolean {
  for (let timeout = patienceMs; ; timeout *= 2) {
    const began = process.cpuUsage();
    try {
      return script.runInContext(createdContext(), { timeout }) === true;
    } catch (error) {
      const { user, system } = process.cpuUsage(began);
      const hadItsTime = (user + system) / 1_000 >= patienceMs / 2;
      if ((error as { code?: string }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT" || hadItsTime || timeout > 60_000)
        throw error;
    }
  }
}

let created = false;
function createdContext(): object {
  if (!created) createContext(context);
  created = true;
  return context;
}

/** Whether all values of a list fulfil a schema's keywords, taken alone. */
export function allFulfil(values: readonly Json[] | undefined, schema: JsonObject, spent: Search): boolean {
  return (
    values !== undefined &&
    values.length <= mostListed &&
    values.every((value) => ofItself(asObject(schema), value, spent) === true)
  );
}

/** Longer lists are compared by keywords. */
export const mostListed = 2_000;
