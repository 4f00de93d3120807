/**
 * What a list of values implies, and what is said in two ways: no change is reported where no value shows one, and none is missed. Random
 * constraints are held against the values themselves.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareContracts } from "../../scripts/command/diff/contract.ts";
import type { Json, JsonObject } from "../../scripts/document/json.ts";
import { runs } from "../support/runs.ts";

type Way = "request" | "response" | "notification";

const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, addUsedSchema: false });
const allows = (schema: JsonObject, value: Json) => ajv.compile(schema)(value) === true;

function documentOf(way: Way, schema: Json, more: JsonObject = {}): JsonObject {
  const body = { content: { "application/json": { schema: { type: "object", properties: { x: schema } } } } };
  const response = { "200": { description: "Done.", ...(way === "response" && body) } };
  const post = { ...(way !== "response" && { requestBody: body }), responses: response };
  return {
    openapi: "3.1.0",
    ...(way === "notification" ? { webhooks: { sent: { post } } } : { paths: { "/x": { post } } }),
    ...more,
  };
}

const findingsOf = (way: Way, before: Json, after: Json, more?: JsonObject) =>
  compareContracts(documentOf(way, before, more), documentOf(way, after, more));
const levels = (way: Way, before: Json, after: Json) => findingsOf(way, before, after).map(({ level }) => level);

const values: Json[] = [
  ...["", "a", "ab", "abc", "A1", "2026-01-02", "0x12ab", "a-b"],
  ...[-1, 0, 1, 2, 2.5, 10, 2 ** 31, 1e20],
  ...[true, false, null, [], [1], [1, 1], ["a", "b"], {}, { a: 1 }, { a: "b", c: 1 }],
];
const constraint = fc.oneof(
  fc.record(
    {
      type: fc.constantFrom<Json>("string", ["string", "null"]),
      minLength: fc.constantFrom(0, 1, 2),
      maxLength: fc.constantFrom(1, 2, 50),
      pattern: fc.constantFrom("^[a-z]*$", "^([a-z]-?)+$", "^0x[0-9a-f]+$", "b"),
    },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    {
      type: fc.constantFrom<Json>("integer", "number", ["integer", "string"]),
      minimum: fc.constantFrom(0, 1),
      exclusiveMinimum: fc.constantFrom(-1, 0),
      maximum: fc.constantFrom(2, 10),
      multipleOf: fc.constantFrom(1, 2, 0.5),
    },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    {
      type: fc.constantFrom<Json>("array"),
      minItems: fc.constantFrom(0, 1),
      maxItems: fc.constantFrom(1, 5),
      uniqueItems: fc.boolean(),
      items: fc.constantFrom<Json>({ type: "integer" }, { type: ["string", "integer"] }),
    },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    {
      type: fc.constantFrom<Json>("object"),
      required: fc.constantFrom<Json>(["a"], []),
      maxProperties: fc.constantFrom(1, 2),
      properties: fc.constantFrom<Json>({ a: { type: "integer" } }, { a: { maxLength: 1 } }),
    },
    { requiredKeys: ["type"] },
  ),
  fc.constant({ type: "boolean" }),
) as fc.Arbitrary<JsonObject>;

test("a constraint and a list that implies it: only what a value shows is reported", () => {
  fc.assert(
    fc.property(constraint, fc.subarray(values, { minLength: 1, maxLength: 5 }), fc.boolean(), (loose, list, typed) => {
      const fitting = list.filter((value) => allows(loose, value));
      const outside = list.filter((value) => !allows(loose, value));
      for (const listed of [fitting, list]) {
        if (listed.length === 0) continue;
        const strict: JsonObject = { ...(typed && listed === fitting && { type: loose.type ?? null }), enum: listed };
        const message = JSON.stringify([loose, strict]);
        // Nothing that was allowed is refused, and nothing comes that was ruled out.
        if (listed === fitting || outside.length === 0) {
          expect(levels("response", loose, strict), message).not.toContain("breaking");
          expect(levels("request", strict, loose), message).not.toContain("breaking");
        } else {
          expect(levels("request", strict, loose), message).toContain("breaking");
          expect(levels("response", loose, strict), message).toContain("breaking");
        }
        // Unless the list is all that there is.
        const isWhole = values.filter((value) => allows(loose, value)).every((value) => listed.includes(value));
        if (loose.type !== "boolean" && isWhole) continue;
        if (loose.type === "boolean" && isWhole) {
          expect(levels("request", loose, { enum: fitting }), message).toEqual([]);
          continue;
        }
        expect(levels("request", loose, strict), message).toContain("breaking");
      }
    }),
    { numRuns: runs(60, 300) },
  );
});

describe("a listed value that the other side refuses by more than its list", () => {
  const places: Record<string, readonly [(one: Json) => Json, (value: Json) => Json]> = {
    itself: [(one) => one, (value) => value],
    "a field": [(one) => ({ type: "object", properties: { f: one } }), (value) => ({ f: value })],
    "other fields": [(one) => ({ type: "object", additionalProperties: one }), (value) => ({ f: value })],
    items: [(one) => ({ type: "array", items: one }), (value) => [value]],
    anyOf: [(one) => ({ anyOf: [one, { type: "object", required: ["z"] }] }), (value) => value],
    allOf: [(one) => ({ allOf: [one, { maxProperties: 9 }] }), (value) => value],
  };
  const list = { enum: [{ a: "b", c: 1 }, {}] };
  const fields: JsonObject = { type: "object", properties: { a: { type: "integer" } } };

  test.each<[string, Json, Json]>([
    ["a field of another type", list, fields],
    ["a const", { const: { a: "b", c: 1 } }, fields],
    ["a field that is held further in", { enum: [[{ a: "b" }]] }, { type: "array", items: fields }],
    ["a list that has it, too", list, { ...list, ...fields }],
    [
      "next to a value that cannot be decided",
      { enum: [{ a: "b" }, { e: "e" }] },
      { properties: { a: { type: "integer" }, e: { format: "email" } } },
    ],
  ])("%s breaks, wherever it is", (_, listed, refusing) => {
    for (const [name, [place]] of Object.entries(places)) {
      const [one, other] = [place(listed), place(refusing)];
      expect(levels("request", one, other), name).toContain("breaking");
      // Of two lists, readers are only warned that there is one value more.
      expect(
        levels("response", other, one).some((level) => level === "breaking" || level === "warning"),
        name,
      ).toBe(true);
    }
  });

  test("two sides of which either may list: a value that only one allows leads to a finding", () => {
    const lists = fc.subarray(values, { minLength: 1, maxLength: 4 });
    const name = fc.constantFrom(...Object.keys(places));
    fc.assert(
      fc.property(
        fc.tuple(constraint, constraint),
        lists,
        fc.option(lists, { nil: undefined }),
        name,
        (both, one, other, at) => {
          const [place, placed] = places[at] ?? [];
          if (!place || !placed) return;
          const sides = [
            place({ ...both[0], enum: one }),
            place({ ...both[1], ...(other && { enum: other }) }),
          ] as JsonObject[];
          for (const [from = {}, to = {}] of [sides, sides.toReversed()]) {
            const message = JSON.stringify([from, to]);
            const isOnlyIn = (schema: JsonObject, rest: JsonObject) =>
              values.map(placed).some((value) => allows(schema, value) && !allows(rest, value));
            if (isOnlyIn(from, to)) expect(levels("request", from, to), message).toContain("breaking");
            if (isOnlyIn(to, from))
              expect(levels("response", from, to), message).toSatisfy((all: string[]) =>
                all.some((level) => level !== "info"),
              );
          }
        },
      ),
      { numRuns: runs(20, 60) },
    );
  });
});

test("const and a list of one are the same, wherever they are", () => {
  const pair = (place: (one: Json) => Json) => [place({ const: "a" }), place({ enum: ["a"] })] as const;
  const places: Record<string, (one: Json) => Json> = {
    itself: (one) => one,
    "with its type": (one) => ({ ...(one as JsonObject), type: "string" }),
    "a field": (one) => ({ properties: { kind: one }, required: ["kind"] }),
    items: (one) => ({ items: one }),
    prefixItems: (one) => ({ prefixItems: [one] }),
    contains: (one) => ({ contains: one, maxContains: 2 }),
    not: (one) => ({ not: one }),
    "a field below not": (one) => ({ not: { properties: { kind: one }, patternProperties: { x: true } } }),
    if: (one) => ({ if: { properties: { kind: one }, propertyNames: { minLength: 1 } }, else: { required: ["b"] } }),
    allOf: (one) => ({ allOf: [one, { enum: ["a", "b"] }] }),
    anyOf: (one) => ({ anyOf: [one, { type: "integer" }, { maxLength: 0, type: "string" }] }),
    oneOf: (one) => ({ oneOf: [{ type: "integer" }, { properties: { kind: one } }, one] }),
    "overlapping branches": (one) => ({ oneOf: [{ properties: { kind: one } }, { properties: { other: one } }] }),
    propertyNames: (one) => ({ propertyNames: one }),
    patternProperties: (one) => ({ patternProperties: { "^x": one } }),
    dependentSchemas: (one) => ({ dependentSchemas: { a: { properties: { b: one } } } }),
    additionalProperties: (one) => ({ additionalProperties: one }),
  };
  for (const [name, place] of Object.entries(places))
    for (const way of ["request", "response", "notification"] as const) {
      const [one, other] = pair(place);
      expect(findingsOf(way, one, other), name).toEqual([]);
      expect(findingsOf(way, other, one), name).toEqual([]);
    }
});

describe("one more kind of an answer", () => {
  const kinds = (...names: string[]) => names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const components = Object.fromEntries(
    ["A", "B", "C"].map((name) => [
      name,
      { type: "object", properties: { kind: { const: name } }, required: ["kind"] },
    ]),
  );
  const rated = (way: Way, before: Json, after: Json) =>
    findingsOf(way, before, after, { components: { schemas: components } })
      .filter(({ rule }) => rule === "enum" || rule === "union")
      .map(({ level, bump, breaks, why }) => ({ level, bump, breaks, why }));

  test.each(["oneOf", "anyOf"])(
    "a branch of %s and a value of a list are rated alike, added and removed, whoever reads",
    (keyword) => {
      for (const way of ["request", "response", "notification"] as const) {
        const [few, more] = [{ [keyword]: kinds("A", "B") }, { [keyword]: kinds("A", "B", "C") }];
        const [list, longer] = [{ enum: ["A", "B"] }, { enum: ["A", "B", "C"] }];
        expect(rated(way, few, more)).toEqual(rated(way, list, longer));
        expect(rated(way, more, few)).toEqual(rated(way, longer, list));
        expect(rated(way, few, more)).toHaveLength(1);
      }
      expect(rated("response", { [keyword]: kinds("A") }, { [keyword]: kinds("A", "B") })).toMatchObject([
        { level: "warning", bump: "minor", breaks: ["generated clients"] },
      ]);
    },
  );

  test("a branch of another type breaks, as a type does", () => {
    const [few, more] = [{ oneOf: kinds("A", "B") }, { oneOf: [...kinds("A", "B"), { type: "string" }] }];
    expect(rated("response", few, more)).toMatchObject([{ level: "breaking" }]);
    expect(levels("response", { type: "object" }, { type: ["object", "string"] })).toEqual(["breaking"]);
  });
});

describe("the security of what is sent", () => {
  const secured = (security: Json | undefined, callback: boolean) => {
    const operation = {
      ...(security !== undefined && { security }),
      requestBody: { content: { "application/json": { schema: {} } } },
      responses: { "200": { description: "Taken." } },
    };
    const schemes = { key: { type: "apiKey", in: "header", name: "x-key" }, basic: { type: "http", scheme: "basic" } };
    const responses = { "200": { description: "Done." } };
    return {
      openapi: "3.1.0",
      components: { securitySchemes: schemes },
      ...(callback
        ? {
            paths: {
              "/x": { post: { responses, callbacks: { done: { "{$request.body#/url}": { post: operation } } } } },
            },
          }
        : { webhooks: { done: { post: operation } } }),
    };
  };
  const [key, basic] = [{ key: [] }, { basic: [] }];
  test.each<[string, Json | undefined, Json | undefined, string, string[]]>([
    ["dropped", [key], undefined, "breaking", ["receivers"]],
    ["dropped by an empty list", [key], [], "breaking", ["receivers"]],
    ["made optional", [key], [key, {}], "breaking", ["receivers"]],
    ["another", [key], [basic], "breaking", ["receivers"]],
    ["one of two", [key], [key, basic], "breaking", ["receivers"]],
    ["one of two no longer", [key, basic], [key], "info", ["servers"]],
    ["added", undefined, [key], "info", ["servers"]],
    ["a second one at the same time", [key], [{ key: [], basic: [] }], "info", ["servers"]],
  ])("%s", (_, before, after, level, breaks) => {
    for (const callback of [true, false]) {
      const found = compareContracts(secured(before, callback), secured(after, callback));
      expect(found.filter(({ rule }) => rule === "security")).toMatchObject([{ level, breaks }]);
    }
  });

  test("a credential that is carried otherwise breaks who takes it", () => {
    for (const callback of [true, false]) {
      const [before, after] = [secured([key], callback), secured([key], callback)];
      after.components.securitySchemes.key.name = "x-other";
      expect(compareContracts(before, after)).toMatchObject([{ rule: "security-scheme", breaks: ["receivers"] }]);
    }
  });
});
