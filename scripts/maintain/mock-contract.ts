/**
 * Writes `generated/mock-contract.js`: what the mock in a page needs of the contract. That is a part of the document, without prose and without the
 * schemas of answers, and the checks of requests. They are compiled ahead, since a page's content security policy may forbid to compile.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import addFormats from "ajv-formats";
import { asArray, asObject, type Json, type JsonObject, refOf, resolvedObject } from "../document/json.ts";

const prefix = "#/components/";

/** Where a schema says which of the checks is its own. */
const mark = "x-check";

/** @param closed the bundle whose answers are closed */
export function mockContract(closed: JsonObject): { code: string; types: string } {
  const contract = partOf(closed);
  const { schemas } = markedSchemas(contract);
  // As the server's, but for the patterns: its own are only faster.
  const code = { source: true, esm: true, lines: true } as const;
  // `format: int64` is for generators; what it means in JSON is said by its bounds.
  const formats = { int64: true as const };
  const ajv = new Ajv2020({ strict: false, unicodeRegExp: false, inlineRefs: false, code, formats });
  addFormats.default(ajv, { mode: "full", formats: ["uri"] });
  ajv.addSchema({ $id: "contract", components: asObject(contract.components) });
  for (const [index, schema] of schemas.entries()) ajv.addSchema(absolute(schema), `check${index}`);
  const names = schemas.map((_, index) => `check${index}`);
  const checks = standaloneCode.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  return {
    code: `${withImports(checks)}
export const checks = [${names.join(", ")}];

export const contractPart = ${JSON.stringify(contract)};
`,
    types: `import type { ValidateFunction } from "ajv";

/** The part of the contract that the mock reads. A schema of a request names its check as \`${mark}\`. */
export declare const contractPart: object;
/** The checks of requests' schemas. */
export declare const checks: readonly ValidateFunction[];
`,
  };
}

/** The document's operations with what they take, and the examples of what they answer. */
function partOf(closed: JsonObject): JsonObject {
  const { paths, components, webhooks } = closed;
  const post = asObject(asObject(asObject(webhooks).addressActivity).post);
  const { examples } = asObject(asObject(asObject(asObject(post.requestBody).content)["application/json"]));
  const part: JsonObject = {
    openapi: closed.openapi ?? "",
    paths: mapped(asObject(paths), (item) =>
      mapped(asObject(item), (operation, name) =>
        name === "parameters" ? operation : withoutRest(asObject(operation)),
      ),
    ),
    webhooks: {
      addressActivity: { post: { requestBody: { content: { "application/json": { examples: examples ?? {} } } } } },
    },
    components: {},
  };
  const all = asObject(components);
  const kept: Record<string, JsonObject> = { securitySchemes: withoutProse(all.securitySchemes ?? {}) as JsonObject };
  const keep = (value: Json | undefined): void => {
    for (const inner of Array.isArray(value) ? value : Object.values(asObject(value))) keep(inner);
    const ref = refOf(value);
    if (ref === undefined) return;
    const [kind = "", name = ""] = ref.slice(prefix.length).split("/");
    if (kept[kind]?.[name] !== undefined) return;
    const target = asObject(asObject(all[kind])[name]);
    const plain = kind === "examples" ? { value: target.value ?? null } : asObject(trimmed(target, kind));
    kept[kind] = { ...kept[kind], [name]: plain };
    if (kind !== "examples") keep(plain);
  };
  part.paths = trimmed(part.paths ?? {});
  keep([part.paths, part.webhooks ?? {}]);
  // The mock begins with them.
  for (const name of Object.keys(asObject(all.examples)))
    if (name.startsWith("webhook.") || name === "chain-list") keep({ $ref: `${prefix}examples/${name}` });
  return { ...part, components: kept };
}

/** Of an operation, without its callbacks. The examples of its body are for readers. */
function withoutRest({ operationId, parameters, requestBody, responses }: JsonObject): JsonObject {
  return {
    operationId: operationId ?? "",
    ...(parameters !== undefined && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: responses ?? {},
  };
}

/**
 * Without prose, and without what only describes an answer or shows a request.
 *
 * @param kind among the document's components
 */
function trimmed(value: Json, kind = ""): Json {
  const visit = (inner: Json): Json => {
    if (Array.isArray(inner)) return inner.map(visit);
    if (typeof inner !== "object" || inner === null) return inner;
    return mapped(inner, (one, name) => {
      if (name === "responses") return mapped(asObject(one), withoutSchemas);
      return visit(name === "requestBody" ? withoutExamples(one) : one);
    });
  };
  const plain = withoutProse(value);
  if (kind === "responses") return withoutSchemas(plain);
  return kind === "requestBodies" ? withoutExamples(plain) : visit(plain);
}

const contentOf = (value: Json, leave: string): Json => {
  const { content, ...rest } = asObject(value);
  if (content === undefined) return value;
  return { ...rest, content: mapped(asObject(content), (media) => without(asObject(media), [leave])) };
};
const withoutSchemas = (response: Json): Json => {
  const { headers, ...rest } = asObject(contentOf(response, "schema"));
  return headers === undefined
    ? rest
    : { ...rest, headers: mapped(asObject(headers), (one) => without(asObject(one), ["schema"])) };
};
const withoutExamples = (body: Json): Json => contentOf(body, "examples");
const without = (value: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** An example is data: what is called `description` there is a value. */
function withoutProse(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
      if (inner === undefined) return [];
      if (name === "example" || name === "examples" || name === "value") return [[name, inner]];
      const isProse = (name === "description" || name === "summary") && typeof inner === "string";
      return isProse ? [] : [[name, withoutProse(inner)]];
    }),
  );
}

/** Marks each schema that the checks of bodies and parameters may ask for. @returns them, in the order of their marks */
function markedSchemas(contract: JsonObject): { schemas: JsonObject[] } {
  const schemas: JsonObject[] = [];
  const seen = new Set<JsonObject>();
  const visit = (schema: JsonObject): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    schemas.push(structuredClone(schema));
    const target = resolvedObject(contract, schema);
    for (const property of Object.values(asObject(target.properties))) visit(asObject(property));
  };
  const parameters = (value: Json | undefined) => {
    for (const one of asArray(value ?? [])) visit(asObject(resolvedObject(contract, one).schema));
  };
  for (const item of Object.values(asObject(contract.paths)).map(asObject))
    for (const [name, one] of Object.entries(item)) {
      if (name === "parameters") parameters(one);
      else {
        const { requestBody, parameters: own } = asObject(one);
        parameters(own);
        if (requestBody === undefined) continue;
        const { content } = resolvedObject(contract, requestBody);
        visit(asObject(asObject(asObject(content)["application/json"]).schema));
      }
    }
  for (const [index, schema] of [...seen].entries()) schema[mark] = index;
  return { schemas };
}

/** References within the document, from outside of it. */
function absolute(schema: Json): JsonObject {
  const visit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    return mapped(value, (inner, name) =>
      name === "$ref" && typeof inner === "string" ? `contract${inner}` : visit(inner),
    );
  };
  return asObject(visit(schema));
}

const mapped = (value: JsonObject, change: (inner: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [[name, change(inner, name)]])),
  );

/** What Ajv's code requires at run time, in modules, too. How long a text is, is said here: each bundler reads the default export of theirs differently. */
const parts: Readonly<Record<string, string>> = {
  'require("ajv/dist/runtime/ucs2length").default': "(text) => [...text].length",
  'require("ajv-formats/dist/formats").fullFormats': "fullFormats",
};

/** @throws for a part that is not known */
function withImports(code: string): string {
  const text = Object.entries(parts).reduce((before, [part, ours]) => before.replaceAll(part, ours), code);
  if (text.includes("require(")) throw new Error("The checks of requests need another run-time part of Ajv.");
  return `import { fullFormats } from "ajv-formats/dist/formats.js";\n${text}`;
}
