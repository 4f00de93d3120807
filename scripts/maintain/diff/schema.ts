/** Compares two schemas by the values they allow, in the direction in which those values go. */

import { asArray, asObject, type Json, type JsonObject, refOf, resolved, same } from "../../document/json.ts";
import {
  type Comparison,
  compareRest,
  type Flow,
  follow,
  isAccepted,
  isProse,
  report,
  reportRange,
} from "./comparison.ts";
import { constraintMove, constraints, listedValues, typeInWords, typesOf } from "./constraint.ts";
import { compareFields } from "./fields.ts";

const judged = [
  ...constraints,
  ...["type", "enum", "const", "default", "properties", "required", "additionalProperties", "items"],
  ...["allOf", "anyOf", "oneOf"],
];

/** Compares two schemas; an absent one allows anything. @param where the place, in words. */
export function compareSchemas(
  comparison: Comparison,
  flow: Flow,
  where: string,
  before: Json | undefined,
  after: Json | undefined,
): void {
  const [refBefore, refAfter] = [refOf(before), refOf(after)];
  if (refBefore !== undefined && refBefore === refAfter) {
    // Once for the shared schema, and here for the keys next to the reference.
    const both = follow(comparison, flow, where, { $ref: refBefore }, { $ref: refAfter });
    if (both)
      compareExpanded(
        comparison,
        flow,
        both.where,
        expanded(comparison.before, both.before),
        expanded(comparison.after, both.after),
      );
    compareExpanded(
      comparison,
      flow,
      where,
      { ...asObject(before), $ref: undefined },
      { ...asObject(after), $ref: undefined },
    );
    return;
  }
  if (refBefore ?? refAfter) if (!follow(comparison, flow, where, before, after)) return;
  compareExpanded(comparison, flow, where, expanded(comparison.before, before), expanded(comparison.after, after));
}

/** A schema without its outer reference, or the outer `allOf` of one that carries nothing but a description. */
function expanded(document: JsonObject, schema: Json | undefined): JsonObject {
  if (schema === false) return { not: {} };
  const { $ref, ...beside } = asObject(schema);
  const target = $ref === undefined ? single(beside.allOf) : { $ref };
  const rest = $ref === undefined ? { ...beside, allOf: undefined } : beside;
  if (target === undefined) return beside;
  const words = Object.entries(rest).every(
    ([key, value]) => value === undefined || isProse(key) || key === "deprecated",
  );
  const inner = expanded(document, typeof $ref === "string" ? resolved(document, target) : target);
  return words ? { ...inner, ...defined(rest) } : { ...defined(rest), allOf: [...asArray(rest.allOf), inner] };
}

function single(list: Json | undefined): Json | undefined {
  const [first, ...more] = asArray(list);
  return more.length === 0 ? first : undefined;
}

function defined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

function compareExpanded(c: Comparison, flow: Flow, where: string, before: JsonObject, after: JsonObject): void {
  if (!compareTypes(c, flow, where, before, after)) return;
  compareListedValues(c, flow, where, before, after);
  for (const keyword of constraints) {
    const [was, is] = [before[keyword], after[keyword]];
    const move = same(was, is) ? undefined : constraintMove(keyword, was, is);
    const what = is === undefined ? `${keyword} ${was} dropped` : `${keyword} from ${was ?? "none"} to ${is}`;
    if (move === "unclear") report(c, "major", `${where}, in ${flow}`, what);
    else if (move) reportRange(c, move, flow, where, what);
  }
  compareDefaults(c, flow, where, before.default, after.default);
  compareFields(compareSchemas, c, flow, where, before, after);
  if (before.items !== undefined || after.items !== undefined)
    compareSchemas(c, flow, `${where}[]`, before.items, after.items);
  for (const keyword of ["allOf", "anyOf", "oneOf"] as const) compareBranches(c, flow, where, keyword, before, after);
  compareRest(c, where, before, after, judged);
}

/** @returns whether the two have a type in common, without which nothing else is worth comparing. */
function compareTypes(c: Comparison, flow: Flow, where: string, before: JsonObject, after: JsonObject): boolean {
  const [was, is] = [typesOf(before), typesOf(after)];
  const what = `type from ${typeInWords(before)} to ${typeInWords(after)}`;
  const kept = was.filter((type) => is.includes(type));
  if (kept.length === 0) report(c, "major", `${where}, in ${flow}`, what);
  else {
    if (kept.length < was.length) reportRange(c, "narrower", flow, where, what);
    if (kept.length < is.length) reportRange(c, "wider", flow, where, what);
  }
  return kept.length > 0;
}

/** The contract promises that values are only added, and asks its readers to pass over those they do not know. */
function compareListedValues(c: Comparison, flow: Flow, where: string, before: JsonObject, after: JsonObject): void {
  const [was, is] = [listedValues(before), listedValues(after)];
  if (was && is) {
    const gone = was.filter((value) => !is.some((one) => same(one, value)));
    const more = is.filter((value) => !was.some((one) => same(one, value)));
    const place = `${where}, in ${flow}`;
    if (gone.length > 0)
      report(c, "major", place, `value ${gone.map((one) => JSON.stringify(one)).join(", ")} removed`);
    if (more.length > 0) report(c, "minor", place, `value ${more.map((one) => JSON.stringify(one)).join(", ")} added`);
  } else if (was) reportRange(c, "wider", flow, where, "values are no longer listed");
  else if (is)
    reportRange(c, "narrower", flow, where, `only ${is.map((one) => JSON.stringify(one)).join(", ")} allowed`);
}

/** A default that the service reads is behaviour: a client that omits the value gets another one. */
function compareDefaults(
  c: Comparison,
  flow: Flow,
  where: string,
  before: Json | undefined,
  after: Json | undefined,
): void {
  if (same(before, after)) return;
  const rating = !isAccepted(flow) ? "patch" : before === undefined ? "minor" : "major";
  const [was, is] = [before, after].map((one) => (one === undefined ? "none" : JSON.stringify(one)));
  report(c, rating, `${where}, in ${flow}`, `default from ${was} to ${is}`);
}

function compareBranches(
  c: Comparison,
  flow: Flow,
  where: string,
  keyword: "allOf" | "anyOf" | "oneOf",
  before: JsonObject,
  after: JsonObject,
): void {
  const [was, is] = [asArray(before[keyword]), asArray(after[keyword])];
  const gone = was.filter((branch) => !is.some((one) => same(one, branch)));
  const more = is.filter((branch) => !was.some((one) => same(one, branch)));
  for (const branch of was)
    if (!gone.includes(branch)) compareSchemas(c, flow, `${where} (${keyword})`, branch, branch);
  if (gone.length === more.length) {
    for (const [index, branch] of gone.entries()) compareSchemas(c, flow, `${where} (${keyword})`, branch, more[index]);
    return;
  }
  // A list that appears or goes is itself a limit; a branch more is a limit under allOf, and freedom under the others.
  const limits = keyword === "allOf" || was.length === 0 || is.length === 0;
  if (more.length > 0) reportRange(c, limits ? "narrower" : "wider", flow, where, `${keyword} has ${more.length} more`);
  if (gone.length > 0)
    reportRange(c, limits ? "wider" : "narrower", flow, where, `${keyword} has ${gone.length} fewer`);
}
