/**
 * Within /v1 fields are added to answers and notifications, and a client is to pass over those it does not know. Generators that
 * stop at OpenAPI 3.0 take a closed schema at its word, and make clients that fail on such a field. So what a client reads is
 * open in 3.0; what it sends stays closed.
 */
import { asObject, isObject, type Json, type JsonObject, pointedAt, refOf } from "../../document/json.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * Opens the object schemas that clients read: those of responses, and of the bodies of callbacks.
 *
 * @throws when a closed schema is both sent and read, with its name, since it would have to be both open and closed
 */
export function openAnswers(document: JsonObject): void {
  const read = new Set<JsonObject>();
  const sent = new Set<JsonObject>();
  for (const item of Object.values(asObject(document.paths)).map(asObject)) {
    reach(document, item.parameters, sent);
    for (const operation of methods.flatMap((method) => (isObject(item[method]) ? [item[method]] : []))) {
      reach(document, [operation.parameters ?? [], operation.requestBody ?? {}], sent);
      reach(document, [operation.responses ?? {}, operation.callbacks ?? {}], read);
    }
  }
  for (const [name, schema] of Object.entries(asObject(asObject(document.components).schemas)))
    if (isObject(schema) && isClosed(schema) && read.has(schema) && sent.has(schema))
      throw new Error(`#/components/schemas/${name} is both sent and read: let each have a schema of its own.`);
  for (const object of read) if (isClosed(object)) delete object.additionalProperties;
}

function isClosed(object: JsonObject): boolean {
  return object.type === "object" && object.additionalProperties === false;
}

/** Collects every object that can be reached, through references too. Examples hold no schemas. */
function reach(document: JsonObject, value: Json | undefined, reached: Set<JsonObject>): void {
  if (Array.isArray(value)) for (const one of value) reach(document, one, reached);
  if (!isObject(value) || reached.has(value)) return;
  reached.add(value);
  const ref = refOf(value);
  if (ref !== undefined) reach(document, pointedAt(document, ref), reached);
  for (const [key, one] of Object.entries(value))
    if (key !== "example" && key !== "examples") reach(document, one, reached);
}
