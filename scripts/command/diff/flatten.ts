/**
 * A schema as one object: without its reference, in the dialect of OpenAPI 3.1, and with the members of `allOf` merged where
 * their conjunction can be written as one schema. Members that cannot be merged stay in `allOf`.
 */
import {
  asArray,
  asObject,
  asStrings,
  isObject,
  type Json,
  type JsonObject,
  refOf,
  sameJson,
} from "../../document/json.ts";
import { canonical } from "./canonical.ts";
import { isProse } from "./comparison.ts";
import { listedValues, lower, typesOf, upper } from "./constraint.ts";
import { toDialect31 } from "./dialect.ts";
import { type Document, named, target } from "./document.ts";

const flattened = new WeakMap<Document, WeakMap<object, JsonObject>>();
const deepest = 100;

/**
 * The references on the way to a schema, how often a circle of them was cut, and what such a circle has: it is part of the whole already, so it
 * adds nothing where it is met again.
 */
type Way = { refs: Set<string>; depth: number; cuts: number; circling: Set<object> };

/** Flattens a schema; an absent one allows anything. */
export function flatten(document: Document, schema: Json | undefined): JsonObject {
  return flat(document, schema, { refs: new Set(), depth: 0, cuts: 0, circling: new Set() });
}

function flat(document: Document, schema: Json | undefined, way: Way): JsonObject {
  if (schema === false) return { not: {} };
  const object = asObject(schema);
  const known = flattened.get(document) ?? new WeakMap<object, JsonObject>();
  flattened.set(document, known);
  const before = known.get(object);
  if (before) return before;
  if (way.circling.has(object)) {
    way.cuts += 1;
    return {};
  }
  const { cuts } = way;
  way.depth += 1;
  const result = expand(document, object, way);
  way.depth -= 1;
  // What was cut off on this way need not be on another. Without the cache, forty schemas can double forty times.
  if (way.depth === 0 || way.cuts === cuts) known.set(object, result);
  else way.circling.add(object);
  return result;
}

function expand(document: Document, object: JsonObject, way: Way): JsonObject {
  const { $ref, allOf, ...own } = document.is30 && refOf(object) ? { $ref: object.$ref } : object;
  const beside = listedInstead(document.is30 ? toDialect31(own) : own);
  const members = withoutRepetition(membersOf(document, $ref, asArray(allOf), way));
  if (members.length > 0) return members.reduceRight((whole, member) => merge(whole, member), beside);
  return document.is30 || $ref !== undefined || allOf !== undefined || object.const !== undefined ? beside : object;
}

/** `const` is a list of one, and next to a list whatever both have. */
export function constAsList(value: Json): Json {
  return isObject(value) ? listedInstead(value) : value;
}

function listedInstead(schema: JsonObject): JsonObject {
  if (schema.const === undefined) return schema;
  const { const: _, ...rest } = schema;
  return { ...rest, enum: listedValues(schema) ?? [] };
}

/** What is said twice is said once. Otherwise seventeen schemas that name the next one twice say the last 131,072 times. */
export function withoutRepetition<Schema extends Json>(schemas: readonly Schema[]): Schema[] {
  return [...new Map(schemas.map((schema) => [canonical(schema), schema])).values()];
}

/** Both at once, as one list of all parts, however they were put together before. */
function both(one: Json, other: Json): Json {
  const partsOf = (schema: Json): Json[] => {
    const { allOf, ...more } = asObject(schema);
    return Array.isArray(allOf) && Object.keys(more).length === 0 ? allOf : [schema];
  };
  const parts = withoutRepetition([...partsOf(one), ...partsOf(other)]);
  return parts.length === 1 ? (parts[0] ?? true) : { allOf: parts };
}

function membersOf(document: Document, ref: Json | undefined, allOf: readonly Json[], way: Way): JsonObject[] {
  // What stays as a reference says all, and can be kept.
  if (way.depth > deepest) {
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
  const all = withoutRepetition(merged ? parts : [...parts, rest]);
  // What cannot be merged still says of which type a value is.
  const type = merged || rest.type === undefined ? undefined : typesInBoth(whole.type, rest.type);
  return { ...(merged ?? whole), ...(type !== undefined && { type }), ...(all.length > 0 && { allOf: all }) };
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
    if (has === undefined || sameJson(has, value)) merged.set(key, value);
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
  if (key === "enum") return asArray(one).filter((value) => asArray(other).some((another) => sameJson(value, another)));
  if (key === "type") return typesInBoth(one, other);
  if (key === "items" || key === "additionalProperties" || key === "propertyNames") return both(one, other);
  if (key === "properties") {
    const fields = named(one);
    for (const [name, schema] of named(other)) {
      const has = fields.get(name);
      fields.set(name, has === undefined || sameJson(has, schema) ? schema : both(has, schema));
    }
    return Object.fromEntries(fields);
  }
  return undefined;
}

function typesInBoth(one: Json | undefined, other: Json): Json {
  if (one === undefined || sameJson(one, other)) return other;
  const both = typesOf({ type: one }).filter((type) => typesOf({ type: other }).includes(type));
  return both.includes("fraction")
    ? both.flatMap((type) => (type === "fraction" ? ["number"] : type === "integer" ? [] : [type]))
    : both;
}
