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

test.each<[string, Json, Json]>([
  ["a type or null, as anyOf", listed, union],
  ["a type or null, as oneOf", listed, { oneOf: union.anyOf, default: "a" }],
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
