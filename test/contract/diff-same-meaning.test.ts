/** Schemas that say the same in other words, and schemas that allow nothing. */
import { expect, test } from "vitest";
import { compareContracts } from "../../scripts/command/diff/contract.ts";
import type { Json, JsonObject } from "../../scripts/document/json.ts";

function documentOf(schema: Json): JsonObject {
  const body = { content: { "application/json": { schema: { type: "object", properties: { note: schema } } } } };
  return {
    openapi: "3.1.0",
    paths: { "/notes": { post: { requestBody: body, responses: { "200": { description: "Done.", ...body } } } } },
  };
}

const changes = (before: Json, after: Json) =>
  compareContracts(documentOf(before), documentOf(after)).map(
    ({ level, flow, what }) => `${level}, in ${flow}: ${what}`,
  );

const listed = { type: ["string", "null"], maxLength: 5, default: "a" };
const union = { anyOf: [{ type: "string", maxLength: 5 }, { type: "null" }], default: "a" };
const none = { type: "null" };
const ofObject = { required: ["depth"], properties: { depth: { type: "integer" } }, additionalProperties: false };
const several = { type: ["string", "object"], pattern: "^a$", ...ofObject };
const branches = [
  { type: "string", pattern: "^a$" },
  { type: "object", ...ofObject },
];
const items = { type: "array", items: { type: "string" }, maxItems: 2 };
const counted = { ...items, type: ["number", "array", "null"], minimum: 1 };

test.each<[string, Json, Json]>([
  ["a type or null, as anyOf", listed, union],
  ["a type or null, as oneOf", listed, { oneOf: union.anyOf, default: "a" }],
  ["a text or an object, as oneOf", several, { oneOf: branches }],
  ["a text or an object, as anyOf in another order", several, { anyOf: branches.toReversed() }],
  ["a number, an array or null, as oneOf", counted, { oneOf: [{ type: "number", minimum: 1 }, items, none] }],
  ["an enumeration with null", { type: ["string", "null"], enum: ["a", null] }, { anyOf: [{ enum: ["a"] }, none] }],
  ["an enumeration with its type and without", { type: "number", enum: [1, 2] }, { enum: [1, 2] }],
  ["nothing, as false and as not", false, { not: {} }],
])("the same in other words is no change: %s", (_, one, other) => {
  expect(changes(one, other)).toEqual([]);
  expect(changes(other, one)).toEqual([]);
});

test("what differs between a list of types and a union is found, and no more", () => {
  const shorter = { anyOf: [{ type: "string", maxLength: 4 }, none], default: "a" };
  expect(changes(listed, shorter)).toEqual([
    "breaking, in requests: maxLength from 5 to 4",
    "info, in responses: maxLength from 5 to 4",
  ]);
  expect(changes(listed, { ...union, default: "b" })).toContain('breaking, in requests: default from "a" to "b"');
  expect(changes({ ...listed, type: "string" }, union)).toEqual([
    "breaking, in responses: anyOf has null added",
    "info, in requests: anyOf has null added",
  ]);
  expect(changes({ oneOf: branches }, { ...several, type: ["string", "object", "boolean"], pattern: "^b$" })).toEqual([
    "breaking, in responses: oneOf has boolean added",
    "warning, in requests: pattern from ^a$ to ^b$",
    "warning, in responses: pattern from ^a$ to ^b$",
    "info, in requests: oneOf has boolean added",
  ]);
  // The type allows null; the enumeration does not.
  expect(
    changes({ anyOf: [{ type: "string", enum: ["a"] }, none] }, { type: ["string", "null"], enum: ["a"] }),
  ).toEqual(["breaking, in requests: anyOf has null removed", "info, in responses: anyOf has null removed"]);
});

test("another type of value in a list of values is still a change of the type", () => {
  expect(changes({ type: "string", enum: ["a"] }, { type: ["string", "null"], enum: ["a", null] })).toContain(
    "breaking, in responses: type from string to string or null",
  );
});

test("a field that no longer may be there breaks those who send it and those who read it", () => {
  expect(changes({ type: "string" }, false)).toEqual([
    "breaking, in requests: no value allowed any more",
    "breaking, in responses: no value allowed any more",
  ]);
  expect(changes(false, { type: "string" })).toEqual([
    "breaking, in responses: a value allowed, where there was none",
    "info, in requests: a value allowed, where there was none",
  ]);
});
