/**
 * Whether every value that one schema allows is allowed by another: true, false, or undefined where it cannot be decided.
 * It decides what a change of `oneOf`, `anyOf`, `not` and the like does, for which comparing word by word is not enough.
 */
import { asArray, asStrings, isObject, type Json, type JsonObject, refOf, sameJson } from "../../document/json.ts";
import { typeOfKeyword } from "../../document/keywords.ts";
import { canonical } from "./canonical.ts";
import { isProse } from "./comparison.ts";
import { constraintMove, constraints, listedValues, typesOf } from "./constraint.ts";
import { type Document, named } from "./document.ts";
import { flatten } from "./flatten.ts";
import { identical } from "./identical.ts";
import { search as count, type Search as Spent } from "./limits.ts";
import { limitMove, limitOf } from "./range.ts";
import { allows, every, type Proof } from "./values.ts";

/** A schema and the document it is in. */
export type Schema = { document: Document; schema: Json | undefined };

/** Pairs that are assumed to hold while they are looked at, and those that were found not to. */
type Search = { assumed: Set<string>; failed: Map<string, Proof>; steps: number; depth: number; spent: Spent };

const mostSteps = 2_000;

/** Whether each value of `inner` is one of `outer`. @param spent what all searches of the comparison have cost */
export function isWithin(inner: Schema, outer: Schema, spent: Spent = { steps: 0, most: mostSteps }): Proof {
  return within({ assumed: new Set(), failed: new Map(), steps: 0, depth: 0, spent }, inner, outer);
}

function within(search: Search, inner: Schema, outer: Schema): Proof {
  search.steps += 1;
  if (search.steps > mostSteps || search.depth > 40 || !count(search.spent, 1 + search.assumed.size)) return undefined;
  const key = keyOf(inner, outer);
  const assumedBefore = [...search.assumed];
  if (key !== undefined) {
    // A schema that holds itself is within another unless something else speaks against it.
    if (search.assumed.has(key)) return true;
    if (search.failed.has(key)) return search.failed.get(key);
    search.assumed.add(key);
  }
  search.depth += 1;
  const [a, b] = [flatten(inner.document, inner.schema), flatten(outer.document, outer.schema)];
  const answer = withinFlat(search, inner.document, a, outer.document, b);
  search.depth -= 1;
  // What does not hold must not be assumed elsewhere, nor what was concluded from it.
  if (answer !== true) search.assumed = new Set(assumedBefore);
  // An assumption only ever speaks for it.
  if (answer !== true && key !== undefined) search.failed.set(key, answer);
  return answer;
}

/** Two references, with the keywords next to them. */
function keyOf(inner: Schema, outer: Schema): string | undefined {
  if (refOf(inner.schema) === undefined || refOf(outer.schema) === undefined) return undefined;
  return canonical([inner.document.name, inner.schema ?? null, outer.document.name, outer.schema ?? null]);
}

const words = [
  "default",
  "deprecated",
  "discriminator",
  "readOnly",
  "writeOnly",
  "xml",
  "$id",
  "$anchor",
  "$schema",
  "$defs",
];
const plain = [
  ...[...constraints, "type", "enum", "const", "properties", "required", "additionalProperties", "items"],
  ...words,
];
const isPlain = (schema: JsonObject) =>
  Object.keys(schema).every((key) => plain.includes(key) || isProse(key) || schema[key] === undefined);

/** Whether a flattened schema allows no value: `false` is flattened to `not: {}`. */
export const isNothing = (schema: JsonObject): boolean => isObject(schema.not) && Object.keys(schema.not).length === 0;

function withinFlat(search: Search, of: Document, a: JsonObject, by: Document, b: JsonObject): Proof {
  if (isNothing(a) || Object.keys(b).every((key) => words.includes(key) || isProse(key))) return true;
  const values = listedValues(a);
  if (values && values.length > mostSteps) return undefined;
  if (values) return every(values.map((value) => valueWithin(search, of, a, by, b, value)));
  const branches = onlyBranches(a);
  if (branches)
    return every(
      branches.map((branch) => within(search, { document: of, schema: branch }, { document: by, schema: b })),
    );
  const { anyOf, oneOf, allOf, ...rest } = b;
  const parts: Proof[] = asArray(allOf).map((part) =>
    within(search, { document: of, schema: a }, { document: by, schema: part }),
  );
  const isShared = (key: string) =>
    identical({ document: of, value: a[key] }, { document: by, value: b[key] }, search.spent);
  if (anyOf !== undefined && !isShared("anyOf")) parts.push(some(branchAnswers(search, of, a, by, anyOf)));
  if (oneOf !== undefined && !isShared("oneOf")) parts.push(exactlyOne(search, of, a, by, oneOf));
  // What `b` asks for in words that only comparing can judge must be asked for by `a` in the same words.
  for (const key of Object.keys(rest))
    if (!plain.includes(key) && !isProse(key) && !isShared(key)) parts.push(undefined);
  parts.push(withinPlain(search, of, a, by, b));
  return every(parts);
}

function onlyBranches(schema: JsonObject): Json[] | undefined {
  const keys = Object.keys(schema).filter((key) => !words.includes(key) && !isProse(key));
  const [only, ...more] = keys;
  return more.length === 0 && (only === "anyOf" || only === "oneOf") ? asArray(schema[only]) : undefined;
}

const branchAnswers = (search: Search, of: Document, a: JsonObject, by: Document, branches: Json) =>
  asArray(branches).map((branch) => within(search, { document: of, schema: a }, { document: by, schema: branch }));

/** A union may hold all of `a` though no branch does. */
const some = (answers: Proof[]): Proof => (answers.includes(true) ? true : undefined);

/** Within one branch, and without a type in common with the others. */
function exactlyOne(search: Search, of: Document, a: JsonObject, by: Document, branches: Json): Proof {
  const answers = branchAnswers(search, of, a, by, branches);
  const others = asArray(branches).filter((_, index) => answers[index] !== true);
  if (others.length !== answers.length - 1) return undefined;
  const types = typesOf(a);
  return others.every((branch) => !typesOf(flatten(by, branch)).some((type) => types.includes(type)))
    ? true
    : undefined;
}

/** Whether a keyword says anything of values of these types. */
export function concerns(keyword: string, types: readonly string[]): boolean {
  const type = typeOfKeyword(keyword);
  return type === undefined || types.includes(type) || (type === "integer" && types.includes("fraction"));
}

function withinPlain(search: Search, of: Document, a: JsonObject, by: Document, b: JsonObject): Proof {
  const types = typesOf(a);
  const answers: Proof[] = [];
  const certain = isPlain(a) && (Object.keys(a).length === 0 || listedValues(a) === undefined);
  /** A `false` holds only where `a` has the values that speak against it. */
  const no: Proof = certain ? false : undefined;
  if (types.some((type) => !typesOf(b).includes(type))) answers.push(no);
  if (listedValues(b) && !sameJson(listedValues(b), listedValues(a)))
    answers.push(types.length === 1 && types[0] === "boolean" ? undefined : no);
  for (const end of ["max", "min"] as const)
    if (
      types.some((type) => type === "integer" || type === "fraction") &&
      limitMove(limitOf(a, end), limitOf(b, end), end) === "narrower"
    )
      answers.push(no);
  for (const keyword of constraints) {
    if (/imum$/i.test(keyword) || sameJson(a[keyword], b[keyword]) || !concerns(keyword, types)) continue;
    const move = constraintMove(keyword, a[keyword], b[keyword]);
    if (move === "narrower") answers.push(no);
    if (move === "unclear") answers.push(undefined);
  }
  if (types.includes("object")) answers.push(...fieldsWithin(search, of, a, by, b, no));
  if (types.includes("array") && b.items !== undefined)
    answers.push(soften(within(search, { document: of, schema: a.items }, { document: by, schema: b.items }), no));
  return every(answers);
}

/** Inside an array or a field, a value that speaks against it need not exist. */
const soften = (answer: Proof, no: Proof): Proof => (answer === false ? no : answer);

function fieldsWithin(search: Search, of: Document, a: JsonObject, by: Document, b: JsonObject, no: Proof): Proof[] {
  const [fields, fieldsOuter] = [named(a.properties), named(b.properties)];
  const required = new Set(asStrings(a.required));
  const answers: Proof[] = asStrings(b.required).map((name) => (required.has(name) ? true : no));
  const schemaIn = (schema: JsonObject, of: Map<string, Json>, name: string) =>
    of.get(name) ?? schema.additionalProperties ?? true;
  for (const name of new Set([...fields.keys(), ...fieldsOuter.keys()]))
    answers.push(
      soften(
        within(
          search,
          { document: of, schema: schemaIn(a, fields, name) },
          { document: by, schema: schemaIn(b, fieldsOuter, name) },
        ),
        no,
      ),
    );
  const [others, othersOuter] = [a.additionalProperties ?? true, b.additionalProperties ?? true];
  answers.push(soften(within(search, { document: of, schema: others }, { document: by, schema: othersOuter }), no));
  return answers;
}

/** Whether a listed value that `a` allows is allowed by `b`. */
function valueWithin(search: Search, of: Document, a: JsonObject, by: Document, b: JsonObject, value: Json): Proof {
  const allowed = allows(by, b, value, search.spent);
  if (allowed !== false) return allowed;
  const isThere = allows(of, a, value, search.spent);
  return isThere === undefined ? undefined : !isThere;
}
