/**
 * Every sentence and every constraint of the contract has a rule that examines it, or a reason why none can. `sentences.yaml` says which:
 * whoever adds a sentence to the contract finds out here that nothing holds a server to it yet.
 */
import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { isRule } from "../../scripts/command/conformance/rules.ts";
import { asArray, asObject, asStrings, isObject, type Json } from "../../scripts/document/json.ts";
import { loadContract } from "../../server/contract/contract.ts";

const document = asObject((await loadContract()) as unknown as Json);
const listed = asObject(load(readFileSync(new URL("sentences.yaml", import.meta.url), "utf8")) as Json);

/** Each value of the contract with its place, but for its examples, and the payloads that callbacks refer to. */
function walked(value: Json | undefined, place: string, found: [place: string, value: Json][] = []) {
  if (value === undefined || value === null) return found;
  found.push([place, value]);
  const entries = Array.isArray(value) ? value.entries() : isObject(value) ? Object.entries(value) : [];
  for (const [key, inner] of entries)
    if (!["example", "examples", "callbacks"].includes(String(key))) walked(inner, `${place}/${key}`, found);
  return found;
}

const parts = ["info", "paths", "webhooks", "components"].flatMap((name) => walked(document[name], name));

/** The sentences of a text, the items of its lists and the rows of its tables; without headlines and rules of tables. */
function sentencesOf(text: string): string[] {
  return text
    .split(/\n(?=[-#|])|\n\n/)
    .flatMap((block) => block.replaceAll(/\s+/g, " ").split(/(?<=[.!?])\s+(?=[A-Z`"])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[a-z]/.test(sentence) && !sentence.startsWith("#"));
}

const stated = new Set(
  parts.flatMap(([place, value]) =>
    place.endsWith("/description") && typeof value === "string" ? sentencesOf(value) : [],
  ),
);
const groups = (name: string) =>
  Object.entries(asObject(listed[name])).map(([key, all]) => [key, asStrings(all)] as const);
const known = [...groups("rules"), ...groups("reasons")].flatMap(([, sentences]) => sentences);

describe("the contract's sentences", () => {
  test("have a rule or a reason each: add new ones to sentences.yaml", () => {
    expect([...stated].filter((sentence) => !known.includes(sentence))).toEqual([]);
  });

  test("are in the list only as long as they are in the contract, and once", () => {
    expect(known.filter((sentence) => !stated.has(sentence))).toEqual([]);
    expect(known.filter((sentence, index) => known.indexOf(sentence) !== index)).toEqual([]);
  });

  test("have rules that exist, and reasons in a sentence", () => {
    expect(groups("rules").filter(([rule]) => !isRule(rule))).toEqual([]);
    for (const [reason] of groups("reasons")) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  });

  test("of which two in three at least have a rule", () => {
    const examined = groups("rules").flatMap(([, sentences]) => sentences).length;
    expect(examined / known.length).toBeGreaterThan(2 / 3);
  });
});

/** The schemas of the contract: whatever has a type, a reference or properties. */
const schemas = parts.flatMap(([place, value]) =>
  isObject(value) && /\/schema$|^components\/schemas\/[^/]+$|\/(items|properties\/[^/]+|not)$/.test(place)
    ? [[place, value] as const]
    : [],
);

describe("the contract's constraints", () => {
  // In requests, bounds.test.ts shows that each is broken once. In answers, the schemas are held to as they stand.
  test("are of the kinds that rules examine", () => {
    const kinds = new Set(schemas.flatMap(([, schema]) => Object.keys(schema)));
    expect([...kinds].sort()).toEqual(Object.keys(asObject(listed.keywords)).sort());
    for (const rule of Object.values(asObject(listed.keywords)))
      expect(isRule(String(rule)) || rule === "none").toBe(true);
  });

  test.each(["formats", "defaults", "headers"])("%s have a rule or a reason each", (name) => {
    const found = {
      formats: schemas.flatMap(([, { format }]) => (format === undefined ? [] : [String(format)])),
      defaults: parts.flatMap(([place]) =>
        place.endsWith("/default") && !place.includes("/responses") ? [place] : [],
      ),
      headers: parts.flatMap(([place]) => /(?<!\/properties)\/headers\/([^/]+)$/.exec(place)?.slice(1) ?? []),
    }[name];
    expect([...new Set(found)].sort()).toEqual(Object.keys(asObject(listed[name])).sort());
    for (const by of asArray(Object.values(asObject(listed[name])) as Json[]))
      expect(isRule(String(by)) || /^[A-Z].{20,}\.$/.test(String(by)), String(by)).toBe(true);
  });
});
