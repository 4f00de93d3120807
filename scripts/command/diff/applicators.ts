/** Compares the keywords of JSON Schema that hold other schemas, besides fields, items and unions. */
import { asArray, asStrings, type Json, type JsonObject, sameJson } from "../../document/json.ts";
import { cannotTell, type DocumentComparison, reportMove } from "./comparison.ts";
import type { Move } from "./direction.ts";
import { named } from "./document.ts";
import { identical } from "./identical.ts";
import type { CompareSchemas, SchemaPlace, Spotted } from "./schema-place.ts";
import { isWithin } from "./subset.ts";

type Sides = { c: DocumentComparison; place: SchemaPlace; spot: Spotted; compareSchemas: CompareSchemas };

/** Where a narrower schema allows less. */
const monotone = ["propertyNames", "unevaluatedProperties", "unevaluatedItems", "additionalItems", "contentSchema"];
const byName = ["patternProperties", "dependentSchemas"];

/** The keywords that this compares, but for `not`. */
export const applicators: readonly string[] = [
  ...monotone,
  ...byName,
  ...["contains", "prefixItems", "dependentRequired", "if", "then", "else"],
];

export function compareApplicators(
  compareSchemas: CompareSchemas,
  c: DocumentComparison,
  place: SchemaPlace,
  spot: Spotted,
  before: JsonObject,
  after: JsonObject,
): void {
  const sides: Sides = { c, place, spot, compareSchemas };
  for (const key of monotone) compareOne(sides, key, before[key], after[key]);
  compareContained(sides, before, after);
  comparePatterns(sides, before, after);
  for (const [name, was, is] of bothNamed(before.dependentSchemas, after.dependentSchemas))
    compareOne(sides, `dependentSchemas ${name}`, was, is);
  comparePrefix(sides, before, after);
  compareDependencies(sides, before.dependentRequired, after.dependentRequired);
  compareConditions(sides, before, after);
  compareNot(sides, before.not, after.not);
}

const move = ({ c, place, spot }: Sides, way: Move, what: string) =>
  reportMove(c, way, place.flow, "applicator", { ...spot, where: place.where }, what);

const unclear = ({ c, place, spot }: Sides, what: string) =>
  cannotTell(c, { ...spot, where: place.where, flow: place.flow }, what);

function compareOne(sides: Sides, key: string, was: Json | undefined, is: Json | undefined): void {
  if (sameJson(was, is) && typeof was !== "object") return;
  const { c, place, compareSchemas } = sides;
  if (was !== undefined && is !== undefined) {
    if (was === false && is !== false) move(sides, "wider", `${key} allowed`);
    else if (is === false && was !== false) move(sides, "narrower", `${key} no longer allowed`);
    else compareSchemas(c, { flow: place.flow, where: `${place.where} (${key})` }, was, is);
  } else if (was === undefined && is !== true) move(sides, "narrower", `${key} added`);
  else if (is === undefined && was !== true) move(sides, "wider", `${key} removed`);
}

/** Of an array without items even `contains: true` allows none. With `maxContains`, a narrower schema allows more. */
function compareContained(sides: Sides, before: JsonObject, after: JsonObject): void {
  const [was, is] = [before.contains, after.contains];
  if (was === undefined && is === undefined) return;
  const counts = [before, after].map(({ minContains, maxContains }) => minContains ?? maxContains);
  if (was !== undefined && is !== undefined && equal(sides.c, was, is)) return;
  if (counts.some((count) => count !== undefined))
    unclear(sides, "contains changed, next to minContains or maxContains");
  else if (was === undefined) move(sides, "narrower", "contains added");
  else if (is === undefined) move(sides, "wider", "contains removed");
  else compareOne(sides, "contains", was, is);
}

function* bothNamed(
  was: Json | undefined,
  is: Json | undefined,
): Generator<[string, Json | undefined, Json | undefined]> {
  const [before, after] = [named(was), named(is)];
  for (const name of new Set([...before.keys(), ...after.keys()])) yield [name, before.get(name), after.get(name)];
}

/** A pattern lets fields in where others are closed out, and restricts them where all are allowed. */
function comparePatterns(sides: Sides, before: JsonObject, after: JsonObject): void {
  const { c, place, compareSchemas } = sides;
  for (const [pattern, was, is] of bothNamed(before.patternProperties, after.patternProperties)) {
    const open = [before, after].map((schema) => (schema.additionalProperties ?? true) === true);
    if (was !== undefined && is !== undefined)
      compareSchemas(c, { flow: place.flow, where: `${place.where}.*` }, was, is);
    else if (open.every(Boolean)) move(sides, is === undefined ? "wider" : "narrower", `patternProperties ${pattern}`);
    else unclear(sides, `patternProperties ${pattern} ${is === undefined ? "removed" : "added"}`);
  }
}

function comparePrefix(sides: Sides, before: JsonObject, after: JsonObject): void {
  if (before.prefixItems === undefined && after.prefixItems === undefined) return;
  const { c, place, spot, compareSchemas } = sides;
  const [was, is] = [asArray(before.prefixItems), asArray(after.prefixItems)];
  for (let index = 0; index < Math.max(was.length, is.length); index += 1) {
    const one = index < was.length ? was[index] : before.items;
    const other = index < is.length ? is[index] : after.items;
    const where = `${place.where}[${index}]`;
    // An item that nothing restricts is not compared: a schema that holds itself has no end against it.
    if (isFree(one) && isFree(other)) continue;
    if (isFree(one)) reportMove(c, "narrower", place.flow, "items", { ...spot, where }, "items are now restricted");
    else if (isFree(other))
      reportMove(c, "wider", place.flow, "items", { ...spot, where }, "items are no longer restricted");
    else compareSchemas(c, { flow: place.flow, where }, one, other);
  }
}

const isFree = (schema: Json | undefined) => schema === undefined || schema === true || sameJson(schema, {});

function compareDependencies(sides: Sides, before: Json | undefined, after: Json | undefined): void {
  for (const [name, was, is] of bothNamed(before, after)) {
    const [needed, neededNow] = [asStrings(was), asStrings(is)];
    for (const field of neededNow)
      if (!needed.includes(field)) move(sides, "narrower", `${name} now requires ${field}`);
    for (const field of needed)
      if (!neededNow.includes(field)) move(sides, "wider", `${name} no longer requires ${field}`);
  }
}

/** Under the same condition, its branches compare as schemas do. Another condition sorts values otherwise. */
function compareConditions(sides: Sides, before: JsonObject, after: JsonObject): void {
  const parts = ["if", "then", "else"].map((key) => [before[key], after[key]] as const);
  if (parts.every(([was, is]) => sameJson(was, is)) && parts.every(([was]) => was === undefined)) return;
  const [[condition, conditionNow] = []] = parts;
  if (condition === undefined && conditionNow === undefined) return;
  if (condition === undefined) move(sides, "narrower", "if added");
  else if (conditionNow === undefined) move(sides, "wider", "if removed");
  else if (equal(sides.c, condition, conditionNow)) {
    compareOne(sides, "then", before.then ?? true, after.then ?? true);
    compareOne(sides, "else", before.else ?? true, after.else ?? true);
  } else unclear(sides, "if changed");
}

function equal(c: DocumentComparison, was: Json, is: Json): boolean {
  const [before, after] = [
    { document: c.before, schema: was },
    { document: c.after, schema: is },
  ];
  if (isWithin(before, after, c.search) === true && isWithin(after, before, c.search) === true) return true;
  return identical({ document: c.before, value: was }, { document: c.after, value: is }, c.search);
}

/** What is excluded goes the other way. */
function compareNot(sides: Sides, was: Json | undefined, is: Json | undefined): void {
  if (was === undefined && is === undefined) return;
  if (was === undefined || is === undefined) {
    if (was === undefined) move(sides, "narrower", "not added");
    else move(sides, "wider", "not removed");
    return;
  }
  if (equal(sides.c, was, is)) return;
  const [before, after] = [
    { document: sides.c.before, schema: was },
    { document: sides.c.after, schema: is },
  ];
  const more = isWithin(before, after, sides.c.search);
  const less = isWithin(after, before, sides.c.search);
  if (more === true) move(sides, "narrower", "not excludes more");
  else if (less === true) move(sides, "wider", "not excludes less");
  else unclear(sides, "not changed");
}
