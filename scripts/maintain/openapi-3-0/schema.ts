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
  if (typesOf(schema).length > 1) return alternativesTo30(document, place, schema);
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

/** The schema's types, besides null. */
function typesOf({ type }: JsonObject): Json[] {
  return asArray(Array.isArray(type) ? type : [type ?? ""]).filter((one) => one !== "null");
}

const nameOfType = (schema: JsonObject) => String(typesOf(schema));

/** The keywords that say something of one type only. */
const keywordsOf: Readonly<Record<string, readonly string[]>> = {
  string: ["maxLength", "minLength", "pattern", "format"],
  array: ["items", "maxItems", "minItems", "uniqueItems"],
  object: ["properties", "required", "additionalProperties", "maxProperties", "minProperties"],
};

/** OpenAPI 3.0 has no list of types. Each becomes an alternative with the keywords that say something of it; the words stay outside. */
function alternativesTo30(document: JsonObject, place: string, schema: JsonObject): JsonObject {
  const { type: types, ...rest } = schema;
  const outside = Object.entries(rest).filter(([key]) => words.has(key) || key.startsWith("x-"));
  const alternatives = typesOf(schema).map((type) => {
    const own = Object.entries(rest).filter(([key]) => keywordsOf[String(type)]?.includes(key));
    return schemaTo30(document, place, { type, ...Object.fromEntries(own) });
  });
  const known = new Set(typesOf(schema).flatMap((type) => keywordsOf[String(type)] ?? []));
  const strange = Object.keys(rest).find((key) => !known.has(key) && !words.has(key) && !key.startsWith("x-"));
  if (strange) throw new Error(`${place} has ${strange} beside several types, which OpenAPI 3.0 cannot say.`);
  if (asArray(types).includes("null"))
    throw new Error(`${place} is null or of several types, which OpenAPI 3.0 cannot say.`);
  return { ...schemaTo30(document, place, Object.fromEntries(outside)), oneOf: alternatives };
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
  const types = typesOf({ type: value });
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
