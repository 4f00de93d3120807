/**
 * A schema as one object: without its reference, in the dialect of OpenAPI 3.1, and with the members of `allOf` merged where
 * their conjunction can be written as one schema. Members that cannot be merged stay in `allOf`.
 */
import { asArray, asObject, asStrings, type Json, type JsonObject, refOf, same } from "../../document/json.ts";
import { isProse } from "./comparison.ts";
import { lower, typesOf, upper } from "./constraint.ts";
import { toDialect31 } from "./dialect.ts";
import { type Document, named, target } from "./document.ts";

const flattened = new WeakMap<Document, WeakMap<object, JsonObject>>();
const deepest = 100;

/** The references on the way to a schema, and how often a circle of them was cut. */
type Way = { refs: Set<string>; depth: number; cuts: number };

/** Flattens a schema; an absent one allows anything. */
export function flatten(document: Document, schema: Json | undefined): JsonObject {
  return flat(document, schema, { refs: new Set(), depth: 0, cuts: 0 });
}

function flat(document: Document, schema: Json | undefined, way: Way): JsonObject {
  if (schema === false) return { not: {} };
  const object = asObject(schema);
  const known = flattened.get(document) ?? new WeakMap<object, JsonObject>();
  flattened.set(document, known);
  const before = known.get(object);
  if (before) return before;
  const { cuts } = way;
  way.depth += 1;
  const result = expand(document, object, way);
  way.depth -= 1;
  // What was cut off on this way need not be on another. Without the cache, forty schemas can double forty times.
  if (way.depth === 0 || way.cuts === cuts) known.set(object, result);
  return result;
}

function expand(document: Document, object: JsonObject, way: Way): JsonObject {
  const { $ref, allOf, ...own } = document.is30 && refOf(object) ? { $ref: object.$ref } : object;
  const beside = document.is30 ? toDialect31(own) : own;
  const members = membersOf(document, $ref, asArray(allOf), way);
  if (members.length > 0) return members.reduceRight((whole, member) => merge(whole, member), beside);
  return document.is30 || $ref !== undefined || allOf !== undefined ? beside : object;
}

function membersOf(document: Document, ref: Json | undefined, allOf: readonly Json[], way: Way): JsonObject[] {
  if (way.depth > deepest) {
    way.cuts += 1;
    return [
      ...(typeof ref === "string" ? [{ allOf: [{ $ref: ref }] }] : []),
      ...(allOf.length > 0 ? [{ allOf: [...allOf] }] : []),
    ];
  }
  const members = allOf.map((member) => flat(document, member, way));
  if (typeof ref !== "string") return members;
  // A schema that is itself, by reference, adds nothing.
  if (way.refs.has(ref)) {
    way.cuts += 1;
    return members;
  }
  way.refs.add(ref);
  members.unshift(flat(document, target(document, ref), way));
  way.refs.delete(ref);
  return members;
}

/** Both at once. What stands nearer wins in words; what both restrict differently stays in `allOf`. */
function merge(whole: JsonObject, member: JsonObject): JsonObject {
  const { allOf, ...rest } = member;
  const left = asArray(allOf);
  const parts = left.length > 0 ? [...asArray(whole.allOf), ...left] : asArray(whole.allOf);
  const merged = closes(whole, rest) || closes(rest, whole) ? undefined : conjunction(whole, rest);
  const all = merged ? parts : [...parts, rest];
  return { ...(merged ?? whole), ...(all.length > 0 && { allOf: all }) };
}

/** Whether `additionalProperties` of one speaks of fields that only the other names. */
function closes(one: JsonObject, other: JsonObject): boolean {
  if ((one.additionalProperties ?? true) === true) return false;
  const names = named(one.properties);
  return other.patternProperties !== undefined || [...named(other.properties).keys()].some((name) => !names.has(name));
}

function conjunction(one: JsonObject, other: JsonObject): JsonObject | undefined {
  const merged = new Map<string, Json>();
  for (const [key, value] of Object.entries(one)) if (value !== undefined) merged.set(key, value);
  for (const [key, value] of Object.entries(other)) {
    const has = merged.get(key);
    if (value === undefined) continue;
    if (has === undefined || same(has, value)) merged.set(key, value);
    else if (key === "deprecated" || key === "readOnly" || key === "writeOnly")
      merged.set(key, has === true || value === true);
    else if (isProse(key) || key === "default") continue;
    else {
      const both = conjunctionOf(key, has, value);
      if (both === undefined) return undefined;
      merged.set(key, both);
    }
  }
  return Object.fromEntries(merged);
}

function conjunctionOf(key: string, one: Json, other: Json): Json | undefined {
  if (upper.includes(key) && typeof one === "number" && typeof other === "number") return Math.min(one, other);
  if (lower.includes(key) && typeof one === "number" && typeof other === "number") return Math.max(one, other);
  if (key === "required") return [...new Set([...asStrings(one), ...asStrings(other)])];
  if (key === "enum") return asArray(one).filter((value) => asArray(other).some((another) => same(value, another)));
  if (key === "type") return typesInBoth(one, other);
  if (key === "items" || key === "additionalProperties" || key === "propertyNames") return { allOf: [one, other] };
  if (key === "properties") {
    const fields = named(one);
    for (const [name, schema] of named(other)) {
      const has = fields.get(name);
      fields.set(name, has === undefined || same(has, schema) ? schema : { allOf: [has, schema] });
    }
    return Object.fromEntries(fields);
  }
  return undefined;
}

function typesInBoth(one: Json, other: Json): Json {
  const both = typesOf({ type: one }).filter((type) => typesOf({ type: other }).includes(type));
  return both.includes("fraction")
    ? both.flatMap((type) => (type === "fraction" ? ["number"] : type === "integer" ? [] : [type]))
    : both;
}
