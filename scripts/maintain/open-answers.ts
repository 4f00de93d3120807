/**
 * Makes the published document from the closed one. Within /v1 fields are added to answers and notifications, and a client must ignore
 * those that it does not know. Strict clients and some generators take a closed schema at its word, and fail on such a field. So what a
 * client reads is open in every published document; what it sends stays closed. The server, the mock and the conformance kit use the
 * closed document, so that nothing is sent which the contract does not have.
 */
import { asObject, isObject, type Json, type JsonObject, pointedAt, refOf } from "../document/json.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const closing = ["additionalProperties", "unevaluatedProperties"] as const;

/**
 * Opens the object schemas that clients read: those of responses, and of notifications.
 *
 * @returns a copy; the closed document stays as it is
 * @throws when a closed schema is both sent and read, with its name, since it would have to be both open and closed
 */
export function openAnswers(closed: JsonObject): JsonObject {
  const document = structuredClone(closed);
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
    if (isObject(schema) && isClosed(schema) && read.has(schema) && sent.has(schema))
      throw new Error(`#/components/schemas/${name} is both sent and read: let each have a schema of its own.`);
  for (const schema of read) for (const key of closing) if (schema[key] === false) delete schema[key];
  return document;
}

function isClosed(schema: JsonObject): boolean {
  return closing.some((key) => schema[key] === false);
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
