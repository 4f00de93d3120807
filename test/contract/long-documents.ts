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

type Shape = (next: JsonObject, other: JsonObject, level: number) => [one: JsonObject, other: JsonObject];

/** How the two schemas of a level refer to the two of the next: each twice, so that whoever looks at all ways looks at 2^levels. */
export const twice: Record<string, Shape> = {
  "allOf and anyOf": (a) => [{ allOf: [a, a], anyOf: [a, a] }, {}],
  "allOf and oneOf": (a, b) => [
    { allOf: [a, b], oneOf: [a, b] },
    { allOf: [b, a], oneOf: [a, b] },
  ],
  "allOf alone": (a, b, minLength) => [{ allOf: [a, b] }, { allOf: [b, a], minLength }],
  "anyOf and oneOf": (a, b) => [
    { anyOf: [a, b], oneOf: [a, b] },
    { oneOf: [a, b], anyOf: [b, a] },
  ],
  not: (a, b) => [
    { not: b, anyOf: [a, b] },
    { not: a, allOf: [a, b] },
  ],
  if: (a, b) => [
    { if: a, else: b },
    { if: b, else: a, allOf: [b, a] },
  ],
  properties: (a, b) => [
    { allOf: [{ properties: { a } }, { properties: { a: b } }] },
    { allOf: [{ properties: { a: b } }, { properties: { a } }] },
  ],
  items: (a, b, minLength) => [
    { allOf: [{ items: a }, { items: b }] },
    { allOf: [{ items: b }, { items: { allOf: [a], minLength } }] },
  ],
  discriminator: (a, b) => [
    { oneOf: [a, b], discriminator: { propertyName: "k" } },
    { allOf: [a], anyOf: [a, b], discriminator: { propertyName: "k", mapping: { a: String(a.$ref) } } },
  ],
  "keywords next to references": (a, b, minLength) => [
    { anyOf: [{ ...a, minLength }, b] },
    { allOf: [{ ...b, minLength }, a] },
  ],
};

/** Levels of two schemas, the last of which is a text of this length, and leads back to the first in a circle. */
export function levels(count: number, shape: Shape, maxLength: number, isCircle = false): JsonObject {
  const schemas: JsonObject = {};
  for (let level = 0; level < count; level += 1) {
    const [one, other] = shape(ref(nameAt("S", level + 1)), ref(nameAt("T", level + 1)), level);
    Object.assign(schemas, { [nameAt("S", level)]: one, [nameAt("T", level)]: other });
  }
  const last = isCircle ? { allOf: [ref("S0")], maxLength: 50 } : { maxLength: 50 };
  Object.assign(schemas, { [nameAt("S", count)]: { type: "string", maxLength }, [nameAt("T", count)]: last });
  return documentOf(schemas);
}

const nameAt = (letter: string, level: number) => `${letter}${level}`;
