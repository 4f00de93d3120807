/** Writes a schema as a union, to compare it with one that is only a union: documents say the same in both ways. */
import { asArray, type Json, type JsonObject } from "../../document/json.ts";
import { branchKeywords } from "./branches.ts";
import { listedValues, typesOf } from "./constraint.ts";
import { concerns } from "./subset.ts";
import { sunsetKey } from "./sunset.ts";

/** What is said of a value as a whole, and not of the branch that it fits. */
const ofWhole = ["default", sunsetKey];

/**
 * Both as unions, where one side is only a union and the other is none: a branch was added or taken away, or nothing.
 *
 * @param restricting the keywords that restrict
 */
export function asUnions(
  before: JsonObject,
  after: JsonObject,
  restricting: readonly string[],
): [JsonObject, JsonObject] | [undefined, undefined] {
  const [keyword, keywordNow] = [onlyUnion(before, restricting), onlyUnion(after, restricting)];
  const isNone = (schema: JsonObject) => !branchKeywords.some((key) => schema[key] !== undefined);
  if (keyword && isNone(after)) return [before, { [keyword]: branchesOf(after) }];
  if (keywordNow && isNone(before)) return [{ [keywordNow]: branchesOf(before) }, after];
  return [undefined, undefined];
}

function onlyUnion(schema: JsonObject, restricting: readonly string[]): "anyOf" | "oneOf" | undefined {
  const keys = Object.keys(schema).filter((key) => schema[key] !== undefined && key !== "discriminator");
  const [only, ...more] = keys.filter((key) => restricting.includes(key) && !ofWhole.includes(key));
  return more.length === 0 && (only === "anyOf" || only === "oneOf") ? only : undefined;
}

/** A value of several types is a union of one for each, a value of one type or null a union of both, and anything else a union of one. */
function branchesOf(schema: JsonObject): JsonObject[] {
  const own = Object.fromEntries(Object.entries(schema).filter(([key]) => !ofWhole.includes(key)));
  const others = asArray(schema.type).filter((type) => type !== "null");
  const [type] = others;
  if (others.length > 1 && !listedValues(schema)) return asArray(schema.type).map((one) => ofType(own, one));
  if (type === undefined || others.length !== 1 || asArray(schema.type).length !== 2) return [own];
  const values = listedValues(schema);
  if (!values) return [{ ...own, type }, { type: "null" }];
  // `null` must be listed, too.
  if (!Array.isArray(own.enum) || own.const !== undefined) return [own];
  const kept = { ...own, type, enum: values.filter((value) => value !== null) };
  return values.includes(null) ? [kept, { type: "null" }] : [kept];
}

/** What a schema says of values of one of its types. */
function ofType(schema: JsonObject, type: Json): JsonObject {
  const types = typesOf({ type });
  const own = Object.entries(schema).filter(([key]) => concerns(key, types));
  return { ...Object.fromEntries(own), type };
}
