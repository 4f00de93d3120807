/** Whether a schema's keyword now allows fewer or more values: limits, types, and what is there or not. */
import { asStrings, type Json, type JsonObject } from "../../document/json.ts";

/** How the allowed values moved; `unclear` if the comparison cannot decide. */
export type Move = "narrower" | "wider" | "unclear";

const upper = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const lower = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const presence = ["pattern", "format", "multipleOf", "contentEncoding", "contentMediaType"];

/** The keywords that `constraintMove` judges. */
export const constraints: readonly string[] = [...upper, ...lower, ...presence, "uniqueItems"];

/** How a keyword's change moved what is allowed. The two values differ. */
export function constraintMove(keyword: string, before: Json | undefined, after: Json | undefined): Move | undefined {
  if (keyword === "uniqueItems") {
    const [was, is] = [before === true, after === true];
    return was === is ? undefined : is ? "narrower" : "wider";
  }
  if (before === undefined) return "narrower";
  if (after === undefined) return "wider";
  if (typeof before !== "number" || typeof after !== "number") return "unclear";
  if (upper.includes(keyword)) return after < before ? "narrower" : "wider";
  if (lower.includes(keyword)) return after > before ? "narrower" : "wider";
  return "unclear";
}

const everyType = ["null", "boolean", "string", "integer", "fraction", "array", "object"];

/** The types a schema allows; a number is an integer or a fraction, so that one set can hold the other. */
export function typesOf(schema: JsonObject): string[] {
  const types = typeof schema.type === "string" ? [schema.type] : asStrings(schema.type);
  if (types.length === 0) return everyType;
  return [...new Set(types.flatMap((type) => (type === "number" ? ["integer", "fraction"] : [type])))];
}

/** A schema's types in words. */
export function typeInWords(schema: JsonObject): string {
  const types = typeof schema.type === "string" ? [schema.type] : asStrings(schema.type);
  return types.length === 0 ? "any type" : types.join(" or ");
}

/** The only values a schema allows; undefined when it lists none. `const` is a list of one. */
export function listedValues(schema: JsonObject): Json[] | undefined {
  if (schema.const !== undefined) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}
