/** Compares the branches of `oneOf` and `anyOf`, what is left of `allOf`, and discriminators. */
import { asArray, asObject, type Json, type JsonObject, refOf } from "../../document/json.ts";
import { canonical } from "./canonical.ts";
import { cannotTell, type DocumentComparison, nameOf, reportKinds, reportMove } from "./comparison.ts";
import { listedValues, typesOf } from "./constraint.ts";
import { compareDiscriminators, valuesOfBranches } from "./discriminator.ts";
import { areDisjoint } from "./disjoint.ts";
import { type Document, named } from "./document.ts";
import { constAsList, flatten, withoutRepetition } from "./flatten.ts";
import { identical } from "./identical.ts";
import { canSearch, search } from "./limits.ts";
import type { CompareSchemas, SchemaPlace, Spotted } from "./schema-place.ts";
import { isWithin } from "./subset.ts";

type Union = "anyOf" | "oneOf";

/** The keywords that this compares. */
export const branchKeywords = ["anyOf", "oneOf", "discriminator"];

export function compareBranches(
  compareSchemas: CompareSchemas,
  c: DocumentComparison,
  place: SchemaPlace,
  spot: Spotted,
  before: JsonObject,
  after: JsonObject,
): void {
  compareParts(compareSchemas, c, place, spot, before, after);
  const [was, is] = [unionsOf(before), unionsOf(after)];
  if (was.length === 1 && is.length === 1) {
    const [one, other] = [was[0] ?? "oneOf", is[0] ?? "oneOf"];
    if (one !== other && asArray(before[one]).length > 1)
      decide(c, place, spot, before, after, `${one} became ${other}`);
    else
      compareUnion(compareSchemas, c, place, spot, other, before, after, asArray(before[one]), asArray(after[other]));
  } else if (was.length > 0 || is.length > 0) {
    const names = (unions: readonly Union[]) => unions.join(" and ") || "no union";
    const sides = [
      { document: c.before, value: pick(before) },
      { document: c.after, value: pick(after) },
    ] as const;
    if (!identical(...sides, c.search)) decide(c, place, spot, before, after, `${names(was)} became ${names(is)}`);
  }
  compareDiscriminators(c, place, spot, before, after);
}

const unionsOf = (schema: JsonObject) => (["anyOf", "oneOf"] as const).filter((key) => schema[key] !== undefined);
const pick = ({ anyOf, oneOf }: JsonObject) => [anyOf, oneOf].map((one) => one ?? null);

/** Compares wholes where their parts cannot be paired. */
function decide(
  c: DocumentComparison,
  { flow, where }: SchemaPlace,
  spot: Spotted,
  before: JsonObject,
  after: JsonObject,
  what: string,
): void {
  const narrower = isWithin({ document: c.before, schema: before }, { document: c.after, schema: after }, c.search);
  const wider = isWithin({ document: c.after, schema: after }, { document: c.before, schema: before }, c.search);
  const unclear = narrower === undefined || wider === undefined;
  if (unclear) cannotTell(c, { ...spot, where, flow }, what);
  if (!unclear && !narrower) reportMove(c, "narrower", flow, "union", { ...spot, where }, what);
  if (!unclear && !wider) reportMove(c, "wider", flow, "union", { ...spot, where }, what);
}

/** What `allOf` keeps could not be merged. Parts that are the same on both sides say nothing. */
function compareParts(
  compareSchemas: CompareSchemas,
  c: DocumentComparison,
  place: SchemaPlace,
  spot: Spotted,
  before: JsonObject,
  after: JsonObject,
): void {
  const [was, is] = [asArray(before.allOf), asArray(after.allOf)];
  const paired = pairs(c, was, is, {}, {});
  const [gone, more] = leftOf(paired, was, is);
  const where = `${place.where} (allOf)`;
  if (gone.length === 1 && more.length === 1) compareSchemas(c, { ...place, where }, gone[0], more[0]);
  else if (gone.length > 0 && more.length > 0) decide(c, place, spot, before, after, "allOf changed");
  else if (more.length > 0) reportMove(c, "narrower", place.flow, "union", spot, `allOf has ${more.length} more`);
  else if (gone.length > 0) reportMove(c, "wider", place.flow, "union", spot, `allOf has ${gone.length} fewer`);
  comparePairs(compareSchemas, c, { ...place, where }, paired);
}

/** What is left on each side once branches are paired; the same branch twice is one. */
function leftOf(paired: readonly [Json, Json][], before: Json[], after: Json[]): [Json[], Json[]] {
  const [ones, others] = [new Set(paired.map(([one]) => one)), new Set(paired.map(([, other]) => other))];
  return [before.filter((one) => !ones.has(one)), after.filter((other) => !others.has(other))];
}

function compareUnion(
  compareSchemas: CompareSchemas,
  c: DocumentComparison,
  place: SchemaPlace,
  spot: Spotted,
  keyword: Union,
  before: JsonObject,
  after: JsonObject,
  was: Json[],
  is: Json[],
): void {
  // In anyOf the same branch twice is one; in oneOf no value fits it.
  if (keyword === "anyOf") [was, is] = [withoutRepetition(was), withoutRepetition(is)];
  const paired = pairs(c, was, is, before, after);
  let [gone, more] = leftOf(paired, was, is);
  // One that is left on each side is the same branch, changed.
  if (gone.length === 1 && more.length === 1) {
    const [[one = null], [other = null]] = [gone, more];
    paired.push([one, other]);
    [gone, more] = [[], []];
  }
  comparePairs(compareSchemas, c, { ...place, where: `${place.where} (${keyword})` }, paired);
  const isHeld = (branch: Json, of: Document, others: Json[], by: Document) =>
    keyword === "anyOf" &&
    others.length * (gone.length + more.length) < 10_000 &&
    canSearch(c.search) &&
    others.some(
      (other) => isWithin({ document: of, schema: branch }, { document: by, schema: other }, c.search) === true,
    );
  for (const branch of more)
    if (!isHeld(branch, c.after, was, c.before)) {
      const what = `${keyword} has ${inWords(c.after, branch)} added`;
      const at = { ...spot, after: branch };
      if (isKind(c.after, branch, c.before, was)) reportKinds(c, "wider", place.flow, "union", at, what);
      else reportMove(c, "wider", place.flow, "union", at, what);
    }
  for (const branch of gone)
    if (!isHeld(branch, c.before, is, c.after)) {
      const what = `${keyword} has ${inWords(c.before, branch)} removed`;
      const at = { ...spot, before: branch };
      if (isKind(c.before, branch, c.after, is)) reportKinds(c, "narrower", place.flow, "union", at, what);
      else reportMove(c, "narrower", place.flow, "union", at, what);
    }
  // Of a value that two branches match, `oneOf` refuses: a branch that allows more can refuse it, and one that allows less allow it.
  if (keyword === "oneOf" && overlaps(c, was, is)) {
    const [gap, spotted] = [gone.length + more.length > 0, { ...spot, flow: place.flow }];
    if (gap) cannotTell(c, spotted, "the branches of oneOf may overlap, and one was added or removed");
    else if (paired.some(([one, other]) => !isSame(c, one, other)))
      cannotTell(c, spotted, "the branches of oneOf may overlap, and one changed");
  }
}

/** Whether a branch is one more kind of what the others are, as a value of a list is. A value of another type is more than that. */
function isKind(document: Document, branch: Json, otherDocument: Document, others: readonly Json[]): boolean {
  const types = new Set(others.flatMap((other) => typesOf(flatten(otherDocument, other))));
  return typesOf(flatten(document, branch)).every((type) => types.has(type));
}

const isSame = (c: DocumentComparison, one: Json, other: Json) =>
  identical({ document: c.before, value: one }, { document: c.after, value: other }, c.search);

/** Whether two branches could match the same value. Of very many, pairs are not looked at. */
function overlaps(c: DocumentComparison, was: Json[], is: Json[]): boolean {
  const sides = [was.map((branch) => flatten(c.before, branch)), is.map((branch) => flatten(c.after, branch))];
  const documents = [c.before, c.after];
  return sides.some((branches, side) => {
    const document = documents[side] ?? c.after;
    return (
      branches.length > 100 ||
      !search(c.search, branches.length ** 2) ||
      branches.some((one, index) => branches.slice(index + 1).some((other) => !areDisjoint(document, one, other)))
    );
  });
}

function markOf(document: Document, branch: Json): string | undefined {
  const schema = flatten(document, branch);
  const marked = markedField(document, schema);
  if (marked) return marked;
  return typeof schema.type === "string" && schema.type !== "object" ? schema.type : undefined;
}

/** The field that tells one branch from the others: the first that has a single value. */
function markedField(document: Document, schema: JsonObject): string | undefined {
  for (const [name, field] of named(schema.properties)) {
    const values = listedValues(flatten(document, field));
    if (values?.length === 1) return `${name}=${JSON.stringify(values[0])}`;
  }
  return undefined;
}

function comparePairs(
  compareSchemas: CompareSchemas,
  c: DocumentComparison,
  place: SchemaPlace,
  paired: [Json, Json][],
): void {
  for (const [one, other] of paired) compareSchemas(c, place, one, other);
}

/** Pairs branches: the same component, the same text, the same value of a discriminator, the same marked field, title or type. */
function pairs(c: DocumentComparison, was: Json[], is: Json[], before: JsonObject, after: JsonObject): [Json, Json][] {
  const [values, valuesNow] = [valuesOfBranches(before), valuesOfBranches(after)];
  type Key = (branch: Json, document: Document, values: Map<string, string>) => string | undefined;
  const ways: Key[] = [
    (branch) => refOf(branch),
    (branch) => canonical(constAsList(branch)),
    (branch, _, ofBranches) => ofBranches.get(refOf(branch) ?? ""),
    (branch, document) => markOf(document, branch),
    titleOf,
  ];
  const found: [Json, Json][] = [];
  let [left, leftNow] = [was, is];
  for (const way of ways) {
    const byKey = new Map<string, number[]>();
    for (const [index, branch] of leftNow.entries()) {
      const key = way(branch, c.after, valuesNow);
      if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []).slice(-99), index]);
    }
    const [taken, takenNow] = [new Set<number>(), new Set<number>()];
    for (const [index, branch] of left.entries()) {
      const other = byKey.get(way(branch, c.before, values) ?? "\u0000")?.shift();
      if (other === undefined) continue;
      taken.add(index);
      takenNow.add(other);
      found.push([branch, leftNow[other] ?? null]);
    }
    left = left.filter((_, index) => !taken.has(index));
    leftNow = leftNow.filter((_, index) => !takenNow.has(index));
  }
  return found;
}

const titleOf = (schema: Json) => {
  const { title } = asObject(schema);
  return typeof title === "string" ? title : undefined;
};

function inWords(document: Document, branch: Json): string {
  const ref = refOf(branch);
  if (ref) return nameOf(ref);
  const { type } = flatten(document, branch);
  return titleOf(branch) ?? (typeof type === "string" ? type : "a branch");
}
