/** The source composes; what is made of it is flat, open where clients read, and closed where servers are held to it. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { asArray, asObject, type JsonObject } from "../../scripts/document/json.ts";
import { withHeaderSchemas } from "../../scripts/maintain/notification-headers.ts";
import { withClosedAnswers, withFlatSchemas } from "../../scripts/maintain/published-document.ts";

const text = (name: string) => readFileSync(new URL(`../../generated/${name}`, import.meta.url), "utf8");
const published = JSON.parse(text("openapi.json")) as JsonObject;
const closed = JSON.parse(text("openapi-closed.json")) as JsonObject;
const schemasOf = (document: JsonObject) => asObject(asObject(document.components).schemas);
const schemas = schemasOf(published);
const closings = (document: JsonObject) => JSON.stringify(document).match(/"additionalProperties":false/g)?.length ?? 0;

test("answers and notifications may have further fields, and requests may not", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(published, "published");
  ajv.addSchema(closed, "closed");
  for (const [name, schema] of Object.entries(schemas)) {
    if (asObject(schema).type !== "object") continue;
    const isSent = /(Create|Update|Input)$/.test(name);
    const faults = (document: string) => {
      const validate = ajv.compile({ $ref: `${document}#/components/schemas/${name}` });
      validate({ addedLater: 1 });
      return JSON.stringify(validate.errors?.filter(({ keyword }) => keyword !== "required") ?? []);
    };
    if (isSent) expect(faults("published"), name).toContain("addedLater");
    else expect(faults("published"), name).toBe("[]");
  }
  expect(closings(published)).toBeGreaterThan(3);
  expect(closings(closed)).toBeGreaterThan(closings(published) + 15);
});

test("they differ in nothing else but the schema of the notification's headers, and the YAML is the published one", () => {
  const without = (document: JsonObject) => JSON.parse(JSON.stringify(document), keepAllButClosings);
  expect(without(published)).toEqual(without(withHeaderSchemas(closed)));
  expect(parse(text("openapi.yaml"))).toEqual(published);
});

function keepAllButClosings(key: string, value: unknown): unknown {
  return key === "additionalProperties" && value === false ? undefined : value;
}

test("a schema that is both sent and read stops it", () => {
  const both = structuredClone(published);
  asObject(asObject(schemasOf(both).WebhookUpdate).properties).whole = { $ref: "#/components/schemas/Webhook" };
  expect(() => withClosedAnswers(both)).toThrow("#/components/schemas/Webhook is both sent and read");
});

test("a field named as a keyword is closed, too, and a notification that no operation calls back with", () => {
  const made = structuredClone(published);
  const object = () => ({ type: "object", properties: {}, minProperties: 1 });
  Object.assign(asObject(asObject(schemasOf(made).Chain).properties), { example: object(), examples: object() });
  const body = { content: { "application/json": { schema: object() } } };
  asObject(made.webhooks).later = { post: { requestBody: body, responses: {} } };
  const { components, webhooks } = withClosedAnswers(made);
  const shown = JSON.stringify([components, asObject(webhooks).later]);
  const whole = '{"type":"object","additionalProperties":false,"properties":{},"minProperties":1}';
  expect(shown.split(whole)).toHaveLength(4);
});

test("a schema that says itself what it has further stays as it is", () => {
  const conditions = asObject(asObject(asObject(schemasOf(closed).WebhookMetadata).properties).conditions);
  expect(conditions.additionalProperties).toBe(true);
});

const composed = (schemas: JsonObject) => schemasOf(withFlatSchemas({ components: { schemas } }));

test("a composed schema has its parts' fields and its own, and an internal part is no schema of the document", () => {
  const part = { "x-internal": true, type: "object", required: ["a"], properties: { a: { type: "string" }, b: {} } };
  const whole = {
    ...{ description: "Both.", allOf: [{ $ref: "#/components/schemas/Part" }, { properties: { c: {} } }] },
    ...{ required: ["d"], unevaluatedProperties: false, properties: { a: { type: "number" }, d: {} } },
  };
  expect(
    JSON.stringify(composed({ Part: part, Whole: whole, Above: { allOf: [{ $ref: "#/components/schemas/Whole" }] } })),
  ).toBe(
    JSON.stringify({
      Whole: {
        ...{ description: "Both.", type: "object", required: ["a", "d"], additionalProperties: false },
        properties: { a: { type: "number" }, b: {}, c: {}, d: {} },
      },
      Above: { type: "object", required: ["a", "d"], properties: { a: { type: "number" }, b: {}, c: {}, d: {} } },
    }),
  );
});

test("what has no place in a flat schema stops it", () => {
  expect(() => composed({ Whole: { allOf: [], minProperties: 1 } })).toThrow(
    "#/components/schemas/Whole is composed by allOf, and cannot have minProperties.",
  );
});

test("a change of addresses answers with every field of the record", () => {
  const [webhook, change] = [asObject(schemas.Webhook), asObject(schemas.AddressChange)];
  const fields = asObject(change.properties);
  for (const [name, schema] of Object.entries(asObject(webhook.properties)))
    if (name !== "effectiveFromBlock") expect(fields[name], name).toEqual(schema);
  expect(asArray(change.required)).toEqual([...asArray(webhook.required), "changed", "totalAddresses"]);
  const added = ["changed", "totalAddresses", "replayId"];
  expect(Object.keys(fields)).toEqual([...Object.keys(asObject(webhook.properties)), ...added]);
});
