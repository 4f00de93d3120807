/**
 * A JSON Schema 2020-12 of the contract as a schema of OpenAPI 3.0. It allows the same values, except where several types are allowed, and no null
 * in place of a map.
 */
import { asArray, isObject, type Json, type JsonObject, pointedAt, sameJson } from "../../document/json.ts";
import { portablePattern } from "../portable-pattern.ts";

const copied = new Set([
  ...["title", "description", "default", "example", "deprecated", "readOnly", "writeOnly", "externalDocs", "format"],
  ...["multipleOf", "maximum", "minimum", "maxLength", "minLength", "maxItems", "minItems", "uniqueItems"],
  ...["maxProperties", "minProperties", "required", "enum"],
]);
const words = new Set(["title", "description", "default", "example", "examples", "deprecated", "externalDocs"]);

/** Converts a schema. @param place its position, for messages. @throws on a keyword that has no counterpart. */
export function schemaTo30(document: JsonObject, place: string, schema: Json | undefined): JsonObject {
  if (schema === true) return {};
  if (schema === false) return { not: {} };
  if (!isObject(schema)) throw new Error(`${place} is not a schema.`);
  if (schema.$ref !== undefined) return referenceTo30(document, place, schema);
  if (isOfSeveralTypes(schema)) return anyValue(place, schema);
  const converted: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (value !== undefined) Object.assign(converted, keywordTo30(document, `${place}/${key}`, key, value, schema));
  }
  if (converted.type === "array") converted.items ??= {};
  return converted;
}

/**
 * OpenAPI 3.0 ignores keys next to a reference. A field that is described so becomes a copy of what it refers to,
 * with its own description, when that is a plain text or number: generators make no type of those, and a wrapper would cost
 * them the plain one, or the null. Objects and enumerations keep their reference, in an `allOf`, because it names their type.
 */
function referenceTo30(document: JsonObject, place: string, schema: JsonObject): JsonObject {
  const { $ref, ...beside } = schema;
  const strange = Object.keys(beside).find((key) => !words.has(key) && !key.startsWith("x-"));
  if (strange) throw new Error(`${place} has ${strange} beside a $ref, which OpenAPI 3.0 cannot say.`);
  const target = pointedAt(document, String($ref));
  if (isObject(target) && isOfSeveralTypes(target)) return anyValue(place, { ...target, ...beside });
  if (Object.keys(beside).length === 0) return { $ref };
  const plain =
    isObject(target) &&
    ["string", "integer", "number", "boolean"].includes(nameOfType(target)) &&
    !target.enum &&
    !target.const;
  if (plain) return { ...schemaTo30(document, place, target), ...schemaTo30(document, place, beside) };
  return { ...schemaTo30(document, place, beside), allOf: [{ $ref }] };
}

/** The schema's types, besides null. */
function typesOf({ type }: JsonObject): Json[] {
  return asArray(Array.isArray(type) ? type : [type ?? ""]).filter((one) => one !== "null");
}

const nameOfType = (schema: JsonObject) => String(typesOf(schema));

/** Whether a schema allows more types than one, besides null. OpenAPI 3.0 has no list of them. */
export const isOfSeveralTypes = (schema: JsonObject): boolean => typesOf(schema).length > 1;

const typeWords: Readonly<Record<string, string>> = { string: "a text", array: "an array", object: "an object" };

/**
 * Any value, with the types in words. 3.0 could say `oneOf`, but generated clients could not use it: of openapi-generator 7.25.0,
 * Java's does not compile with an array among the types, Kotlin's reads nothing but the object, and Go's refuses added fields. The
 * `allOf` keeps Java's from sending null for a field that the program leaves out; empty, Redocly's lint would refuse it.
 */
function anyValue(place: string, schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([key]) => words.has(key) || key.startsWith("x-"));
  const types = typesOf(schema).map((type) => {
    if (!typeWords[String(type)])
      throw new Error(`${place} is of several types with ${type}, which has no words here.`);
    const fields = type === "object" ? asArray(schema.required).map((name) => `\`${name}\``) : [];
    return [typeWords[String(type)], ...(fields.length > 0 ? [`with ${fields.join(" and ")}`] : [])].join(" ");
  });
  if (asArray(schema.type).includes("null")) types.push("null");
  const description = [String(schema.description ?? "").trim(), `In JSON: ${types.join(", or ")}.`].join("\n\n").trim();
  return { ...Object.fromEntries(kept), description, allOf: [{ description: "Any value." }] };
}

function keywordTo30(document: JsonObject, place: string, key: string, value: Json, schema: JsonObject): JsonObject {
  const nested = (one: Json | undefined, at: string | number = "") =>
    schemaTo30(document, at === "" ? place : `${place}/${at}`, one);
  if (copied.has(key) || key.startsWith("x-")) return { [key]: value };
  switch (key) {
    case "type":
      // Generated clients that cannot tell a field that is left out from null send null for it, and an update with null empties the map. An
      // empty one says the same.
      return typeTo30(place, isObject(schema.additionalProperties) ? typesOf(schema) : value);
    case "const":
      return { enum: [value] };
    case "examples":
      return { example: asArray(value)[0] };
    case "pattern":
      return { pattern: portablePattern(String(value)) };
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return boundTo30(place, key, value, schema);
    case "additionalProperties":
      return { [key]: typeof value === "boolean" ? value : nested(value) };
    // OpenAPI 3.0 cannot say it, and has no names that the server refuses for their form only.
    case "propertyNames":
      return {};
    case "items":
    case "not":
      return { [key]: nested(value) };
    case "allOf":
    case "anyOf":
    case "oneOf":
      return { [key]: asArray(value).map((one, index) => nested(one, index)) };
    case "properties":
      return {
        properties: Object.fromEntries(
          Object.entries(isObject(value) ? value : {}).map(([name, one]) => [name, nested(one, name)]),
        ),
      };
    default:
      throw new Error(`${place} is a keyword that OpenAPI 3.0 does not have.`);
  }
}

function typeTo30(place: string, value: Json): JsonObject {
  const types = typesOf({ type: value });
  const nullable = !sameJson(types, Array.isArray(value) ? value : [value]);
  if (types.length !== 1) throw new Error(`${place} is not one type, with or without null; OpenAPI 3.0 has no other.`);
  return { type: types[0], ...(nullable ? { nullable: true } : {}) };
}

function boundTo30(
  place: string,
  key: "exclusiveMinimum" | "exclusiveMaximum",
  value: Json,
  schema: JsonObject,
): JsonObject {
  const inclusive = key === "exclusiveMinimum" ? "minimum" : "maximum";
  if (typeof value !== "number" || schema[inclusive] !== undefined)
    throw new Error(`${place} must be a number, and the only limit on its side.`);
  return { [inclusive]: value, [key]: true };
}
