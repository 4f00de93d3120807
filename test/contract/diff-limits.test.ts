/** At each of its limits a comparison says so, and fails: what it did not see must not pass for unchanged. */
import { expect, test } from "vitest";
import { compareContracts, compareDocuments } from "../../scripts/command/diff/contract.ts";
import { documentOfValue } from "../../scripts/command/diff/document.ts";
import { type DiffLimits, usualLimits } from "../../scripts/command/diff/limits.ts";
import { fails } from "../../scripts/command/diff/outcome.ts";
import type { JsonObject } from "../../scripts/document/json.ts";
import { chain, circle, levels, links, twice } from "./long-documents.ts";

function compare(before: JsonObject, after: JsonObject, limits: Partial<DiffLimits> = {}) {
  const documents = [documentOfValue("old", before), documentOfValue("new", after)] as const;
  return compareDocuments(...documents, { today: "2026-03-15", implementers: false }, { ...usualLimits, ...limits });
}

const unseen = (found: ReturnType<typeof compare>) =>
  found.flatMap(({ rule, level, bump, what }) => (rule === "incomplete" ? [{ level, bump, what }] : []));
const ofOutcome = (findings: ReturnType<typeof compare>) => ({
  ...{ old: { name: "old", version: "1" }, new: { name: "new", version: "1" }, findings, expired: [], unused: [] },
});

const limited: [string, Partial<DiffLimits>, what: RegExp][] = [
  ["pairs", { pairs: 50 }, /^compared up to the limit of 50 pairs of schemas, and no further$/],
  ["values", { values: 200 }, /^compared up to the limit of 200 values, and no further$/],
];

test.each(limited)("two circles that never differ end at the limit of %s, and do not pass", (_, limits, what) => {
  const found = compare(circle(11), circle(10), limits);
  expect(unseen(found)).toEqual([{ level: "breaking", bump: "major", what: expect.stringMatching(what) }]);
  expect(fails(ofOutcome(found), "breaking")).toBe(true);
  const whole = compare(circle(11), circle(10));
  expect(unseen(whole)).toEqual([]);
  expect(fails(ofOutcome(whole), "warning")).toBe(false);
});

test("a change behind the limit is not seen, and does not pass; the same document twice has none", () => {
  const [before, changed] = [9, 8].map((maxLength) => chain(100, (next) => ({ items: next }), maxLength));
  if (!before || !changed) return expect.fail("no chain");
  expect(compare(before, changed, { pairs: 50 }).map(({ rule, level }) => `${level} ${rule}`)).toEqual([
    "breaking incomplete",
  ]);
  expect(compare(before, structuredClone(before), { pairs: 50 })).toEqual([]);
});

test("what is nested deeper than the limit is not compared, and does not pass", () => {
  const nested = (maxLength: number) => {
    let schema: JsonObject = { maxLength };
    for (let depth = 0; depth < 20; depth += 1) schema = { items: schema };
    return circle(1, () => ({ additionalProperties: schema }));
  };
  expect(unseen(compare(nested(9), nested(8), { depth: 10 }))).toEqual([
    { level: "breaking", bump: "major", what: "compared only to a depth of 10" },
  ]);
  expect(unseen(compare(nested(9), nested(8)))).toEqual([]);
});

test("where no more is searched, a change of a union is a warning", () => {
  const union = (...maxima: number[]) =>
    circle(1, () => ({ anyOf: maxima.map((maxLength) => ({ type: "string", maxLength })) }));
  const rated = (limits: Partial<DiffLimits>) =>
    compare(union(9, 5), union(9, 5, 4), limits).map(({ rule, level }) => `${level} ${rule}`);
  expect(rated({})).toEqual([]);
  expect(rated({ searchSteps: 0 })).not.toEqual([]);
});

test.each(Object.entries(links))("a chain of 100 schemas by %s is compared to its end", (_, link) => {
  const found = compareContracts(chain(100, link, 9), chain(100, link, 8));
  expect(found.map(({ rule, what }) => `${rule}: ${what}`)).toEqual(["limit: maxLength from 9 to 8"]);
  expect(compareContracts(chain(100, link, 9), chain(100, link, 9))).toEqual([]);
});

test.each(Object.entries(twice))(
  "a few levels that refer twice to the next by %s are compared to their end",
  (_, shape) => {
    const [before, after] = [levels(10, shape, 9), levels(10, shape, 8)];
    const found = compare(before, after);
    expect(found.length).toBeGreaterThan(0);
    expect(unseen(found)).toEqual([]);
    expect(compare(before, structuredClone(before))).toEqual([]);
  },
);
