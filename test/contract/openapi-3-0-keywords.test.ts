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

test("a list of types becomes an alternative for each, with the keywords that say something of it", () => {
  const made = withSchema({
    description: "Its.",
    type: ["string", "array"],
    maxLength: 3,
    items: { type: "string" },
    maxItems: 2,
  });
  expect(asObject(asObject(made.components).schemas).Made).toEqual({
    description: "Its.",
    oneOf: [
      { type: "string", maxLength: 3 },
      { type: "array", items: { type: "string" }, maxItems: 2 },
    ],
  });
});

function withSchema(schema: JsonObject): JsonObject {
  const changed = structuredClone(contract);
  Object.assign(asObject(asObject(changed.components).schemas), { Made: schema });
  return toOpenApi30(changed);
}

test.each<[string, JsonObject]>([
  ["prefixItems", { type: "array", prefixItems: [{ type: "string" }] }],
  ["minimum", { type: ["string", "array"], minimum: 1 }],
  ["null", { type: ["string", "array", "null"] }],
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
