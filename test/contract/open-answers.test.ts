/** The published document is the closed one, open where clients read. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { asArray, asObject, type JsonObject } from "../../scripts/document/json.ts";
import { withHeaderSchemas } from "../../scripts/maintain/notification-headers.ts";
import { openAnswers } from "../../scripts/maintain/open-answers.ts";

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
  const both = structuredClone(closed);
  asObject(asObject(schemasOf(both).WebhookUpdate).properties).whole = { $ref: "#/components/schemas/Webhook" };
  expect(() => openAnswers(both)).toThrow("#/components/schemas/Webhook is both sent and read");
});

test("a field named as a keyword is opened, too, and a notification that no operation calls back with", () => {
  const made = structuredClone(closed);
  const object = () => ({ type: "object", additionalProperties: false, properties: {} });
  Object.assign(asObject(asObject(schemasOf(made).Chain).properties), { example: object(), examples: object() });
  const body = { content: { "application/json": { schema: { ...object(), unevaluatedProperties: false } } } };
  asObject(made.webhooks).later = { post: { requestBody: body, responses: {} } };
  const opened = JSON.stringify([schemasOf(openAnswers(made)).Chain, asObject(openAnswers(made).webhooks).later]);
  expect(opened).not.toMatch(/additionalProperties|unevaluatedProperties/);
});

test("a change of addresses answers with every field of the record", () => {
  const [webhook, change] = [asObject(schemas.Webhook), asObject(schemas.AddressChange)];
  const fields = asObject(change.properties);
  for (const [name, schema] of Object.entries(asObject(webhook.properties)))
    if (name !== "effectiveFromBlock") expect(fields[name], name).toEqual(schema);
  expect(asArray(change.required)).toEqual([...asArray(webhook.required), "changed", "totalAddresses"]);
  expect(Object.keys(fields)).toEqual([...Object.keys(asObject(webhook.properties)), "changed", "totalAddresses"]);
});
