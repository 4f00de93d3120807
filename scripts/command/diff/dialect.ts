/** A schema object of OpenAPI 3.0 in the words of OpenAPI 3.1, so that a document compares with its successor by meaning. */
import { asArray, type Json, type JsonObject } from "../../document/json.ts";

/** Translates one schema object, not those within it. */
export function toDialect31(schema: JsonObject): JsonObject {
  const { nullable, exclusiveMinimum, exclusiveMaximum, minimum, maximum, format, ...rest } = schema;
  const result: JsonObject = { ...rest };
  bound(result, "minimum", "exclusiveMinimum", minimum, exclusiveMinimum);
  bound(result, "maximum", "exclusiveMaximum", maximum, exclusiveMaximum);
  if (format === "byte") result.contentEncoding = "base64";
  else if (format !== undefined) result.format = format;
  return nullable === true ? orNull(result) : result;
}

function bound(
  result: JsonObject,
  limit: string,
  exclusive: string,
  value: Json | undefined,
  isExclusive: Json | undefined,
): void {
  if (isExclusive === true && value !== undefined) result[exclusive] = value;
  else {
    if (value !== undefined) result[limit] = value;
    if (typeof isExclusive === "number") result[exclusive] = isExclusive;
  }
}

const words = new Set([
  "title",
  "description",
  "example",
  "deprecated",
  "default",
  "readOnly",
  "writeOnly",
  "externalDocs",
]);

/** Without a type, `nullable` is meant for what `allOf`, `oneOf` or `anyOf` allows, though OpenAPI 3.0.3 gives it no meaning there. */
function orNull(schema: JsonObject): JsonObject {
  if (schema.type !== undefined) {
    const types = [...(Array.isArray(schema.type) ? schema.type : [schema.type]), "null"];
    return { ...schema, type: types };
  }
  if (schema.allOf === undefined && schema.oneOf === undefined && schema.anyOf === undefined) return schema;
  const entries = Object.entries(schema);
  const beside = Object.fromEntries(entries.filter(([key]) => words.has(key)));
  const restricting = Object.fromEntries(entries.filter(([key]) => !words.has(key)));
  const [only, ...more] = Object.keys(restricting);
  if ((only === "oneOf" || only === "anyOf") && more.length === 0)
    return { ...beside, [only]: [...asArray(restricting[only]), { type: "null" }] };
  const [single, ...others] = asArray(restricting.allOf);
  const branch =
    only === "allOf" && more.length === 0 && single !== undefined && others.length === 0 ? single : restricting;
  return { ...beside, anyOf: [branch, { type: "null" }] };
}
