/** The OpenAPI 3.0 document says the same as the contract: operations, and which values are valid. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { asArray, asObject, type Json, type JsonObject, refOf, resolvedObject } from "../../scripts/document/json.ts";
import { redocly } from "../../scripts/document/redocly.ts";
import { withTemporaryFolder } from "../../scripts/document/temporary-folder.ts";
import { mutations } from "./mutations.ts";

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const read = (name: string) => JSON.parse(readFileSync(path(name), "utf8")) as JsonObject;
const contract = read("generated/openapi.json");
const lowered = read("generated/openapi-3.0.json");

const methods = ["get", "put", "post", "delete", "patch"];

/** A schema, the examples shown with it, and where; `ref` where a shared example stands. */
type Shown = {
  where: string;
  schema: Json | undefined;
  examples: { value: Json | undefined; ref: string | undefined }[];
};
type Operation = { where: string; operation: JsonObject; item: JsonObject };

function operationsOf(document: JsonObject, items: Json | undefined, prefix = ""): Operation[] {
  return Object.entries(asObject(items)).flatMap(([name, one]) => {
    const item = resolvedObject(document, one);
    return methods.flatMap((method) => {
      const operation = asObject(item[method]);
      if (item[method] === undefined) return [];
      const callbacks = Object.entries(asObject(operation.callbacks)).flatMap(([callback, urls]) =>
        operationsOf(document, urls, `${callback} `),
      );
      return [{ where: `${prefix}${method} ${name}`, operation, item }, ...callbacks];
    });
  });
}

const parametersOf = (document: JsonObject, { operation, item }: Operation) =>
  [...asArray(item.parameters), ...asArray(operation.parameters)].map((one) => resolvedObject(document, one));

/** What an operation is, but for its schemas. */
function outline(document: JsonObject, one: Operation): Json {
  const body = resolvedObject(document, one.operation.requestBody);
  const security = asArray(one.operation.security ?? document.security).map((way) => Object.keys(asObject(way)));
  return {
    where: one.where,
    operationId: one.operation.operationId,
    tags: one.operation.tags,
    security,
    parameters: parametersOf(document, one).map(
      ({ name, in: place, required }) => `${place} ${name} ${required === true}`,
    ),
    body: Object.keys(asObject(body.content)).map((type) => `${type} ${body.required === true}`),
    responses: Object.entries(asObject(one.operation.responses)).map(([status, response]) => {
      const { headers, content } = resolvedObject(document, response);
      return [status, Object.keys(asObject(headers)), Object.keys(asObject(content))];
    }),
  };
}

function shownIn(document: JsonObject, where: string, holder: JsonObject): Shown {
  const named = Object.values(asObject(holder.examples)).map((one) => ({
    value: resolvedObject(document, one).value,
    ref: refOf(one),
  }));
  const examples = holder.example === undefined ? named : [...named, { value: holder.example, ref: undefined }];
  return { where, schema: holder.schema, examples };
}

function shown(document: JsonObject): Shown[] {
  return operationsOf(document, document.paths).flatMap((one) => {
    const bodies: [string, JsonObject][] = [["body", resolvedObject(document, one.operation.requestBody)]];
    for (const [status, response] of Object.entries(asObject(one.operation.responses)))
      bodies.push([status, resolvedObject(document, response)]);
    const values = [
      ...parametersOf(document, one).map((parameter) => [String(parameter.name), parameter] as const),
      ...bodies.flatMap(([status, { headers }]) =>
        Object.entries(asObject(headers)).map(
          ([name, header]) => [`${status} ${name}`, resolvedObject(document, header)] as const,
        ),
      ),
      ...bodies.flatMap(([name, { content }]) =>
        Object.entries(asObject(content)).map(([type, media]) => [`${name} ${type}`, asObject(media)] as const),
      ),
    ];
    return values.map(([name, holder]) => shownIn(document, `${one.where} ${name}`, holder));
  });
}

/** OpenAPI 3.0's own keywords in those of JSON Schema, by the words of its specification. */
function readAs30(schema: Json | undefined): Json | undefined {
  if (Array.isArray(schema)) return schema.map((one) => readAs30(one) ?? null);
  if (typeof schema !== "object" || schema === null) return schema;
  if (refOf(schema)) return { $ref: refOf(schema) };
  const { nullable, ...rest } = schema;
  for (const bound of ["exclusiveMinimum", "exclusiveMaximum"]) expect(typeof rest[bound]).not.toBe("boolean");
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, readAs30(value)]));
  return nullable === true && typeof rest.type === "string" ? { ...inner, type: [rest.type, "null"] } : inner;
}

function validators(ajv: Ajv, document: JsonObject, convert: (schema: Json | undefined) => Json | undefined) {
  addFormats.default(ajv);
  const schemas = Object.entries(asObject(asObject(document.components).schemas));
  const components = { schemas: Object.fromEntries(schemas.map(([name, schema]) => [name, convert(schema)])) };
  return (schema: Json | undefined) => {
    const validate = ajv.compile({ ...asObject(convert(schema)), components });
    return (value: Json | undefined) => validate(value) as boolean;
  };
}

test("it has the contract's operations, parameters, bodies, statuses and callback", () => {
  const outlines = [contract, lowered].map((one) =>
    operationsOf(one, one.paths).map((operation) => outline(one, operation)),
  );
  expect(outlines[1]).toEqual(outlines[0]);
  expect(operationsOf(lowered, lowered.paths).map(({ where }) => where)).toContain(
    "addressActivity post {$request.body#/url}",
  );
});

test("each operationId occurs once", () => {
  const names = operationsOf(lowered, lowered.paths).map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
});

/** A value of several types is of any type in 3.0. */
function withAnyForSeveral(schema: Json | undefined): Json | undefined {
  if (Array.isArray(schema)) return schema.map((one) => withAnyForSeveral(one) ?? null);
  if (typeof schema !== "object" || schema === null) return schema;
  if (asArray(schema.type).filter((type) => type !== "null").length > 1) return {};
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withAnyForSeveral(value)]));
}

test("both versions accept every example and refuse the same changed ones, but for values of several types", () => {
  const [here, there] = [shown(contract), shown(lowered)];
  expect(there.map(({ where, examples }) => ({ where, examples }))).toEqual(
    here.map(({ where, examples }) => ({ where, examples })),
  );
  const of31 = validators(new Ajv2020({ strict: false }) as unknown as Ajv, contract, withAnyForSeveral);
  const of30 = validators(new Ajv({ strict: false }), lowered, readAs30);
  const judged = { valid: 0, invalid: 0 };
  const done = new Set<string>();
  for (const [index, { where, schema, examples }] of here.entries()) {
    const lower = there[index]?.schema;
    const once = JSON.stringify([schema, lower, examples]);
    if (done.has(once)) continue;
    done.add(once);
    const [valid, validToo] = [of31(schema), of30(lower)];
    for (const { value } of examples) {
      expect(valid(value), where).toBe(true);
      expect(validToo(value), where).toBe(true);
      for (const { value: mutated, what } of mutations(value)) {
        const verdict = valid(mutated);
        if (validToo(mutated) !== verdict) expect.fail(`${where}, ${what}: ${verdict} in 3.1, and not in 3.0.`);
        judged[verdict ? "valid" : "invalid"] += 1;
      }
    }
  }
  expect(judged.valid).toBeGreaterThan(300);
  expect(judged.invalid).toBeGreaterThan(5000);
  const refs = new Set(here.flatMap(({ examples }) => examples.map(({ ref }) => ref)));
  for (const file of readdirSync(path("openapi/examples")))
    expect(refs, file).toContain(`#/components/examples/${file.replace(/\.json$/, "")}`);
});

test("Redocly finds nothing wrong in it", async () => {
  await withTemporaryFolder(async (folder) => {
    const config = join(folder, "redocly.yaml");
    // The schema of the notification's headers is there for generators; no operation refers to it.
    writeFileSync(config, "extends: [recommended-strict]\nrules: {no-unused-components: off}\n");
    expect(await redocly("lint", path("generated/openapi-3.0.json"), "--config", config)).toContain("is valid");
  });
});

test("a reader in RE2 or PCRE can take its patterns", () => {
  expect(JSON.stringify(lowered)).not.toMatch(/\\\\u[0-9a-f]{4}/);
});
