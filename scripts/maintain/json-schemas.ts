/**
 * The bodies of the contract as JSON Schemas (draft 2020-12), for those who validate without OpenAPI: each in a file that needs no
 * other. They are made from the published document, so answers and notifications are open, and requests are closed.
 */
import {
  asObject,
  asStrings,
  isObject,
  type Json,
  type JsonObject,
  pointedAt,
  refOf,
  resolvedObject,
} from "../document/json.ts";
import { typeOfKeyword } from "../document/keywords.ts";
import { portablePattern } from "./portable-pattern.ts";

const dialect = "https://json-schema.org/draft/2020-12/schema";
const prefix = "#/components/schemas/";
/** A URN, since it names a schema and promises no address. */
const idOf = (file: string) => `urn:chain-webhooks:v1:${file.replace(/\.json$/, "")}`;

/**
 * The schema of each request, answer and notification.
 *
 * @returns schemas by their files' names
 * @throws for a body that has no named schema
 */
export function jsonSchemas(document: JsonObject): Map<string, JsonObject> {
  const files = new Map<string, JsonObject>();
  for (const name of bodyNames(document, document.webhooks, "requestBody")) {
    const { type } = asObject(pointedAt(document, prefix + name));
    const usual = name === "AddressActivityNotification" ? "notification.json" : `${kebab(name)}.json`;
    add(type === "array" ? "notifications.json" : usual, name);
  }
  for (const name of bodyNames(document, document.paths, "requestBody")) add(`${kebab(name)}.json`, name);
  for (const name of bodyNames(document, document.paths, "responses")) add(`${kebab(name)}.json`, name);
  return files;

  function add(file: string, name: string): void {
    const named = new Map<string, JsonObject>();
    const { description, ...schema } = converted(document, named, pointedAt(document, prefix + name)) as JsonObject;
    const $defs = Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1)));
    const head = { $schema: dialect, $id: idOf(file), title: name, description };
    files.set(file, { ...head, ...schema, ...(named.size > 0 && { $defs }) });
  }
}

const kebab = (name: string) => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase();

/** The names of the schemas of JSON bodies, each once. */
function bodyNames(document: JsonObject, items: Json | undefined, where: "requestBody" | "responses"): Set<string> {
  const operations = Object.values(asObject(items)).flatMap((item) => Object.values(asObject(item)).filter(isObject));
  const holders = operations.flatMap(({ requestBody, responses }) =>
    where === "requestBody" ? [requestBody] : Object.values(asObject(responses)),
  );
  const schemas = holders.flatMap((holder) => {
    const { schema } = asObject(asObject(resolvedObject(document, holder).content)["application/json"]);
    return schema === undefined ? [] : [schema];
  });
  return new Set(
    schemas.map((schema) => {
      const ref = refOf(schema);
      if (!ref?.startsWith(prefix)) throw new Error(`The body ${JSON.stringify(schema)} must refer to a named schema.`);
      return ref.slice(prefix.length);
    }),
  );
}

const schemaMaps = ["properties", "patternProperties", "dependentSchemas", "$defs"];
const schemaKeys = ["items", "not", "additionalProperties", "unevaluatedProperties", "allOf", "anyOf", "oneOf"];

/** OpenAPI's own words in those of JSON Schema. @param named gets every schema that is referred to */
function converted(document: JsonObject, named: Map<string, JsonObject>, schema: Json | undefined): Json | undefined {
  if (Array.isArray(schema)) return schema.map((one) => converted(document, named, one) ?? null);
  if (!isObject(schema)) return schema;
  const entries = Object.entries(byType(schema)).map(([key, value]): [string, Json | undefined] => {
    if (key === "$ref") return [key, referTo(document, named, String(value))];
    if (key === "pattern") return [key, portablePattern(String(value))];
    if (key === "example") return ["examples", [value ?? null]];
    // It tells generators how wide a number is. To JSON Schema it is unknown, which validators refuse.
    if (key === "format" && value === "int64") return [key, undefined];
    if (schemaMaps.includes(key)) {
      const inner = Object.entries(asObject(value)).map(([name, one]) => [name, converted(document, named, one)]);
      return [key, Object.fromEntries(inner)];
    }
    return [key, schemaKeys.includes(key) ? converted(document, named, value) : value];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** A schema of several types as one for each, since Ajv's strict mode warns of a list. */
function byType(schema: JsonObject): JsonObject {
  const types = asStrings(schema.type);
  if (types.length < 2 || (types.length === 2 && types.includes("null"))) return schema;
  const { type: _, ...keywords } = schema;
  const of = (type: string | undefined) =>
    Object.fromEntries(Object.entries(keywords).filter(([keyword]) => typeOfKeyword(keyword) === type));
  return { ...of(undefined), anyOf: types.map((type) => ({ type, ...of(type) })) };
}

function referTo(document: JsonObject, named: Map<string, JsonObject>, ref: string): string {
  if (!ref.startsWith(prefix)) throw new Error(`${ref} must refer to a named schema.`);
  const name = ref.slice(prefix.length);
  if (!named.has(name)) {
    // Noted before it is converted, since it may refer to itself.
    named.set(name, {});
    named.set(name, converted(document, named, pointedAt(document, ref)) as JsonObject);
  }
  return `#/$defs/${name}`;
}
