/** What a comparison of two contracts has found so far, and how a finding is rated by the way the data goes. */
import { asObject, type Json, type JsonObject, keysOf, pointedAt, refOf, resolved, same } from "../../document/json.ts";

/** By how much a version must grow: `major` breaks somebody, `minor` adds, `patch` changes only words. */
export type Rating = "major" | "minor" | "patch";

/** Who sends the data, and so whom a change of it can break. */
export type Flow = "requests" | "answers" | "notifications" | "acknowledgements";

/** One difference between two contracts, in words. */
export type Change = { rating: Rating; where: string; what: string };

/** Two contracts under comparison, what was found, and which shared components were compared already. */
export type Comparison = { before: JsonObject; after: JsonObject; changes: Change[]; compared: Set<string> };

const ratings: readonly Rating[] = ["patch", "minor", "major"];

/** The highest rating among changes; undefined when there are none. */
export function total(changes: readonly Change[]): Rating | undefined {
  return ratings.findLast((rating) => changes.some((change) => change.rating === rating));
}

/** Records a finding, once. */
export function report(comparison: Comparison, rating: Rating, where: string, what: string): void {
  const known = comparison.changes.some((one) => one.rating === rating && one.where === where && one.what === what);
  if (!known) comparison.changes.push({ rating, where, what });
}

/** Whether the service is the one who reads it. */
export function isAccepted(flow: Flow): boolean {
  return flow === "requests" || flow === "acknowledgements";
}

/**
 * Records that fewer (`narrower`) or more (`wider`) values are allowed than before. Accepting less and sending more break;
 * accepting more and promising more do not.
 */
export function reportRange(
  comparison: Comparison,
  range: "narrower" | "wider",
  flow: Flow,
  where: string,
  what: string,
): void {
  const breaks = isAccepted(flow) === (range === "narrower");
  report(comparison, breaks ? "major" : "minor", `${where}, in ${flow}`, what);
}

/**
 * Both sides of something that may stand behind a reference. Where both refer to the same shared component, it takes over as
 * the place, and `undefined` if it was compared before for this flow.
 */
export function follow(
  comparison: Comparison,
  flow: Flow,
  where: string,
  before: Json | undefined,
  after: Json | undefined,
): { before: JsonObject; after: JsonObject; where: string } | undefined {
  const [refBefore, refAfter] = [refOf(before), refOf(after)];
  const shared = refBefore !== undefined && refBefore === refAfter;
  if (refBefore ?? refAfter) {
    // Two references need comparing once, or a schema that holds itself would never end; what is written out has only a place.
    const key = `${flow} ${refBefore} ${refAfter}${refBefore && refAfter ? "" : ` ${where}`}`;
    if (comparison.compared.has(key)) return undefined;
    comparison.compared.add(key);
  }
  return {
    before: resolved(comparison.before, before),
    after: resolved(comparison.after, after),
    where: shared ? (refBefore.split("/").at(-1) ?? where) : where,
  };
}

const prose = new Set(["title", "summary", "description", "example", "examples", "externalDocs", "tags", "$comment"]);

/** Whether a key says something to people only. */
export function isProse(key: string): boolean {
  return prose.has(key) || key.startsWith("x-");
}

/**
 * Compares the keys that no other rule compares. Words and examples are patches. Of anything else that differs nobody knows
 * what it does, and so it is a major change: a gate must not let pass what it does not understand.
 */
export function compareRest(
  comparison: Comparison,
  where: string,
  before: JsonObject,
  after: JsonObject,
  judged: readonly string[],
): void {
  for (const key of keysOf(before, after)) {
    if (judged.includes(key) || sameUnreferenced(comparison, before[key], after[key])) continue;
    if (isProse(key)) report(comparison, "patch", where, `${key} changed`);
    else if (key === "deprecated")
      report(
        comparison,
        after[key] === true ? "minor" : "patch",
        where,
        after[key] === true ? "deprecated" : "no longer deprecated",
      );
    else report(comparison, "major", where, `${key} changed, which this comparison does not judge`);
  }
}

/** The same once examples that stand behind references are looked up. */
function sameUnreferenced(comparison: Comparison, before: Json | undefined, after: Json | undefined): boolean {
  return same(inlined(comparison.before, before), inlined(comparison.after, after));
}

function inlined(document: JsonObject, value: Json | undefined): Json | undefined {
  const entries = Object.entries(asObject(value));
  if (!entries.some(([, one]) => refOf(one))) return value;
  return Object.fromEntries(
    entries.map(([key, one]) => {
      const ref = refOf(one);
      return [key, ref ? pointedAt(document, ref) : one];
    }),
  );
}
