/** Whether a keyword of a schema now allows fewer or more values: limits, and what is there or not. */
import { asStrings, type Json, type JsonObject, sameJson } from "../../document/json.ts";
import type { Move } from "./direction.ts";

export const upper = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"];
export const lower = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"];
const presence = ["pattern", "format", "multipleOf", "contentEncoding", "contentMediaType"];

/** The keywords that `constraintMove` judges. */
export const constraints: readonly string[] = [...upper, ...lower, ...presence, "uniqueItems"];

/** What a limit is when it is not there. */
const implied: Readonly<Record<string, number>> = { minLength: 0, minItems: 0, minProperties: 0, minContains: 1 };

/** Formats that hold all values of another. */
const wider: Readonly<Record<string, string>> = { int32: "int64", float: "double" };

/** How a keyword's change moved what is allowed: undefined when it did not. The two values differ. */
export function constraintMove(
  keyword: string,
  was: Json | undefined,
  is: Json | undefined,
): Move | "unclear" | undefined {
  const [before, after] = [was ?? implied[keyword], is ?? implied[keyword]];
  if (keyword === "uniqueItems") {
    const [unique, uniqueNow] = [before === true, after === true];
    return unique === uniqueNow ? undefined : uniqueNow ? "narrower" : "wider";
  }
  if (before === after || (keyword === "pattern" && canonical(before) === canonical(after))) return undefined;
  if (before === undefined) return "narrower";
  if (after === undefined) return "wider";
  if (keyword === "format" && wider[String(before)] === after) return "wider";
  if (keyword === "format" && wider[String(after)] === before) return "narrower";
  if (typeof before !== "number" || typeof after !== "number") return "unclear";
  if (upper.includes(keyword)) return after < before ? "narrower" : "wider";
  if (lower.includes(keyword)) return after > before ? "narrower" : "wider";
  if (keyword !== "multipleOf") return "unclear";
  if (isMultiple(after, before)) return "narrower";
  return isMultiple(before, after) ? "wider" : "unclear";
}

/** Two spellings of the same character: dialects of OpenAPI 3.0 do not all know `\\x`. */
const canonical = (pattern: Json | undefined) => String(pattern).replaceAll(/\\x([0-9a-fA-F]{2})/g, "\\u00$1");

/** Decimal steps such as 0.1 and 0.01 have no exact quotient. */
export function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

const everyType = ["null", "boolean", "string", "integer", "fraction", "array", "object"];

/** The types a schema allows; a number is an integer or a fraction, so that one set can hold the other. */
export function typesOf(schema: JsonObject): string[] {
  const types = typeof schema.type === "string" ? [schema.type] : asStrings(schema.type);
  if (types.length === 0) return Array.isArray(schema.type) ? [] : everyType;
  return [...new Set(types.flatMap((type) => (type === "number" ? ["integer", "fraction"] : [type])))];
}

/** A schema's types in words. */
export function typeInWords(schema: JsonObject): string {
  const types = typeof schema.type === "string" ? [schema.type] : asStrings(schema.type);
  if (types.length > 0) return types.join(" or ");
  return Array.isArray(schema.type) ? "nothing" : "any type";
}

/** The only values a schema allows; undefined when it lists none. `const` is a list of one. */
export function listedValues(schema: JsonObject): Json[] | undefined {
  const { const: only } = schema;
  if (only === undefined) return Array.isArray(schema.enum) ? schema.enum : undefined;
  return Array.isArray(schema.enum) && !schema.enum.some((value) => sameJson(value, only)) ? [] : [only];
}

/** Whether both list their values, and these are of the same types: then a type next to the list says nothing. */
export function listSameTypes(one: JsonObject, other: JsonObject): boolean {
  const [types, others] = [listedTypes(one), listedTypes(other)];
  return types !== undefined && sameJson(types, others);
}

function listedTypes(schema: JsonObject): string[] | undefined {
  const types = listedValues(schema)?.map(constraintType);
  return types?.every((type) => typesOf(schema).includes(type)) ? [...new Set(types)].sort() : undefined;
}

/** One of those of `typesOf`. */
export function constraintType(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "fraction";
  return typeof value;
}
