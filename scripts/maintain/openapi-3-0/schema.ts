/** A JSON Schema 2020-12 of the contract as a schema of OpenAPI 3.0, allowing exactly the same values. */
import { asArray, isObject, type Json, type JsonObject, pointedAt, same } from "../../document/json.ts";
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
  if (Object.keys(beside).length === 0) return { $ref };
  const target = pointedAt(document, String($ref));
  const plain =
    isObject(target) &&
    ["string", "integer", "number", "boolean"].includes(nameOfType(target)) &&
    !target.enum &&
    !target.const;
  if (plain) return { ...schemaTo30(document, place, target), ...schemaTo30(document, place, beside) };
  return { ...schemaTo30(document, place, beside), allOf: [{ $ref }] };
}

function nameOfType({ type }: JsonObject): string {
  return String(asArray(Array.isArray(type) ? type : [type ?? ""]).filter((one) => one !== "null"));
}

function keywordTo30(document: JsonObject, place: string, key: string, value: Json, schema: JsonObject): JsonObject {
  const nested = (one: Json | undefined, at: string | number = "") =>
    schemaTo30(document, at === "" ? place : `${place}/${at}`, one);
  if (copied.has(key) || key.startsWith("x-")) return { [key]: value };
  switch (key) {
    case "type":
      return typeTo30(place, value);
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
  const types = (Array.isArray(value) ? value : [value]).filter((type) => type !== "null");
  const nullable = !same(types, Array.isArray(value) ? value : [value]);
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
