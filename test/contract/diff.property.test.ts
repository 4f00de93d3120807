/**
 * What `chain-webhooks-tools diff` lets pass is harmless: Ajv judges the same values by random schemas before and after a change, and a
 * value that only one of them allows must have led to a finding.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareContracts } from "../../scripts/command/diff/contract.ts";
import { documentOfValue } from "../../scripts/command/diff/document.ts";
import { isWithin } from "../../scripts/command/diff/subset.ts";
import type { Json, JsonObject } from "../../scripts/document/json.ts";
import { arbitrarySchemas, values } from "./arbitrary-schema.ts";

type Way = "request" | "response";
type Side = { root: Json; A?: Json; B?: Json };

const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, addUsedSchema: false });

/** Which of the values a schema allows; undefined where Ajv fails, as it does at a reference below patternProperties below anyOf. */
function allowed({ root, A = {}, B = {} }: Side): boolean[] | undefined {
  const isValid = ajv.compile({ allOf: [root], components: { schemas: { A, B } } });
  try {
    return values.map((value) => isValid(value));
  } catch {
    return undefined;
  }
}

function documentOf(way: Way, { root, A = {}, B = {} }: Side): JsonObject {
  const body = { content: { "application/json": { schema: root } } };
  const answer = { "200": { description: "Done.", ...(way === "response" && body) } };
  const post = { ...(way === "request" && { requestBody: body }), responses: answer };
  return { openapi: "3.1.0", paths: { "/x": { post } }, components: { schemas: { A, B } } };
}

/** Fails if a value that breaks somebody has led to no finding. */
function check(before: Side, after: Side): void {
  const [was, is] = [allowed(before), allowed(after)];
  if (!was || !is) return;
  for (const way of ["request", "response"] as const) {
    const findings = compareContracts(documentOf(way, before), documentOf(way, after));
    // Old clients may send under the name of a new field what it does not allow. By convention a new optional field is harmless.
    if (way === "request" && findings.some(({ rule }) => rule === "field-added")) continue;
    const breaks = (index: number) =>
      way === "request" ? was[index] === true && is[index] === false : was[index] === false && is[index] === true;
    const broken = values.filter((_, index) => breaks(index)).slice(0, 3);
    // To a reader, a new value of a list is a warning.
    const isNoticed = findings.some(
      ({ level, rule }) =>
        level === "breaking" || rule === "cannot-tell" || (way === "response" && level === "warning"),
    );
    if (broken.length > 0)
      expect(isNoticed, `${way}s such as ${JSON.stringify(broken)}: ${JSON.stringify(findings)}`).toBe(true);
  }
}

test("a value that only one of two schemas allows leads to a finding", () => {
  const side = (pairs: { root: readonly Json[]; A: readonly Json[]; B: readonly Json[] }, at: 0 | 1): Side => {
    const { root, A, B } = pairs;
    return { root: root[at] ?? null, A: A[at] ?? null, B: B[at] ?? null };
  };
  fc.assert(
    fc.property(arbitrarySchemas, (pairs) => check(side(pairs, 0), side(pairs, 1))),
    { numRuns: 150 },
  );
});

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Each was once rated as harmless. */
test.each<[string, Side, Side]>([
  [
    "what a reference below not leads to",
    { root: { not: ref("A") }, A: { not: ref("B") }, B: { maxLength: 2 } },
    { root: { not: ref("A") }, A: { not: ref("B") }, B: { maxLength: 1 } },
  ],
  [
    "what references in two unions lead to",
    { root: { anyOf: [ref("A")], oneOf: [ref("B")] }, A: { maxLength: 2 }, B: true },
    { root: { anyOf: [ref("A")], oneOf: [ref("B")] }, A: { maxLength: 1 }, B: true },
  ],
  ["contains that any item fulfils", { root: { contains: true } }, { root: {} }],
  [
    "contains below a maximum",
    { root: { contains: { type: "string" }, maxContains: 1 } },
    { root: { contains: { enum: ["a"] }, maxContains: 1 } },
  ],
  ["an enum next to a const", { root: { const: "ab" } }, { root: { const: "ab", enum: ["a"] } }],
  [
    "a branch of oneOf that now allows what another allows",
    {
      root: {
        oneOf: [
          { maxLength: 1, type: "string" },
          { minLength: 2, type: "string" },
        ],
      },
    },
    {
      root: {
        oneOf: [
          { maxLength: 2, type: "string" },
          { minLength: 2, type: "string" },
        ],
      },
    },
  ],
  [
    "a branch of oneOf that is marked by a field which may be left out",
    {
      root: {
        oneOf: [
          { properties: { a: { const: 1 } }, required: ["b"] },
          { properties: { a: { const: "a" } }, maxProperties: 1 },
        ],
      },
    },
    { root: { oneOf: [{ properties: { a: { const: 1 } } }, { properties: { a: { const: "a" } }, maxProperties: 1 }] } },
  ],
])("%s", (_, before, after) => {
  check(before, after);
  check(after, before);
  const [was, is] = [allowed(before), allowed(after)];
  if (!was || !is) return;
  expect(was).not.toEqual(is);
});

test("items that only one version restricts end, though their schema holds itself", () => {
  const tree = (prefixItems: Json[]): JsonObject => documentOf("request", { root: ref("A"), A: { prefixItems } });
  const found = compareContracts(tree([ref("A"), ref("A")]), tree([ref("A")]));
  expect(found).toMatchObject([{ rule: "items", where: "A[1]", what: "items are no longer restricted" }]);
});

test("what does not hold of a reference is not assumed of it elsewhere", () => {
  const document = (A: Json) => documentOfValue("a document", documentOf("request", { root: true, A }));
  const field = { properties: { a: ref("A") } };
  const [longer, shorter] = [document({ type: "string", maxLength: 2 }), document({ type: "string", maxLength: 1 })];
  const twice = { anyOf: [{ ...field, required: ["b"] }, field] };
  expect(isWithin({ document: longer, schema: field }, { document: shorter, schema: twice })).not.toBe(true);

  const [tree, limited] = [document(field), document({ properties: { a: { ...ref("A"), maxProperties: 1 } } })];
  expect(isWithin({ document: tree, schema: ref("A") }, { document: limited, schema: ref("A") })).not.toBe(true);
  expect(isWithin({ document: limited, schema: ref("A") }, { document: tree, schema: ref("A") })).toBe(true);
});
