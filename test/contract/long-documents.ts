/** Documents that cost a comparison much: chains and circles of schemas. */
import type { JsonObject } from "../../scripts/document/json.ts";

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

function documentOf(schemas: JsonObject): JsonObject {
  const content = { "application/json": { schema: ref("S0") } };
  const paths = { "/x": { post: { requestBody: { content }, responses: { "204": { description: "Done." } } } } };
  return { openapi: "3.1.0", info: { title: "Long", version: "1" }, paths, components: { schemas } };
}

/** How each schema of a chain leads to the next. */
export const links: Record<string, (next: JsonObject) => JsonObject> = {
  "a reference": (next) => next,
  "a field": (next) => ({ properties: { next } }),
  "an item": (next) => ({ items: next }),
  allOf: (next) => ({ allOf: [next] }),
  anyOf: (next) => ({ anyOf: [next, { type: "null" }] }),
};

/** A chain of schemas, which ends in a text of this length. */
export function chain(length: number, link: (next: JsonObject) => JsonObject, maxLength: number): JsonObject {
  const schemas: JsonObject = {};
  for (let index = 0; index < length; index += 1) schemas[`S${index}`] = link(ref(`S${index + 1}`));
  schemas[`S${length}`] = { type: "string", maxLength };
  return documentOf(schemas);
}

/** A circle. Two whose lengths have no common divisor have as many pairs as their product. */
export function circle(length: number, more: (index: number) => JsonObject = () => ({})): JsonObject {
  const schemas: JsonObject = {};
  for (let index = 0; index < length; index += 1)
    schemas[`S${index}`] = { properties: { next: ref(`S${(index + 1) % length}`) }, ...more(index) };
  return documentOf(schemas);
}
