/** The pages of the reference say all that the contract says: each operation's parameters, fields, examples, answers and rights. */
import { expect, test } from "vitest";
import { operationTable } from "../../generated/operations.ts";
import { asArray, asObject, type Json, type JsonObject, refOf, resolvedObject } from "../../scripts/document/json.ts";
import { describedOperations, examplesOf, jsonOf, readContract } from "../../scripts/maintain/docs-site/operations.ts";
import { referencePages, withoutMarkup } from "../../scripts/maintain/docs-site/reference.ts";

const contract = readContract();
const operations = describedOperations(contract);
const pages = new Map(referencePages(contract).map(({ name, markdown }) => [name, markdown]));
const pageOf = (id: string) => pages.get(id) ?? expect.fail(`${id} has no page`);

test("every operation and every notification has a page, and the overview links to it", () => {
  expect(operations.map(({ id }) => id)).toEqual([
    ...Object.keys(operationTable),
    "addressActivity",
    "addressActivityBatch",
    "glacierActivity",
    "operationalEvent",
  ]);
  for (const { id, summary } of operations) expect(pageOf("index")).toContain(`[${summary}](/reference/${id})`);
});

/** Everything that a schema and those below it say: names of fields, descriptions, bounds. */
function saidBy(schema: Json | undefined, document: JsonObject, seen = new Set<string>()): string[] {
  const ref = refOf(schema);
  if (typeof schema !== "object" || (ref && seen.has(ref))) return [];
  if (ref) seen.add(ref);
  const { properties, items, oneOf, anyOf, additionalProperties, ...whole } = resolvedObject(document, schema);
  const own = [whole.pattern, whole.default, ...asArray(whole.enum)].filter((one) => one !== undefined);
  return [
    ...own.map((one) => `\`${one}\``),
    ...Object.entries(asObject(properties)).flatMap(([name, each]) => {
      const [description = ""] = String(resolvedObject(document, each).description ?? "")
        .trim()
        .split("\n");
      return [`[\`${name}\`](#`, description, ...saidBy(each, document, seen)];
    }),
    ...[items, ...asArray(oneOf), ...asArray(anyOf), additionalProperties].flatMap((one) =>
      saidBy(one, document, seen),
    ),
  ];
}

test.each(operations)("$id: parameters, fields, examples, answers and rights", (operation) => {
  const page = pageOf(operation.id);
  const has = (texts: readonly string[]) => {
    for (const text of texts) expect(page).toContain(text);
  };
  has([
    `# ${operation.summary}\n`,
    `<b class="method`,
    operation.description,
    ...operation.scopes.map((one) => `\`${one}\``),
  ]);
  if (operation.path) has([`>${operation.path}</code>`, `client.${operation.id}(`, "curl ", "<TryIt />"]);
  for (const one of operation.parameters)
    has([`[\`${one.name}\`](#`, String(one.description).trim().split("\n")[0] ?? "", ...saidBy(one.schema, contract)]);
  has(saidBy(operation.body.schema, contract));
  for (const [status, response] of operation.responses) {
    has([status, String(response.description).trim()]);
    for (const header of Object.keys(asObject(response.headers))) has([`\`${header}\``]);
    const json = jsonOf(response);
    if (status.startsWith("2")) has(saidBy(json.schema, contract));
    for (const { title, value } of examplesOf(contract, json)) has([title, JSON.stringify(value, null, 2)]);
  }
  for (const { title, value } of examplesOf(contract, operation.body)) has([title, JSON.stringify(value, null, 2)]);
  for (const callback of operation.callbacks) has([`(/reference/${callback})`]);
  // An id that is twice on a page is a link that leads elsewhere.
  const ids = [...page.matchAll(/\{#(\S+) \.field\}/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  // What goes elsewhere on the page is there.
  const places = new Set([...ids, "body", ...[...operation.responses.keys()]]);
  for (const [, to = ""] of page.matchAll(/\[those above\]\(#(\S+)\)/g)) expect([...places]).toContain(to);
});

test("kinds, lists, maps and schemas that hold themselves are written out once", () => {
  const Tree = {
    type: "object",
    properties: { name: { type: "string" }, below: { type: "array", items: { $ref: "#/components/schemas/Tree" } } },
  };
  const schema = {
    oneOf: [
      { $ref: "#/components/schemas/Tree" },
      { type: "object", required: ["size"], properties: { size: { type: "integer", minimum: 1, maximum: 2000 } } },
    ],
  };
  const body = { content: { "application/json": { schema } } };
  const map = {
    type: "object",
    additionalProperties: { type: "object", properties: { deep: { type: ["string", "null"] } } },
  };
  const responses = { 200: { description: "Good.", content: { "application/json": { schema: map } } } };
  const given: JsonObject = {
    info: { title: "t", version: "1", summary: "s", description: "d" },
    tags: [{ name: "Trees" }],
    components: { schemas: { Tree } },
    paths: {
      "/trees": { post: { operationId: "plant", tags: ["Trees"], summary: "Plant", requestBody: body, responses } },
    },
  };
  const page = referencePages(given).find(({ name }) => name === "plant")?.markdown ?? "";
  expect(page).toContain("{#body.Tree.name .field} string");
  expect(page).toContain("{#body.Tree.below .field} list of objects");
  expect(page).toContain("The fields are [those above](#body.Tree).");
  expect(page).toContain("{#body.2.size .field} whole number, **required**, 1 to 2,000");
  expect(page).toContain("{#200.*.deep .field} string or null");
});

test("what programs read has neither markup nor front matter, and its links lead to Markdown", () => {
  const text = withoutMarkup(pageOf("createWebhook"));
  expect(text).toMatch(/^# Create a webhook\n/);
  expect(text).not.toMatch(/<\/?div|<TryIt|^:::|\{#|^tryIt/m);
  expect(text).toContain("(/docs/reference/addressActivity.md)");
  expect(text).toContain("(/docs/reference.md#authentication)");
  expect(text).toContain("Transfers of a non-fungible token:\n\n```json");
});
