/** The contract without schemas that hold themselves, such as conditions: Redocly follows references until there are none. */
import { asObject, isObject, type Json, type JsonObject } from "../../document/json.ts";

/** @returns a copy in which a schema's reference to itself is any object. What the workflows send needs no more */
export function withoutLoops(document: JsonObject): JsonObject {
  const components = asObject(document.components);
  const schemas = Object.entries(asObject(components.schemas)).map(([name, schema]): [string, Json] => [
    name,
    cut(schema ?? null, `#/components/schemas/${name}`),
  ]);
  return { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } };
}

function cut(value: Json, $ref: string): Json {
  if (Array.isArray(value)) return value.map((item) => cut(item, $ref));
  if (!isObject(value)) return value;
  if (value.$ref === $ref) return { type: "object" };
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => [key, cut(inner ?? null, $ref)]);
  return Object.fromEntries(entries);
}
