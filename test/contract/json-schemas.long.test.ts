/** The published JSON Schemas: valid, whole in one file each, and as strict as the contract. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { asArray, asObject, type Json, type JsonObject } from "../../scripts/document/json.ts";
import { jsonSchemas } from "../../scripts/maintain/json-schemas.ts";
import { mutations } from "./mutations.ts";
import { published, shown } from "./shown-examples.ts";

const path = (name: string) => fileURLToPath(new URL(`../../generated/${name}`, import.meta.url));
const read = (name: string) => JSON.parse(readFileSync(path(name), "utf8")) as JsonObject;
const files = readdirSync(path("schemas"));
const schemas = files.map((name) => ({ name, schema: read(`schemas/${name}`) }));
const fileOf = new Map(schemas.map(({ name, schema }) => [String(schema.title), name]));

test.each(schemas)("Ajv in strict mode says nothing of $name", ({ schema }) => {
  const said: unknown[] = [];
  const logger = {
    log: () => undefined,
    warn: (text: unknown) => said.push(text),
    error: (text: unknown) => said.push(text),
  };
  const ajv = addFormats.default(new Ajv2020({ strict: true, logger }) as never) as unknown as Ajv2020;
  ajv.compile(schema);
  expect(said).toEqual([]);
});

/** As its users make it, with no option. */
const plain = () => new Ajv2020();
const withFormats = () => addFormats.default(plain() as never) as unknown as Ajv2020;

test("there is one for the notification and for every body of the contract", () => {
  expect(files).toEqual(
    expect.arrayContaining(["notification.json", "webhook-create.json", "webhook.json", "api-error.json"]),
  );
  expect(new Set(shown.map(({ title }) => title))).toEqual(new Set(fileOf.keys()));
});

test.each(schemas)("$name is a JSON Schema 2020-12 that needs no other file", ({ name, schema }) => {
  const ajv = withFormats();
  expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
  expect(schema.$id).toBe(`urn:chain-webhooks:v1:${name.replace(".json", "")}`);
  expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
  expect(() => ajv.compile(schema)).not.toThrow();
  expect(JSON.stringify(schema)).not.toMatch(/#\/components|"example":|"int64"|\\\\u00/);
});

test("all of them fit into one Ajv, and those without a URL need no formats", () => {
  const all = withFormats();
  for (const { schema } of schemas) all.addSchema(schema);
  expect(all.getSchema("urn:chain-webhooks:v1:notification")).toBeDefined();
  const needing = schemas.filter(({ schema }) => JSON.stringify(schema).includes('"format"'));
  expect(needing.map(({ name }) => name).sort()).toEqual(
    [
      ...["address-change.json", "preview-input.json", "operational-webhook.json", "operational-webhook-input.json"],
      ...["webhook-create.json", "webhook-page.json", "webhook-update.json", "webhook.json"],
    ].sort(),
  );
  for (const one of schemas)
    if (!needing.includes(one)) expect(() => plain().compile(one.schema), one.name).not.toThrow();
});

test("they accept every example, and judge every changed one as the contract does", () => {
  const ajv = withFormats();
  const contract = addFormats.default(new Ajv2020({ strict: false }) as never) as unknown as Ajv2020;
  contract.addFormat("int64", true).addSchema(published, "contract");
  const judged = { valid: 0, invalid: 0 };
  for (const { title, value } of shown) {
    const schema = schemas.find(({ name }) => name === fileOf.get(title))?.schema ?? {};
    const validate = ajv.getSchema(String(schema.$id)) ?? ajv.compile(schema);
    const expected = contract.compile({ $ref: `contract#/components/schemas/${title}` });
    expect(validate(value), `${title}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    for (const { value: changed, what } of mutations(value as Json)) {
      const verdict = expected(changed);
      if (validate(changed) !== verdict) expect.fail(`${title}, ${what}: ${verdict} in the contract only.`);
      judged[verdict ? "valid" : "invalid"] += 1;
    }
  }
  expect(judged.valid).toBeGreaterThan(300);
  expect(judged.invalid).toBeGreaterThan(1000);
});

test("a field named as a keyword stays a field, and a schema may refer to itself", () => {
  const made = structuredClone(published);
  const { Chain } = asObject(asObject(made.components).schemas);
  Object.assign(asObject(asObject(Chain).properties), {
    example: { type: "string", example: "one" },
    inner: { $ref: "#/components/schemas/Chain" },
  });
  const list = asObject(jsonSchemas(made).get("chain-list.json"));
  const { properties } = asObject(asObject(list.$defs).Chain);
  expect(asObject(properties).example).toEqual({ type: "string", examples: ["one"] });
  expect(asObject(properties).inner).toEqual({ $ref: "#/$defs/Chain" });
  expect(() => withFormats().compile(list)).not.toThrow();
});

test("a body without a named schema stops it", () => {
  const made = structuredClone(published);
  const { get } = asObject(asObject(made.paths)["/v1/chains"]);
  const { content } = asObject(asObject(asObject(get).responses)["200"]);
  asObject(asObject(content)["application/json"]).schema = { type: "object", required: asArray(undefined) };
  expect(() => jsonSchemas(made)).toThrow("must refer to a named schema");
});
