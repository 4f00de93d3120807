/** What is said otherwise in OpenAPI 3.0, and what cannot be said there at all. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asObject, type JsonObject } from "../../scripts/document/json.ts";
import { toOpenApi30 } from "../../scripts/maintain/openapi-3-0/convert.ts";

const contract = JSON.parse(
  readFileSync(new URL("../../generated/openapi.json", import.meta.url), "utf8"),
) as JsonObject;

test("null, constants, limits and siblings of a reference are converted to 3.0", () => {
  const schemas = asObject(
    asObject(withSchema({ type: ["integer", "null"], exclusiveMinimum: 0, const: 1 }).components).schemas,
  );
  expect(schemas.Made).toEqual({ type: "integer", nullable: true, minimum: 0, exclusiveMinimum: true, enum: [1] });
  const lowerSchemas = asObject(asObject(toOpenApi30(contract).components).schemas);
  expect(asObject(asObject(lowerSchemas.Log).properties).topic0).toMatchObject({ type: "string", nullable: true });
  const made = asObject(
    asObject(withSchema({ description: "Its.", $ref: "#/components/schemas/Log" }).components).schemas,
  );
  expect(made.Made).toEqual({ description: "Its.", allOf: [{ $ref: "#/components/schemas/Log" }] });
});

test("a value of several types is of any type, described in words, also where it is referred to", () => {
  const several = {
    type: ["string", "object"],
    maxLength: 3,
    required: ["depth"],
    description: "Its.",
    example: "one",
  };
  const holder = { type: "object", properties: { here: { ...several, type: ["string", "array", "null"] } } };
  const { Made } = asObject(asObject(withSchema(holder).components).schemas);
  expect(asObject(asObject(Made).properties).here).toEqual({
    ...{ description: "Its.\n\nIn JSON: a text, or an array, or null.", example: "one" },
    allOf: [{ description: "Any value." }],
  });
  const schemas = asObject(asObject(withSchema(several, { $ref: "#/components/schemas/Made" }).components).schemas);
  expect(schemas.Made).toBeUndefined();
  expect(schemas.Holder).toEqual({
    ...{ description: "Its.\n\nIn JSON: a text, or an object with `depth`.", example: "one" },
    allOf: [{ description: "Any value." }],
  });
});

function withSchema(schema: JsonObject, holder: JsonObject = {}): JsonObject {
  const changed = structuredClone(contract);
  Object.assign(asObject(asObject(changed.components).schemas), { Made: schema, Holder: holder });
  return toOpenApi30(changed);
}

test.each<[string, JsonObject]>([
  ["prefixItems", { type: "array", prefixItems: [{ type: "string" }] }],
  ["several types with boolean", { type: ["string", "boolean"] }],
  ["dependentRequired", { type: "object", dependentRequired: { one: ["other"] } }],
  ["unevaluatedProperties", { type: "object", unevaluatedProperties: false }],
  ["maxLength beside a .ref", { $ref: "#/components/schemas/Uuid", maxLength: 3 }],
])("what 3.0 cannot say stops it: %s", (keyword, schema) => {
  expect(() => withSchema({ type: "object", properties: { here: schema } })).toThrow(
    new RegExp(`schemas/Made/properties/here.*${keyword}`),
  );
});

test("so does a key that 3.0 has no place for, and a notification that no operation calls back with", () => {
  const changed = (edit: (document: JsonObject) => void) => {
    const document = structuredClone(contract);
    edit(document);
    return () => toOpenApi30(document);
  };
  expect(changed((one) => Object.assign(one, { jsonSchemaDialect: "x" }))).toThrow("#/jsonSchemaDialect has no place");
  expect(changed((one) => Object.assign(asObject(one.components), { pathItems: {} }))).toThrow(
    "pathItems has no place",
  );
  expect(changed((one) => Object.assign(asObject(one.webhooks), { more: {} }))).toThrow("#/webhooks/more");
});
