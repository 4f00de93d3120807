/**
 * Makes the contract's two documents from openapi/: the one that is published, and the closed one that servers are held to.
 *
 * The source composes schemas by `allOf`. Many generators make poor types of that, so in both documents each schema is flat.
 *
 * Within /v1 fields are added to answers and notifications, and a client must ignore those that it does not know. Strict clients and some
 * generators take a closed schema at its word, and fail on such a field. So what a client reads is open in the source and in every
 * published document; what it sends is closed. The server, the mock and the conformance kit use the closed document, so that nothing is
 * sent which the contract does not have.
 */
import { readFile, writeFile } from "node:fs/promises";
import { asArray, asObject, isObject, type Json, type JsonObject, pointedAt, refOf } from "../document/json.ts";
import { redocly } from "../document/redocly.ts";
import { withHeaderSchemas } from "./notification-headers.ts";

/** Bundles the contract. @param path where the closed document is written @returns the published one */
export async function publishedDocument(path: string): Promise<JsonObject> {
  await redocly("bundle", "v1", "--output", path);
  const flat = withFlatSchemas(asObject(JSON.parse(await readFile(path, "utf8")) as Json));
  await writeFile(path, JSON.stringify(withClosedAnswers(flat), null, 2));
  return withHeaderSchemas(flat);
}

/**
 * Writes out each schema that is composed of objects by `allOf`: the fields of the parts in their order, then its own. A field of the same
 * name takes the place of the part's. Parts marked `x-internal` are left out of the document.
 *
 * @returns a copy
 * @throws when a composed schema has a keyword that has no place in a flat one
 */
export function withFlatSchemas(source: JsonObject): JsonObject {
  const schemas = asObject(asObject(source.components).schemas);
  const flat = Object.entries(schemas).map(([name, schema]) => [name, flattened(source, schema, name)] as const);
  const published = flat.filter(([, schema]) => !isObject(schema) || schema["x-internal"] !== true);
  return { ...source, components: { ...asObject(source.components), schemas: Object.fromEntries(published) } };
}

function flattened(document: JsonObject, schema: Json | undefined, name: string): Json | undefined {
  if (!isObject(schema) || schema.allOf === undefined) return schema;
  const { description, allOf, type: _, required, unevaluatedProperties, properties, ...others } = schema;
  const [unplaced] = Object.keys(others);
  if (unplaced !== undefined)
    throw new Error(`#/components/schemas/${name} is composed by allOf, and cannot have ${unplaced}.`);
  const parts = asArray(allOf).map((part) => {
    const ref = refOf(part);
    return asObject(ref === undefined ? part : flattened(document, pointedAt(document, ref), ref));
  });
  const all = [...parts, { required, properties }];
  const isRequired = all.flatMap((part) => asArray(part.required));
  return {
    ...(description !== undefined && { description }),
    type: "object",
    ...(isRequired.length > 0 && { required: isRequired }),
    ...(unevaluatedProperties === false && { additionalProperties: false }),
    properties: Object.assign({}, ...all.map((part) => asObject(part.properties))),
  };
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * Closes the object schemas that clients read: those of responses, and of notifications. One that says itself whether it has further fields
 * stays as it is.
 *
 * @returns a copy
 * @throws when a schema is both sent and read, with its name, since it would have to be both closed and open
 */
export function withClosedAnswers(published: JsonObject): JsonObject {
  const document = structuredClone(published);
  const read = new Set<JsonObject>();
  const sent = new Set<JsonObject>();
  for (const item of Object.values(asObject(document.paths)).map(asObject)) {
    reach(document, item.parameters, sent);
    for (const operation of methods.flatMap((method) => (isObject(item[method]) ? [item[method]] : []))) {
      reach(document, [operation.parameters ?? [], operation.requestBody ?? {}], sent);
      reach(document, [operation.responses ?? {}, operation.callbacks ?? {}], read);
    }
  }
  reach(document, document.webhooks, read);
  for (const [name, schema] of Object.entries(asObject(asObject(document.components).schemas)))
    if (isObject(schema) && schema.properties && read.has(schema) && sent.has(schema))
      throw new Error(`#/components/schemas/${name} is both sent and read: let each have a schema of its own.`);
  for (const schema of read) if (isObject(schema.properties) && [schema.type].flat().includes("object")) close(schema);
  return document;
}

/** The keyword stands where the requests' schemas have it, before the properties. */
function close(schema: JsonObject): void {
  if (schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined) return;
  const { properties, ...before } = schema;
  const keys = Object.keys(schema);
  const after = keys.slice(keys.indexOf("properties") + 1).map((key) => [key, before[key]] as const);
  for (const key of keys.slice(keys.indexOf("properties"))) delete schema[key];
  Object.assign(schema, { additionalProperties: false, properties }, Object.fromEntries(after));
}

/** Collects every object that can be reached, through references too. Examples hold no schemas. */
function reach(document: JsonObject, value: Json | undefined, reached: Set<JsonObject>): void {
  if (Array.isArray(value)) for (const one of value) reach(document, one, reached);
  if (!isObject(value) || reached.has(value)) return;
  reached.add(value);
  const ref = refOf(value);
  if (ref !== undefined) reach(document, pointedAt(document, ref), reached);
  for (const [key, one] of Object.entries(value)) {
    // A field may have any name, also that of a keyword.
    if (key === "properties") for (const field of Object.values(asObject(one))) reach(document, field, reached);
    else if (key !== "example" && key !== "examples") reach(document, one, reached);
  }
}
