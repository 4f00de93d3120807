/** Compares two schemas by the values they allow, in the direction in which those values go. */
import { asObject, type Json, type JsonObject, refOf, sameJson } from "../../document/json.ts";
import { applicators, compareApplicators } from "./applicators.ts";
import { branchKeywords, compareBranches } from "./branches.ts";
import { canonical } from "./canonical.ts";
import {
  cannotTell,
  compareRest,
  countPair,
  type DocumentComparison,
  incomplete,
  later,
  nameOf,
  reportFinding,
  reportKinds,
  reportMove,
} from "./comparison.ts";
import {
  constraintMove,
  constraints,
  constraintType,
  listedValues,
  listSameTypes,
  typeInWords,
  typesOf,
} from "./constraint.ts";
import { compareDefaults } from "./defaults.ts";
import type { Move } from "./direction.ts";
import { type Document, target } from "./document.ts";
import { compareFields } from "./fields.ts";
import type { Flow } from "./finding.ts";
import { flatten } from "./flatten.ts";
import { compareNothing } from "./nothing.ts";
import { limitInWords, limitMove, limitOf } from "./range.ts";
import type { SchemaPlace, Spotted } from "./schema-place.ts";
import { concerns, isNothing } from "./subset.ts";
import { compareSunsets, sunsetKey } from "./sunset.ts";
import { asUnions } from "./unions.ts";
import { allFulfil, allows, mostListed } from "./values.ts";

const judged = [
  ...constraints,
  ...branchKeywords,
  ...applicators,
  ...["type", "enum", "const", "default", "properties", "required", "additionalProperties", "items", "not", "allOf"],
  ...["readOnly", "writeOnly", "$defs", "definitions", "$id", "$anchor", "$schema", sunsetKey],
];

/** Compares two schemas; an absent one allows anything. */
export function compareSchemas(
  c: DocumentComparison,
  place: SchemaPlace,
  before: Json | undefined,
  after: Json | undefined,
): void {
  if (before === undefined && after === undefined) return;
  const [refBefore, refAfter] = [refOf(before), refOf(after)];
  const { flow, where } = place;
  if (refBefore === undefined && refAfter === undefined) {
    compareHere(c, place, before, after);
    return;
  }
  const [beside, besideNow] = [besideRef(c.before.is30, before), besideRef(c.after.is30, after)];
  const [one, other] = [refBefore ?? `${where}=`, refAfter ?? `${where}=`];
  const bare = Object.keys(beside).length + Object.keys(besideNow).length === 0;
  const key = `${flow} schema ${place.omittable === false} ${one} ${other}${bare ? "" : ` ${JSON.stringify([beside, besideNow])}`}`;
  if (refBefore === undefined || refAfter === undefined) {
    // What is written out on one side ends, and so does this. Once for each place is enough.
    if (c.seen.has(key)) return;
    c.seen.add(key);
    compareHere(c, place, before, after);
    return;
  }
  const shared = bare && refBefore === refAfter;
  const nothing = refBefore === refAfter && c.unchanged.has(refBefore) && sameJson(beside, besideNow);
  const there = shared ? { ...place, where: nameOf(refBefore) } : place;
  if (!nothing || beside[sunsetKey] !== undefined) later(c, key, () => compareHere(c, there, before, after));
  // The words next to a reference are those of the place.
  if (bare) compareRest(c, { where, before, after }, wordsOf(before), wordsOf(after), []);
}

/** What restricts next to a reference; in OpenAPI 3.0 nothing does. */
function besideRef(is30: boolean, schema: Json | undefined): JsonObject {
  if (is30 || refOf(schema) === undefined) return {};
  const { $ref, summary, title, description, example, examples, externalDocs, $comment, ...rest } = asObject(schema);
  return Object.fromEntries(Object.entries(rest).filter(([key]) => !key.startsWith("x-") || key === sunsetKey));
}

function wordsOf(schema: Json | undefined): JsonObject {
  const { $ref, ...words } = asObject(schema);
  return words;
}

function compareHere(c: DocumentComparison, place: SchemaPlace, was: Json | undefined, is: Json | undefined): void {
  const { flow, where } = place;
  const [before, after] = [flatten(c.before, was), flatten(c.after, is)];
  if (!countPair(c, before, after)) return;
  // For the line of a finding: the flattened schema is no part of the document.
  const spot = { where, before: written(c.before, was), after: written(c.after, is) };
  if (c.depth >= c.limits.depth) {
    incomplete(c, { ...spot, flow }, `compared only to a depth of ${c.limits.depth}`);
    return;
  }
  c.depth += 1;
  const [union, unionNow] = asUnions(before, after, judged);
  if (isNothing(before) || isNothing(after)) compareNothing(c, flow, spot, isNothing(before), isNothing(after));
  else if (union && unionNow) {
    compareBranches(compareSchemas, c, place, spot, union, unionNow);
    compareDefaults(c, place, spot, before.default, after.default);
    compareSunsets(c, { where, flow, before: spot.before, after: spot.after }, before, after);
  } else compareValues(c, place, spot, before, after);
  c.depth -= 1;
}

/** The schema in the document: that which a reference leads to, unless something stands next to the reference. */
function written(document: Document, schema: Json | undefined): Json | undefined {
  const object = asObject(schema);
  return typeof object.$ref === "string" && Object.keys(object).length === 1 ? target(document, object.$ref) : schema;
}

function compareValues(
  c: DocumentComparison,
  place: SchemaPlace,
  spot: Spotted,
  before: JsonObject,
  after: JsonObject,
): void {
  const { flow, where } = place;
  if (!compareTypes(c, flow, spot, before, after)) return;
  compareListedValues(c, flow, spot, before, after);
  const isDecided = compareRefused(c, flow, spot, before, after);
  if (!isDecided) compareLimits(c, flow, spot, before, after);
  compareDefaults(c, place, spot, before.default, after.default);
  if (!isDecided) {
    compareFields(compareSchemas, c, flow, spot, before, after);
    compareItems(c, place, spot, before.items, after.items);
    compareApplicators(compareSchemas, c, place, spot, before, after);
    compareBranches(compareSchemas, c, place, spot, before, after);
  }
  compareSunsets(c, { where, flow, before: spot.before, after: spot.after }, before, after);
  compareRest(c, { ...spot, where }, before, after, judged, flow);
}

/**
 * Reports the listed values that the other side refuses by more than its list. Keywords, compared alone, miss them: of a field that only one side
 * names they say that it was added, though a listed value holds something else there.
 *
 * @returns whether all listed values could be decided: then nothing but the lists matters
 */
function compareRefused(
  c: DocumentComparison,
  flow: Flow,
  spot: Spotted,
  before: JsonObject,
  after: JsonObject,
): boolean {
  const sides = [
    { document: c.before, schema: before },
    { document: c.after, schema: after },
  ] as const;
  const [was, is] = sides.map(({ schema }) => listedValues(schema));
  if (!was && !is) return false;
  const [gone, more] = [refused(c, ...sides), refused(c, sides[1], sides[0])];
  const reportAs = was && is ? reportKinds : reportMove;
  if (gone.values.length > 0)
    reportAs(c, "narrower", flow, "enum", spot, `value ${list(gone.values)} no longer allowed`);
  if (more.values.length > 0) reportAs(c, "wider", flow, "enum", spot, `value ${list(more.values)} allowed now`);
  return gone.isDecided && more.isDecided;
}

type Side = { document: Document; schema: JsonObject };

/** The values that `one` lists and allows, and `other` refuses. That its list lacks them, or its type, is reported as such. */
function refused(c: DocumentComparison, one: Side, other: Side): { values: Json[]; isDecided: boolean } {
  const values = listedValues(one.schema) ?? [];
  if (values.length > mostListed) return { values: [], isDecided: false };
  const { enum: _, ...others } = other.schema;
  const answers = values.map((value) => allows(other.document, others, value, c.search));
  const unlisted = new Set(without(values, listedValues(other.schema) ?? values));
  return {
    values: values.filter(
      (value, index) =>
        answers[index] === false &&
        !unlisted.has(value) &&
        typesOf(other.schema).includes(constraintType(value)) &&
        allows(one.document, one.schema, value, c.search) !== false,
    ),
    isDecided: !answers.includes(undefined),
  };
}

function compareItems(
  c: DocumentComparison,
  place: SchemaPlace,
  spot: Spotted,
  was: Json | undefined,
  is: Json | undefined,
): void {
  const where = `${place.where}[]`;
  if (was !== undefined && is !== undefined) compareSchemas(c, { flow: place.flow, where }, was, is);
  else if (was !== undefined && !sameJson(was, {}) && was !== true)
    reportMove(c, "wider", place.flow, "items", { ...spot, where }, "items are no longer restricted");
  else if (is !== undefined && !sameJson(is, {}) && is !== true)
    reportMove(c, "narrower", place.flow, "items", { ...spot, where }, "items are now restricted");
}

/** @returns whether the two have a type in common, without which nothing else is worth comparing. */
function compareTypes(
  c: DocumentComparison,
  flow: Flow,
  spot: Spotted,
  before: JsonObject,
  after: JsonObject,
): boolean {
  const [was, is] = [typesIn(before, after), typesIn(after, before)];
  const what = `type from ${typeInWords(before)} to ${typeInWords(after)}`;
  const kept = was.filter((type) => is.includes(type));
  if (kept.length > 0 && listSameTypes(before, after)) return true;
  if (kept.length === 0 && was.length + is.length > 0)
    reportFinding(c, "type", { ...spot, flow }, what, {
      level: "breaking",
      breaks: flow === "requests" || flow === "responses" ? ["clients"] : ["receivers"],
      why: "No value fits both documents.",
    });
  else {
    if (kept.length < was.length) reportMove(c, "narrower", flow, "type", spot, what);
    if (kept.length < is.length) reportMove(c, "wider", flow, "type", spot, what);
  }
  return kept.length > 0;
}

/** A list says of which types its values are, where no type is stated and the other side states one. */
function typesIn(schema: JsonObject, other: JsonObject): string[] {
  const values = schema.type === undefined && other.type !== undefined ? listedValues(schema) : undefined;
  return values && values.length > 0 ? [...new Set(values.map(constraintType))] : typesOf(schema);
}

/** Of booleans and null a type lists all, which matters only next to a list. */
function valuesOf(schema: JsonObject, other: JsonObject): readonly Json[] | undefined {
  const values = listedValues(schema);
  const types = typesOf(schema);
  if (values || !listedValues(other) || !types.every((type) => type === "boolean" || type === "null")) return values;
  return types.flatMap((type) => (type === "null" ? [null] : [true, false]));
}

function compareListedValues(
  c: DocumentComparison,
  flow: Flow,
  spot: Spotted,
  before: JsonObject,
  after: JsonObject,
): void {
  const [was, is] = [valuesOf(before, after), valuesOf(after, before)];
  if (was && is) {
    const [gone, more] = [without(was, is), without(is, was)];
    if (gone.length > 0) reportKinds(c, "narrower", flow, "enum", spot, `value ${list(gone)} removed`);
    if (more.length > 0) reportKinds(c, "wider", flow, "enum", spot, `value ${list(more)} added`);
  } else if (was) reportMove(c, "wider", flow, "enum", spot, "values are no longer listed");
  else if (is) reportMove(c, "narrower", flow, "enum", spot, `only ${list(is)} allowed`);
}

/** The values of a list that another one lacks. */
function without(list: readonly Json[], other: readonly Json[]): Json[] {
  const texts = new Set(other.map(canonical));
  return list.filter((value) => !texts.has(canonical(value)));
}

/** A list of thousands is shown by its beginning. */
function list(values: readonly Json[]): string {
  const shown = values.slice(0, 10).map((one) => shortened(JSON.stringify(one)));
  return shown.join(", ") + (values.length > 10 ? ` and ${values.length - 10} more` : "");
}

const shortened = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

function compareLimits(c: DocumentComparison, flow: Flow, spot: Spotted, before: JsonObject, after: JsonObject): void {
  const types = typesOf(before).filter((type) => typesOf(after).includes(type));
  const [listed, listedNow] = [listedValues(before), listedValues(after)];
  /** What a list implies is neither gone nor new. */
  const isImplied = (move: Move, keywords: readonly string[]) => {
    const [values, by] = move === "wider" ? [listedNow, before] : [listed, after];
    const alone = Object.fromEntries(keywords.map((keyword) => [keyword, by[keyword]]));
    return allFulfil(values, { ...alone, type: by.type }, c.search);
  };
  if (types.includes("integer") || types.includes("fraction"))
    for (const end of ["max", "min"] as const) {
      const [was, is] = [limitOf(before, end), limitOf(after, end)];
      const move = limitMove(was, is, end);
      const what = `${end}imum from ${limitInWords(was)} to ${limitInWords(is)}`;
      if (move && !isImplied(move, [`${end}imum`, `exclusive${end === "max" ? "Max" : "Min"}imum`]))
        reportMove(c, move, flow, "limit", spot, what);
    }
  for (const keyword of constraints) {
    const [was, is] = [before[keyword], after[keyword]];
    if (/imum$/i.test(keyword) || sameJson(was, is) || !concerns(keyword, types)) continue;
    const move = constraintMove(keyword, was, is);
    const text = (value: Json | undefined) => (value === undefined ? "none" : shortened(String(value)));
    const what = `${keyword} from ${text(was)} to ${text(is)}`;
    const isListed = (["wider", "narrower"] as const).every((way) => isImplied(way, [keyword]));
    if (move === "unclear" && !isListed) cannotTell(c, { ...spot, flow }, what);
    else if (move && move !== "unclear" && !isImplied(move, [keyword]))
      reportMove(c, move, flow, keyword === "pattern" || keyword === "format" ? keyword : "limit", spot, what);
  }
}
