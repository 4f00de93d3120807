/** What is the same in both documents is left out of the comparison, and nothing else is. */
import { expect, test } from "vitest";
import { compareContracts, compareDocuments } from "../../scripts/command/diff/contract.ts";
import { documentOfValue } from "../../scripts/command/diff/document.ts";
import { usualLimits } from "../../scripts/command/diff/limits.ts";
import type { JsonObject } from "../../scripts/document/json.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** A body of the first of many schemas, each of which holds the next, and the last the first. */
function circle(edit: (schemas: Record<string, JsonObject>) => void = () => undefined): JsonObject {
  const names = Array.from({ length: 100 }, (_, index) => `S${index}`);
  const schemas: Record<string, JsonObject> = Object.fromEntries(
    names.map((name, index) => [name, { properties: { next: ref(names[index + 1] ?? "S0"), text: ref("Text") } }]),
  );
  schemas.Text = { type: "string", maxLength: 9 };
  edit(schemas);
  const content = { "a/b": { schema: ref("S0") } };
  const responses = { "200": { description: "x", content: { "a/b": { schema: ref("Text") } } } };
  const paths = { "/x": { post: { requestBody: { content }, responses } } };
  return { openapi: "3.1.0", info: { title: "x", version: "1" }, paths, components: { schemas } };
}

const changes = (before: JsonObject, after: JsonObject) =>
  compareContracts(before, after).map(({ where, flow, what }) => `${where}, in ${flow}: ${what}`);

test("a change is found behind any number of references, and in each direction", () => {
  const shorter = circle((schemas) => Object.assign(schemas.Text ?? {}, { maxLength: 8 }));
  expect(changes(circle(), shorter)).toEqual([
    "Text, in requests: maxLength from 9 to 8",
    "Text, in responses: maxLength from 9 to 8",
  ]);
  const far = circle((schemas) => Object.assign(schemas.S70 ?? {}, { required: ["text"] }));
  expect(changes(circle(), far)).toEqual(["S70.text, in requests: now required"]);
});

test("keywords next to a reference to what has not changed are compared", () => {
  const beside = circle((schemas) =>
    Object.assign(schemas.S0?.properties ?? {}, { text: { ...ref("Text"), minLength: 1 } }),
  );
  expect(changes(circle(), beside)).toEqual(["S0.text, in requests: minLength from none to 1"]);
});

test("a sunset date that is no date is reported, also in what has not changed", () => {
  const dated = circle((schemas) => Object.assign(schemas.Text ?? {}, { "x-sunset": "soon" }));
  expect(changes(dated, structuredClone(dated))).toContain(
    'Text, in requests: sunset date "soon" is no date: write YYYY-MM-DD',
  );
});

test("what has not changed costs nothing", () => {
  const more = circle((schemas) => Object.assign(schemas, { More: {} }));
  const [before, after] = [circle(), more].map((value) => documentOfValue("it", value));
  if (!before || !after) expect.fail();
  const found = compareDocuments(
    before,
    after,
    { today: "2026-01-01", implementers: false },
    { ...usualLimits, pairs: 2 },
  );
  expect(found.map(({ rule }) => rule)).toEqual(["component"]);
});
