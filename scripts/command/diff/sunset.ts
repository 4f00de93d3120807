/**
 * Removals that were announced: `deprecated: true`, and a day from which on the thing may be gone, as `x-sunset` or as the value of
 * a documented `Sunset` header (RFC 8594).
 */
import { asArray, type Json, type JsonObject, sameJson } from "../../document/json.ts";
import { cannotTell, type DocumentComparison, type DocumentPlace, reportFinding } from "./comparison.ts";
import { type Document, dereferenced, named } from "./document.ts";
import type { DiffVerdict } from "./finding.ts";
import type { RuleName } from "./rules.ts";

export const sunsetKey = "x-sunset";

/** A day as YYYY-MM-DD; undefined for what is no date. Takes ISO 8601 and the dates of HTTP. */
export function dayOf(value: Json | undefined): string | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d|^[A-Z][a-z]{2}, \d\d /.test(value)) return undefined;
  const time = Date.parse(value);
  if (Number.isNaN(time)) return undefined;
  const day = new Date(time).toISOString().slice(0, 10);
  // Date.parse takes February 30 for March 1.
  return /^\d{4}-\d\d-\d\d$/.test(value) && value !== day ? undefined : day;
}

/** What was announced of a thing: its `x-sunset`, as it is written. */
const announced = (thing: JsonObject): Json | undefined => thing[sunsetKey];

/** An operation with the day of its `Sunset` header as `x-sunset`, unless it has one. */
export function withSunsetHeader(document: Document, operation: JsonObject): JsonObject {
  if (operation[sunsetKey] !== undefined) return operation;
  for (const response of named(operation.responses).values())
    for (const [name, one] of named(dereferenced(document, response).headers)) {
      if (name.toLowerCase() !== "sunset") continue;
      const header = dereferenced(document, one);
      const schema = dereferenced(document, header.schema);
      const examples = [...named(header.examples).values()].map((example) => dereferenced(document, example).value);
      const values = [
        schema.const,
        asArray(schema.enum)[0],
        schema.default,
        header.example,
        schema.example,
        ...examples,
      ];
      const day = values.map(dayOf).find((one) => one !== undefined);
      if (day !== undefined) return { ...operation, [sunsetKey]: day };
    }
  return operation;
}

/** Reports that something is gone. It breaks nobody if it was deprecated and its day has passed. */
export function reportRemoval(
  c: DocumentComparison,
  rule: RuleName,
  place: DocumentPlace,
  what: string,
  thing: JsonObject,
  verdict: DiffVerdict,
): void {
  const { today } = c.judging;
  const [written, day] = [announced(thing), dayOf(announced(thing))];
  const deprecated = thing.deprecated === true;
  if (deprecated && day !== undefined && day < today) {
    const why = "It was deprecated, and its sunset date has passed.";
    reportFinding(c, rule, place, `${what}, as announced: its last day was ${day}`, { level: "info", breaks: [], why });
    return;
  }
  const note = deprecated
    ? day !== undefined
      ? ` before its sunset date, ${day}, has passed`
      : written !== undefined
        ? `, deprecated, with a sunset date that is no date: ${JSON.stringify(written)}`
        : ", deprecated, without a sunset date"
    : day !== undefined
      ? `, with the sunset date ${day}, but never deprecated`
      : "";
  reportFinding(c, rule, place, what + note, verdict);
}

/** Compares the days that two versions announce. An earlier one takes back what was promised. */
export function compareSunsets(
  c: DocumentComparison,
  place: DocumentPlace,
  before: JsonObject,
  after: JsonObject,
): void {
  const [was, is] = [announced(before), announced(after)];
  if (is !== undefined && dayOf(is) === undefined)
    cannotTell(c, place, `sunset date ${JSON.stringify(is)} is no date: write YYYY-MM-DD`);
  if (sameJson(was, is)) return;
  const [day, dayNow] = [dayOf(was), dayOf(is)];
  const what = `sunset date from ${day ?? "none"} to ${dayNow ?? "none"}`;
  if (day !== undefined && dayNow !== undefined && dayNow < day)
    reportFinding(c, "sunset", place, what, {
      level: "breaking",
      breaks: ["clients"],
      why: "Whoever planned by the day that was announced has less time.",
    });
  else if (day !== dayNow)
    reportFinding(c, "sunset", place, what, {
      level: "info",
      bump: dayNow ? "minor" : "patch",
      why: "It announces, and removes nothing.",
    });
}
